use super::{Command, Organiser};
use crate::names::letters;
use crate::record::Bytes32;
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Write};
use crate::time::Now;

/// An organiser creates invitations. With each, one owner can register. The reply is their codes.
#[derive(Clone, Debug)]
pub struct CreateInvitations {
    pub by: Organiser,
    pub count: u32,
}

impl Command for CreateInvitations {
    type Reply = Vec<String>;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Vec<String>, Refusal> {
        let Self { by, count } = self;
        let mut codes = Vec::new();
        for _ in 0..count {
            let code = format!("azi_{}", letters(&arena.random::<16>()));
            let hash = Bytes32::hash_of(code.as_bytes());
            arena.invitations.insert(hash);
            arena.writes.push(Write::Invitation { hash, created: now.wall });
            codes.push(code);
        }
        let subject = if count == 1 { "1 code".to_owned() } else { format!("{count} codes") };
        arena.audit(by, Act::Invite, subject, String::new(), now);
        Ok(codes)
    }
}
