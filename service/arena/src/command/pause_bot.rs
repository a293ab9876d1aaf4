use super::Command;
use crate::names::BotId;
use crate::state::{ArenaState, Refusal};
use crate::store::Pause;
use crate::time::Now;
use crate::view::BotView;

/// An organiser pauses a bot.
#[derive(Clone, Debug)]
pub struct PauseBot {
    pub bot: BotId,
    pub note: String,
}

impl Command for PauseBot {
    type Reply = BotView;

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<BotView, Refusal> {
        let Self { bot, note } = self;
        arena.pause(&bot, Pause { reason: note, trigger_match: None });
        arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))
    }
}
