use super::Command;
use crate::names::MatchId;
use crate::state::{ArenaState, Refusal};
use crate::time::{Now, Time};

/// A turn has left the server: its clock starts.
#[derive(Clone, Debug)]
pub struct TurnFetched {
    pub id: MatchId,
    pub turn: u32,
    pub at: Time,
}

impl Command for TurnFetched {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<(), Refusal> {
        if let Some(run) = arena.match_mut(&self.id) {
            run.turn_fetched(self.turn, self.at);
        }
        Ok(())
    }
}
