use super::{Command, Organiser};
use crate::names::Owner;
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Write};
use crate::time::Now;

/// An organiser bans an owner: their bots resign their matches, and cannot connect any more.
#[derive(Clone, Debug)]
pub struct BanOwner {
    pub by: Organiser,
    pub owner: Owner,
    pub note: String,
}

impl Command for BanOwner {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { by, owner, note } = self;
        if !arena.owners.contains(&owner) {
            return Err(Refusal::NoSuchOwner(owner));
        }
        arena.banned.insert(owner.clone(), note.clone());
        arena.writes.push(Write::Ban { owner: owner.clone(), note: Some(note.clone()) });
        arena.audit(by, Act::Ban, owner.to_string(), note, now);
        arena.stop_bots(&owner, now);
        Ok(())
    }
}
