use super::Command;
use crate::names::{BotId, Owner};
use crate::state::{ArenaState, Refusal};
use crate::store::{Pause, Write};
use crate::time::Now;
use crate::view::BotView;

/// Ends the pause of a bot. Only an organiser ends the pause of an organiser.
#[derive(Clone, Debug)]
pub struct ResumeBot {
    /// None: an organiser.
    pub by: Option<Owner>,
    pub bot: BotId,
}

impl Command for ResumeBot {
    type Reply = BotView;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<BotView, Refusal> {
        let Self { by, bot } = self;
        if let Some(by) = by {
            arena.check_owner(&by, &bot)?;
            let pause = arena.bots.get(&bot).and_then(|known| known.pause.as_ref());
            if pause.is_some_and(Pause::is_by_organiser) {
                return Err(Refusal::PausedByOrganiser(bot));
            }
            if pause.is_some()
                && let Err(retry_after) = arena.resumes.count(&bot, now.time)
            {
                let (key, what) = ("resumes-a-day", "resumes of a bot per day");
                let limit = arena.resumes.most;
                return Err(Refusal::Quota { key, what, limit, retry_after });
            }
        }
        if let Some(known) = arena.bots.get_mut(&bot) {
            known.pause = None;
            known.recent.clear();
            arena.writes.push(Write::Pause { bot: bot.clone(), pause: None });
        }
        arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))
    }
}
