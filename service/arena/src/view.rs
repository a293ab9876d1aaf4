//! The read model: what queries, pages and metrics see of the arena. It is published after every
//! commit, so it holds only what is durable. A copy shares everything with the state and is cheap;
//! readers never wait for the loop or for its disk.

use std::sync::Arc;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use crate::cursor::Cursor;
use crate::match_run::Match;
use crate::names::{BotId, MatchId, Player, Version};
use crate::pool::Pool;
use crate::rating::{Ladder, LiveRating};
use crate::state::BotState;
use crate::store::{Filter, Pause};
use crate::time::Wall;

/// The arena at one moment.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub(crate) bots: RedBlackTreeMapSync<BotId, BotState>,
    pub(crate) online: RedBlackTreeSetSync<BotId>,
    pub(crate) ladder: Ladder,
    pub(crate) matches: RedBlackTreeMapSync<MatchId, Arc<Match>>,
}

/// A bot as others see it.
#[derive(Clone, Debug)]
pub struct BotView {
    pub id: BotId,
    pub house: bool,
    pub registered: Wall,
    /// With the ratings of each version, by pool.
    pub versions: Vec<(Version, Vec<(Pool, LiveRating)>)>,
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

/// A line of the ladder.
#[derive(Clone, Debug)]
pub struct LadderLine {
    /// From 1.
    pub rank: usize,
    pub player: Player,
    pub standing: LiveRating,
    pub house: bool,
}

impl View {
    #[must_use]
    pub fn bot(&self, bot: &BotId) -> Option<BotView> {
        let known = self.bots.get(bot)?;
        let version = |version: &Version| {
            let player = Player { bot: bot.clone(), version: version.clone() };
            let rated = self.ladder.pools();
            let rated = rated.filter_map(|(pool, table)| Some((pool, *table.get(&player)?)));
            (version.clone(), rated.collect())
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

    /// A page of a pool's ladder, and where the next one begins.
    #[must_use]
    pub fn ladder(
        &self,
        pool: Pool,
        after: Option<&Cursor>,
        most: usize,
    ) -> (Vec<LadderLine>, Option<Cursor>) {
        let table = self.ladder.table(pool);
        let is_later = |(player, standing): &(Player, LiveRating)| {
            after.is_none_or(|last| last.is_before(standing.safe(), player))
        };
        let skip = table.iter().position(is_later).unwrap_or(table.len());
        let next = (table.len() > skip + most).then(|| {
            let (player, standing) = &table[skip + most - 1];
            Cursor { key: standing.safe(), player: player.clone() }
        });
        let line = |(index, (player, standing)): (usize, (Player, LiveRating))| LadderLine {
            rank: index + 1,
            house: self.bots.get(&player.bot).is_some_and(|known| known.house),
            player,
            standing,
        };
        (table.into_iter().enumerate().skip(skip).take(most).map(line).collect(), next)
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
            bot.as_ref().is_none_or(|bot| run.seat_of(bot).is_some())
                && pool.is_none_or(|pool| run.spec().pool == pool)
        };
        let mut found: Vec<_> = self.matches.values().filter(fits).cloned().collect();
        found.sort_by_key(|run| std::cmp::Reverse((run.spec().called, run.spec().id.clone())));
        found
    }
}
