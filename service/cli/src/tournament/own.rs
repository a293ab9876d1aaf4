//! Games with bots of one's own: played in an arena inside this process, as many at a time as every
//! bot offers.

use anyhow::{Context, Result, bail};
use azulejo_arena::desk::Arena;
use azulejo_arena::document;
use azulejo_arena::match_run::Match as Run;
use azulejo_arena::moment::Time;
use azulejo_arena::names::BotId;
use azulejo_arena::pool::Pool;
use azulejo_arena::record::EndReason;
use futures_util::{StreamExt as _, TryStreamExt as _};
use indicatif::ProgressBar;

use super::Match;
use super::play::Played;
use crate::author::{Sitting, Team, challenge, ended, gather, verdict};
use crate::seats::{Player, own_bots};

impl Match {
    pub(super) async fn play_in_arena(
        &self,
        players: &[Player],
        names: &[String],
        bar: &ProgressBar,
    ) -> Result<Vec<Played>> {
        let Some((programs, seats)) = own_bots(players, names) else {
            bail!("a person plays with `azulejo play`; a match is for bots");
        };
        let ruleset = self.rules.ruleset(players.len())?;
        let pool = Pool { ruleset, time_class: self.running.time.into() };
        let mut team = gather(&programs, &self.running).await?;
        let at_once = self.jobs.map_or(usize::MAX, usize::from).min(team.at_once());
        let table = Table {
            arena: team.arena.arena.clone(),
            ids: team.ids(),
            seats,
            pool,
            recorded: self.records.is_some(),
        };
        let games = futures_util::stream::iter(0..self.games)
            .map(|game| table.play(game, bar))
            .buffered(at_once)
            .try_collect();
        let played = Team::unless_one_ends(&mut team.bots, games).await?;
        team.disband().await;
        Ok(played)
    }
}

/// Who meets, and where.
struct Table {
    arena: Arena,
    ids: Vec<BotId>,
    /// By bot.
    seats: Vec<Sitting>,
    pool: Pool,
    recorded: bool,
}

impl Table {
    async fn play(&self, game: u64, bar: &ProgressBar) -> Result<Played> {
        let count = self.seats.len();
        let turn = usize::try_from(game % count as u64).unwrap_or(0);
        // Bot `b` sits on seat `(b + turn) % count`, so everyone starts equally often.
        let seats: Vec<Sitting> =
            (0..count).map(|seat| self.seats[(seat + count - turn) % count]).collect();
        let id = challenge(&self.arena, &self.ids, &seats, self.pool).await?;
        let saved = ended(&self.arena, &id).await?;
        bar.inc(1);
        let Some(ends) = verdict::seats(&saved) else {
            let why = verdict::why_void(&saved).unwrap_or_default();
            bail!("game {} was called off: {why}", game + 1);
        };
        let of_bot = |bot: usize| ends[(bot + turn) % count];
        let record = if self.recorded {
            let run = Run::replay(&saved, Time::default())?;
            let record = document::of(&saved, &run).context("nothing was played")?;
            Some(serde_json::from_str(&record)?)
        } else {
            None
        };
        Ok(Played {
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
