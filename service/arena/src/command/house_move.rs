use azulejo_engine::Move;

use super::Command;
use crate::names::MatchId;
use crate::record::EndReason;
use crate::state::{ArenaState, Refusal};
use crate::time::Now;

/// The search of a house bot has ended.
#[derive(Clone, Debug)]
pub struct HouseMove {
    pub id: MatchId,
    pub turn: u32,
    /// None if the search failed.
    pub action: Option<Move>,
}

impl Command for HouseMove {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { id, turn, action } = self;
        let Some(run) = arena.match_mut(&id) else { return Ok(()) };
        let changes = match action {
            Some(action) => run.house_decided(turn, action, now),
            // The server's fault: no bot loses by it.
            None => run.void(EndReason::ServerError, "the house bot failed", now),
        };
        arena.apply_changes(&id, changes, now);
        Ok(())
    }
}
