use super::Command;
use crate::names::{BotId, Owner};
use crate::state::{ArenaState, Refusal};
use crate::store::Write;
use crate::time::Now;
use crate::view::BotView;

/// Ends the pause of a bot.
#[derive(Clone, Debug)]
pub struct ResumeBot {
    pub by: Owner,
    pub bot: BotId,
}

impl Command for ResumeBot {
    type Reply = BotView;

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<BotView, Refusal> {
        let Self { by, bot } = self;
        arena.check_owner(&by, &bot)?;
        if let Some(known) = arena.bots.get_mut(&bot) {
            known.pause = None;
            known.recent.clear();
            arena.writes.push(Write::Pause { bot: bot.clone(), pause: None });
        }
        arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))
    }
}
