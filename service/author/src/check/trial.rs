//! The environment of one item: a new arena, a new bot process, a link between them that can fail, and
//! matches against house bots. Items do not affect each other.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::arena_loop::Arena;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::record::EndReason;
use azulejo_arena::store::SavedMatch;
use azulejo_bots::HouseBot;
use azulejo_engine::Ruleset;

use super::link::{Link, LinkQuality};
use crate::{
    BotArgs, Entry, Journal, JournalEvent, LocalArena, LocalArenaConfig, Participant, Program,
    Team, challenge, match_end, wait_for_end,
};

/// Longer than any match: by then the bot's clock has run out.
const MATCH_TIMEOUT: Duration = Duration::from_mins(4);
/// How long to wait for an answer of the bot.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Answers before a fault is injected, so that it happens in the middle of a match.
pub(super) const ANSWERS_BEFORE_FAULT: u32 = 3;

/// The bot to test, and how to start it.
#[derive(Debug)]
pub(super) struct TrialSetup<'a> {
    pub(super) program: &'a Program,
    pub(super) bot_args: &'a BotArgs,
}

/// A running bot with its arena and its link.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) team: Team,
    pub(super) link: Link,
    pub(super) bot_args: BotArgs,
}

impl TrialSetup<'_> {
    /// Starts the bot and waits until it is connected.
    pub(super) async fn start(
        &self,
        config: &LocalArenaConfig,
        quality: LinkQuality,
    ) -> Result<Trial> {
        let arena = LocalArena::start(config, Arc::new(Journal::new())).await?;
        let link = Link::to(arena.public, quality).await?;
        let mut team = Team::new(arena, self.bot_args.output(), self.bot_args.connect_timeout());
        team.add_bot(self.program, &self.program.name, &link.url()).await?;
        Ok(Trial { team, link, bot_args: self.bot_args.clone() })
    }

    pub(super) async fn in_memory(&self) -> Result<Trial> {
        self.start(&LocalArenaConfig::in_memory(), LinkQuality::default()).await
    }
}

impl Trial {
    /// The rulesets that the bot offers; all if it names none.
    pub(super) fn rulesets(&self) -> Result<Vec<Ruleset>> {
        let offered = &self.team.bots[0].offer.rulesets;
        let read =
            |message| Ruleset::read(Some(message)).map_err(|bad| anyhow!("invalid offer: {bad}"));
        let offered: Result<Vec<Ruleset>> = offered.iter().copied().map(read).collect();
        let offered = offered?;
        Ok(if offered.is_empty() { Ruleset::all() } else { offered })
    }

    /// Starts a match against house bots, with the first ruleset that the bot offers.
    pub(super) async fn start_match(&self) -> Result<MatchId> {
        let first = self.rulesets()?.first().copied().context("the bot offers no ruleset")?;
        let pool = Pool { ruleset: first, time_class: self.bot_args.time_class() };
        start_match(&self.team.arena.arena, &self.team.ids(), pool, 0).await
    }

    /// Waits for an entry of the journal. `failure` is the error message on timeout.
    pub(super) async fn wait_for<T>(
        &mut self,
        failure: &str,
        matching: impl FnMut(&Entry) -> Option<T>,
    ) -> Result<T> {
        let journal = Arc::clone(&self.team.arena.journal);
        let work = async {
            let found = journal.find(0, ANSWER_TIMEOUT, matching).await;
            found.with_context(|| format!("{failure} within {} s", ANSWER_TIMEOUT.as_secs()))
        };
        Team::fail_if_a_bot_exits(&mut self.team.bots, work).await
    }

    /// Waits until an answer of the bot gets no reply, for the n-th time, and returns its turn.
    pub(super) async fn wait_until_withheld(&mut self, times: usize) -> Result<u32> {
        let mut seen = 0;
        let withheld = move |entry: &Entry| {
            let JournalEvent::ReplyWithheld { turn } = entry.event else { return None };
            seen += 1;
            (seen == times).then_some(turn)
        };
        self.wait_for("it did not answer a turn", withheld).await
    }

    /// Waits for the end of the match; an error if the bot did not finish it.
    pub(super) async fn finish_match(&mut self, id: &MatchId) -> Result<SavedMatch> {
        let arena = self.team.arena.arena.clone();
        let work = async {
            let saved = tokio::time::timeout(MATCH_TIMEOUT, wait_for_end(&arena, id)).await;
            saved.context("the match did not end")?
        };
        let saved = Team::fail_if_a_bot_exits(&mut self.team.bots, work).await?;
        require_finished(&saved)?;
        Ok(saved)
    }

    pub(super) async fn close(self) {
        self.team.shut_down().await;
    }
}

/// Starts a match of the first bot on this seat; house bots play all other seats.
pub(super) async fn start_match(
    arena: &Arena,
    ids: &[BotId],
    pool: Pool,
    seat: usize,
) -> Result<MatchId> {
    let participant = |at: usize| match at {
        at if at == seat % pool.players() => Participant::Own(0),
        _ => Participant::House(HouseBot::Greedy),
    };
    let seats: Vec<Participant> = (0..pool.players()).map(participant).collect();
    challenge(arena, ids, &seats, pool).await
}

/// An error unless all seats played to the end.
pub(super) fn require_finished(saved: &SavedMatch) -> Result<()> {
    let pool = saved.spec.pool;
    let Some(ends) = match_end::seat_ends(saved) else {
        bail!(
            "{pool}: called off: {}",
            match_end::void_reason(saved).unwrap_or("it did not start")
        );
    };
    match ends.iter().find(|end| end.reason != EndReason::Finished) {
        None => Ok(()),
        Some(end) => bail!("{pool}: forfeited: {}", match_end::describe(end.reason)),
    }
}
