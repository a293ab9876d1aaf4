//! The read model: what queries, pages and metrics see of the arena. It is published after every
//! commit, so it holds only what is durable. A copy shares everything with the state and is cheap;
//! readers never wait for the loop or for its disk.

use std::sync::Arc;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use crate::match_run::Match;
use crate::names::{BotId, MatchId, Player, Version};
use crate::pool::Pool;
use crate::rating::{Ladder, LiveRating};
use crate::standings::{OfficialRating, Published};
use crate::state::{BotState, RatingBasis};
use crate::store::{Filter, Pause};
use crate::time::Wall;

/// The arena at one moment.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub(crate) bots: RedBlackTreeMapSync<BotId, BotState>,
    pub(crate) online: RedBlackTreeSetSync<BotId>,
    pub(crate) ladder: Ladder,
    pub(crate) official: Arc<Published>,
    pub(crate) matches: RedBlackTreeMapSync<MatchId, Arc<Match>>,
    /// What ratings that are recomputed now are based on.
    pub(crate) rating_basis: RatingBasis,
}

/// A bot as others see it.
#[derive(Clone, Debug)]
pub struct BotView {
    pub id: BotId,
    pub house: bool,
    pub registered: Wall,
    /// With the official ratings of each version, by pool.
    pub versions: Vec<(Version, Vec<(Pool, OfficialRating)>)>,
    pub pause: Option<Pause>,
    /// Failures among its last matches.
    pub recent_failures: usize,
    pub online: bool,
}

/// A pool in which rated matches were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolView {
    pub pool: Pool,
    pub entries: usize,
    pub games: u64,
}

/// What a version has achieved in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Achieved {
    /// First places; one that n bots share counts 1/n for each.
    pub wins: f64,
    /// Matches that it forfeited.
    pub forfeits: u32,
}

impl View {
    #[must_use]
    pub fn bot(&self, bot: &BotId) -> Option<BotView> {
        let known = self.bots.get(bot)?;
        let version = |version: &Version| {
            let player = Player { bot: bot.clone(), version: version.clone() };
            (version.clone(), self.official.ratings(&player))
        };
        Some(BotView {
            id: bot.clone(),
            house: known.house,
            registered: known.registered,
            versions: known.versions.iter().map(version).collect(),
            pause: known.pause.clone(),
            recent_failures: known.recent.iter().filter(|failed| **failed).count(),
            online: self.online.contains(bot),
        })
    }

    /// A page of bots by name, and whether there are more.
    #[must_use]
    pub fn bots(&self, after: Option<&BotId>, most: usize) -> (Vec<BotView>, bool) {
        use std::ops::Bound;
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut later = self.bots.range::<BotId, _>((from, Bound::Unbounded));
        let page = later.by_ref().take(most).filter_map(|(bot, _)| self.bot(bot)).collect();
        (page, later.next().is_some())
    }

    /// The pools in which rated matches were played, by name.
    pub fn pools(&self) -> impl Iterator<Item = PoolView> {
        self.ladder.pools().map(|(pool, table)| {
            let seats: u64 = table.values().map(|standing| u64::from(standing.games)).sum();
            PoolView { pool, entries: table.size(), games: seats / pool.players() as u64 }
        })
    }

    /// The wins and forfeits of a version.
    #[must_use]
    pub fn achieved(&self, pool: Pool, player: &Player) -> Achieved {
        let LiveRating { wins, forfeits, .. } = self.ladder.standing(pool, player);
        Achieved { wins, forfeits }
    }

    /// A match that is not over.
    #[must_use]
    pub fn running(&self, id: &MatchId) -> Option<&Arc<Match>> {
        self.matches.get(id)
    }

    /// Matches of this bot and pool that are not over, the newest first.
    #[must_use]
    pub fn all_running(&self, filter: &Filter) -> Vec<Arc<Match>> {
        let Filter { bot, pool, status: _ } = filter;
        let fits = |run: &&Arc<Match>| {
            // A search for a bot must not say who meets whom before the match begins.
            bot.as_ref().is_none_or(|bot| !run.hides_seats() && run.seat_of(bot).is_some())
                && pool.is_none_or(|pool| run.spec().pool == pool)
        };
        let mut found: Vec<_> = self.matches.values().filter(fits).cloned().collect();
        found.sort_by_key(|run| std::cmp::Reverse((run.spec().called, run.spec().id.clone())));
        found
    }
}
