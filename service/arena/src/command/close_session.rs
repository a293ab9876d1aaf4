use super::Command;
use crate::names::BotId;
use crate::state::{ArenaState, Refusal};
use crate::time::Now;

/// The stream of a bot has ended. The session stays: the bot may come back.
#[derive(Clone, Debug)]
pub struct CloseSession {
    pub bot: BotId,
    pub session: u64,
}

impl Command for CloseSession {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<(), Refusal> {
        arena.stop_listening(&self.bot, self.session);
        Ok(())
    }
}
