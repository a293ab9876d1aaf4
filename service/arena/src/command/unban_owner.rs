use super::{Command, Organiser};
use crate::names::Owner;
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Write};
use crate::time::Now;

/// An organiser ends the ban of an owner. It changes nothing if the owner is not banned.
#[derive(Clone, Debug)]
pub struct UnbanOwner {
    pub by: Organiser,
    pub owner: Owner,
}

impl Command for UnbanOwner {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { by, owner } = self;
        if !arena.owners.contains(&owner) {
            return Err(Refusal::NoSuchOwner(owner));
        }
        if arena.banned.remove(&owner).is_some() {
            arena.writes.push(Write::Ban { owner: owner.clone(), note: None });
            arena.audit(by, Act::Unban, owner.to_string(), String::new(), now);
        }
        Ok(())
    }
}
