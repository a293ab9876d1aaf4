//! Where a bot is tried: an arena of its own, a way to it that can be bad, and matches with house
//! bots. For each item everything is new: what one has broken does not count against another.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::desk::Arena;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::record::EndReason;
use azulejo_arena::store::SavedMatch;
use azulejo_bots::HouseBot;
use azulejo_engine::Ruleset;

use super::link::{Link, Quality};
use crate::author::{
    Entry, Journal, LocalArena, Noted, Place, Program, Running, Sitting, Team, challenge, ended,
    verdict,
};

/// No match takes longer: the bot's clock would be empty, or the bot gone.
const LONGEST: Duration = Duration::from_mins(4);
/// How long a bot may take until it answers something at all.
pub(super) const FIRST_ANSWER: Duration = Duration::from_secs(30);

/// Answers that a bot gives in peace before something happens to it: it is in the middle of a match
/// then.
pub(super) const LATER: u32 = 3;

#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) program: &'a Program,
    pub(super) running: &'a Running,
}

/// The bot at work.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) team: Team,
    pub(super) link: Link,
    pub(super) running: Running,
}

impl Bench<'_> {
    /// Starts the bot, and waits until it is there.
    pub(super) async fn start(&self, place: &Place, quality: Quality) -> Result<Trial> {
        let arena = LocalArena::open(place, Arc::new(Journal::new())).await?;
        let link = Link::to(arena.public, quality).await?;
        let mut team = Team::new(arena, self.running.shown(), self.running.patience());
        team.enlist(self.program, &self.program.name, &link.url()).await?;
        Ok(Trial { team, link, running: self.running.clone() })
    }

    pub(super) async fn in_memory(&self) -> Result<Trial> {
        self.start(&Place::in_memory(), Quality::default()).await
    }
}

impl Trial {
    /// What it offers to play.
    pub(super) fn rulesets(&self) -> Result<Vec<Ruleset>> {
        let offered = &self.team.bots[0].offer.rulesets;
        let read =
            |message| Ruleset::read(Some(message)).map_err(|bad| anyhow!("its offer: {bad}"));
        let offered: Result<Vec<Ruleset>> = offered.iter().copied().map(read).collect();
        let offered = offered?;
        Ok(if offered.is_empty() { Ruleset::all() } else { offered })
    }

    /// Calls a match with the house, by what the bot offers first.
    pub(super) async fn call(&self) -> Result<MatchId> {
        let first = self.rulesets()?.first().copied().context("it offers nothing")?;
        let pool = Pool { ruleset: first, time_class: self.running.time.into() };
        call(&self.team.arena.arena, &self.team.ids(), pool, 0).await
    }

    /// Waits for something that the bot does, unless it ends instead.
    pub(super) async fn sees<T>(
        &mut self,
        what: &str,
        found: impl FnMut(&Entry) -> Option<T>,
    ) -> Result<T> {
        let journal = Arc::clone(&self.team.arena.journal);
        let work = async {
            let found = journal.find(0, FIRST_ANSWER, found).await;
            found.with_context(|| format!("within {} s {what}", FIRST_ANSWER.as_secs()))
        };
        Team::unless_one_ends(&mut self.team.bots, work).await
    }

    /// Waits until an answer of the bot is held back; says which turn it was for.
    pub(super) async fn held(&mut self, times: usize) -> Result<u32> {
        let mut seen = 0;
        let found = move |entry: &Entry| {
            let Noted::Held { turn } = entry.what else { return None };
            seen += 1;
            (seen == times).then_some(turn)
        };
        self.sees("it answered no turn", found).await
    }

    /// Waits for the end; an error says why the bot did not play to it.
    pub(super) async fn play_on(&mut self, id: &MatchId) -> Result<SavedMatch> {
        let arena = self.team.arena.arena.clone();
        let work = async {
            let saved = tokio::time::timeout(LONGEST, ended(&arena, id)).await;
            saved.context("the match did not end")?
        };
        let saved = Team::unless_one_ends(&mut self.team.bots, work).await?;
        finished(&saved)?;
        Ok(saved)
    }

    pub(super) async fn close(self) {
        self.team.disband().await;
    }
}

/// Calls a match of the first bot with the house, which takes all other seats.
pub(super) async fn call(arena: &Arena, ids: &[BotId], pool: Pool, seat: usize) -> Result<MatchId> {
    let sitting = |at: usize| match at {
        at if at == seat % pool.players() => Sitting::Own(0),
        _ => Sitting::House(HouseBot::Greedy),
    };
    let seats: Vec<Sitting> = (0..pool.players()).map(sitting).collect();
    challenge(arena, ids, &seats, pool).await
}

/// Whether everybody played to the end.
pub(super) fn finished(saved: &SavedMatch) -> Result<()> {
    let pool = saved.spec.pool;
    let Some(ends) = verdict::seats(saved) else {
        bail!("{pool}: called off, {}", verdict::why_void(saved).unwrap_or("it never began"));
    };
    match ends.iter().find(|end| end.reason != EndReason::Finished) {
        None => Ok(()),
        Some(end) => bail!("{pool}: it forfeited, {}", verdict::words(end.reason)),
    }
}
