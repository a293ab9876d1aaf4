use super::{Command, Organiser};
use crate::names::BotId;
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Pause};
use crate::time::Now;
use crate::view::BotView;

/// An organiser pauses a bot.
#[derive(Clone, Debug)]
pub struct PauseBot {
    pub by: Organiser,
    pub bot: BotId,
    pub note: String,
}

impl Command for PauseBot {
    type Reply = BotView;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<BotView, Refusal> {
        let Self { by, bot, note } = self;
        if !arena.bots.contains_key(&bot) {
            return Err(Refusal::NoSuchBot(bot));
        }
        let pause = Pause { reason: note.clone(), trigger_match: None, by_organiser: true };
        arena.pause(&bot, pause);
        arena.audit(by, Act::Pause, bot.to_string(), note, now);
        arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))
    }
}
