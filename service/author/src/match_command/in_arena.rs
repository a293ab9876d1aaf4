//! Games with bots of your own, played in a local arena.

use anyhow::{Context, Result, bail};
use azulejo_arena::arena_loop::Arena;
use azulejo_arena::match_record::Replayed;
use azulejo_arena::names::BotId;
use azulejo_arena::pool::Pool;
use azulejo_arena::record::EndReason;
use futures_util::{StreamExt as _, TryStreamExt as _};
use indicatif::ProgressBar;

use super::MatchCommand;
use super::local::PlayedGame;
use crate::seats::{PlayerSpec, own_bots};
use crate::{Participant, Team, challenge, match_end, start_team, wait_for_end};

impl MatchCommand {
    pub(super) async fn play_in_arena(
        &self,
        players: &[PlayerSpec],
        names: &[String],
        bar: &ProgressBar,
    ) -> Result<Vec<PlayedGame>> {
        let Some((programs, seats)) = own_bots(players, names) else {
            bail!("`human` is not possible here; use `azulejo play human greedy`");
        };
        let ruleset = self.rules.ruleset(players.len())?;
        let pool = Pool { ruleset, time_class: self.bot_args.time_class() };
        let mut team = start_team(&programs, &self.bot_args).await?;
        let concurrent_matches =
            self.jobs.map_or(usize::MAX, usize::from).min(team.concurrent_matches());
        let series = Series {
            arena: team.arena.arena.clone(),
            ids: team.ids(),
            seats,
            pool,
            recorded: self.records.is_some(),
        };
        let games = futures_util::stream::iter(0..self.games)
            .map(|game| series.play(game, bar))
            .buffered(concurrent_matches)
            .try_collect();
        let played = Team::fail_if_a_bot_exits(&mut team.bots, games).await?;
        team.shut_down().await;
        Ok(played)
    }
}

/// Games between the same participants.
struct Series {
    arena: Arena,
    ids: Vec<BotId>,
    /// In the order of the command line; the seats rotate.
    seats: Vec<Participant>,
    pool: Pool,
    recorded: bool,
}

impl Series {
    async fn play(&self, game: u64, bar: &ProgressBar) -> Result<PlayedGame> {
        let count = self.seats.len();
        let turn = usize::try_from(game % count as u64).unwrap_or(0);
        // Bot `b` has seat `(b + turn) % count`, so that all bots start equally often.
        let seats: Vec<Participant> =
            (0..count).map(|seat| self.seats[(seat + count - turn) % count]).collect();
        let id = challenge(&self.arena, &self.ids, &seats, self.pool).await?;
        let saved = wait_for_end(&self.arena, &id).await?;
        bar.inc(1);
        let Some(ends) = match_end::seat_ends(&saved) else {
            let reason = match_end::void_reason(&saved).unwrap_or_default();
            bail!("game {} was called off: {reason}", game + 1);
        };
        let of_bot = |bot: usize| ends[(bot + turn) % count];
        let record = if self.recorded {
            let record =
                Replayed::of(&saved)?.record(&saved).context("the match has no moves to record")?;
            Some(serde_json::from_str(&record)?)
        } else {
            None
        };
        Ok(PlayedGame {
            totals: (0..count).map(|bot| of_bot(bot).total).collect(),
            ranks: (0..count).map(|bot| of_bot(bot).placement).collect(),
            winners: ends.iter().filter(|end| end.placement == 1).count(),
            forfeits: (0..count)
                .map(|bot| Some(of_bot(bot).reason).filter(|&end| end != EndReason::Finished))
                .collect(),
            record,
        })
    }
}
