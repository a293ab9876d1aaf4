use super::Command;
use crate::names::{BotId, MatchId};
use crate::state::{ArenaState, Refusal};
use crate::time::Now;

/// A bot resigns a match.
#[derive(Clone, Debug)]
pub struct Resign {
    pub bot: BotId,
    pub id: MatchId,
}

impl Command for Resign {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { bot, id } = self;
        arena.heard(&bot, now.time);
        let (run, seat) = arena.seated(&bot, &id)?;
        let changes = run.resign(seat, now)?;
        arena.apply_changes(&id, changes, now);
        Ok(())
    }
}
