use super::Command;
use crate::names::letters;
use crate::record::Bytes32;
use crate::state::{ArenaState, Refusal};
use crate::store::Write;
use crate::time::Now;

/// An organiser creates an invitation, with which one owner can register. The reply is its code.
#[derive(Clone, Copy, Debug)]
pub struct CreateInvitation;

impl Command for CreateInvitation {
    type Reply = String;

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<String, Refusal> {
        let code = format!("azi_{}", letters(&arena.random::<16>()));
        let hash = Bytes32::hash_of(code.as_bytes());
        arena.invitations.insert(hash);
        arena.writes.push(Write::Invitation { hash });
        Ok(code)
    }
}
