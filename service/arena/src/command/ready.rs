use super::Command;
use crate::names::{BotId, MatchId};
use crate::record::{Bytes32, Origin};
use crate::state::{ArenaState, Refusal};
use crate::time::Now;

/// A bot is ready for a match. The last one starts the game.
#[derive(Clone, Debug)]
pub struct Ready {
    pub bot: BotId,
    pub id: MatchId,
    pub nonce: Bytes32,
}

impl Command for Ready {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { bot, id, nonce } = self;
        arena.heard(&bot, now.time);
        let (run, seat) = arena.seated(&bot, &id)?;
        let is_ladder = run.spec().origin == Origin::Ladder;
        let changes = run.ready(seat, nonce, now)?;
        // A challenge proves nothing: it costs its bot no match.
        if is_ladder {
            arena.was_ready(&bot);
        }
        arena.apply_changes(&id, changes, now);
        Ok(())
    }
}
