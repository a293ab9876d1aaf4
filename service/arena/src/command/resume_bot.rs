use super::{Authority, Command};
use crate::names::{BotId, Owner};
use crate::state::{ArenaState, Refusal};
use crate::store::{Act, Write};
use crate::time::Now;
use crate::view::BotView;

/// Ends the pause of a bot. Only an organiser ends the pause of an organiser.
#[derive(Clone, Debug)]
pub struct ResumeBot {
    pub by: Authority,
    pub bot: BotId,
}

impl Command for ResumeBot {
    type Reply = BotView;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<BotView, Refusal> {
        let Self { by, bot } = self;
        let Some(known) = arena.bots.get(&bot) else { return Err(Refusal::NoSuchBot(bot)) };
        let is_paused = known.pause.is_some();
        if let Authority::Owner(owner) = &by {
            check_owner(arena, owner, &bot, now)?;
        }
        // Otherwise an owner could clear the record of a bot before it is paused.
        if !is_paused {
            return arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot));
        }
        if let Some(known) = arena.bots.get_mut(&bot) {
            known.pause = None;
            known.recent.clear();
            arena.writes.push(Write::Pause { bot: bot.clone(), pause: None });
        }
        if let Authority::Organiser(by) = by {
            arena.audit(by, Act::Resume, bot.to_string(), String::new(), now);
        }
        arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))
    }
}

/// Refuses what an owner may not resume.
fn check_owner(
    arena: &mut ArenaState,
    owner: &Owner,
    bot: &BotId,
    now: Now,
) -> Result<(), Refusal> {
    arena.check_owner(owner, bot)?;
    arena.check_banned(owner)?;
    let pause = arena.bots.get(bot).and_then(|known| known.pause.as_ref());
    let Some(pause) = pause else { return Ok(()) };
    if pause.by_organiser {
        return Err(Refusal::PausedByOrganiser(bot.clone()));
    }
    arena.resumes.count(bot, now.time).map_err(|retry_after| {
        let (key, what) = ("resumes-a-day", "resumes of a bot per day");
        Refusal::Quota { key, what, limit: arena.resumes.most, retry_after }
    })
}
