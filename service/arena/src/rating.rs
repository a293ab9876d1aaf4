//! Live ratings: Weng-Lin, Bradley-Terry full. They are a fold over the results in order, so the
//! results alone determine them.

use rpds::RedBlackTreeMapSync;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::names::Player;
use crate::pool::Pool;
use crate::record::SeatEnd;
use crate::store::Outcome;

/// Chance decides much of a game, so a result says less about strength than in a game without it:
/// `beta` is twice its usual value (25 / 6).
const CONFIG: WengLinConfig = WengLinConfig { beta: 25.0 / 3.0, uncertainty_tolerance: 0.000_001 };

/// Displayed points per internal point: a new bot has 1500 points with a deviation of 500.
const SCALE: f64 = 60.0;

/// The live rating of a version in a pool. The official standings are in `standings`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveRating {
    /// Mean of the estimate.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    pub games: u32,
    /// First places; one that n bots share counts 1/n for each.
    pub wins: f64,
    /// Matches that it forfeited.
    pub forfeits: u32,
}

impl LiveRating {
    #[must_use]
    pub fn new() -> Self {
        let fresh = WengLinRating::new();
        Self { mean: fresh.rating, deviation: fresh.uncertainty, games: 0, wins: 0.0, forfeits: 0 }
    }

    /// The rating on the scale that people see.
    #[must_use]
    pub fn shown(&self) -> f64 {
        self.mean * SCALE
    }

    /// Its standard deviation, on the same scale.
    #[must_use]
    pub fn shown_deviation(&self) -> f64 {
        self.deviation * SCALE
    }

    /// The first rating of the next version: about as good, but it is not known how much.
    fn of_next_version(&self) -> Self {
        let fresh = Self::new();
        let wider = self.deviation.hypot(fresh.deviation / 2.0);
        Self { mean: self.mean, deviation: wider.min(fresh.deviation), ..fresh }
    }

    /// The sort key of the ladder: a rating that is very likely not too high.
    #[must_use]
    pub fn safe(&self) -> f64 {
        self.shown() - 2.0 * self.shown_deviation()
    }
}

impl Default for LiveRating {
    fn default() -> Self {
        Self::new()
    }
}

/// The ratings after a match, by seat. Equal placements count as half a win for each of the two:
/// `weng_lin_multi_team` does that. `wins` is only for display.
#[must_use]
pub fn rate(before: &[LiveRating], ends: &[SeatEnd]) -> Vec<LiveRating> {
    let ratings: Vec<[WengLinRating; 1]> = before
        .iter()
        .map(|old| [WengLinRating { rating: old.mean, uncertainty: old.deviation }])
        .collect();
    let places: Vec<(&[WengLinRating], MultiTeamOutcome)> = ratings
        .iter()
        .zip(ends)
        .map(|(rating, end)| (&rating[..], MultiTeamOutcome::new(usize::from(end.placement))))
        .collect();
    let after = weng_lin_multi_team(&places, &CONFIG);
    let winners = ends.iter().map(|end| u32::from(end.placement == 1)).sum::<u32>();
    let rated = |(seat, team): (usize, Vec<WengLinRating>)| {
        let (old, end) = (before[seat], ends[seat]);
        let won = if end.placement == 1 { 1.0 / f64::from(winners) } else { 0.0 };
        LiveRating {
            mean: team[0].rating,
            deviation: team[0].uncertainty,
            games: old.games + 1,
            wins: old.wins + won,
            forfeits: old.forfeits + u32::from(end.reason.is_forfeit()),
        }
    };
    after.into_iter().enumerate().map(rated).collect()
}

/// The ratings of one pool.
pub type PoolTable = RedBlackTreeMapSync<Player, LiveRating>;

/// All ratings: one table for each pool. A copy is cheap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ladder {
    /// By the name of the pool. There are few, and they are looked up all the time: a scan is
    /// faster than formatting a name.
    pools: Vec<(Pool, PoolTable)>,
}

impl Ladder {
    /// The ladder after these results, in their order.
    #[must_use]
    pub fn fold<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut ladder = Self::default();
        for outcome in outcomes {
            let (players, ends): (Vec<_>, Vec<_>) = outcome.seats.iter().cloned().unzip();
            for (player, standing) in ladder.after(outcome.pool, &players, &ends) {
                ladder.set(outcome.pool, player, standing);
            }
        }
        ladder
    }

    /// The standings of the players after a match.
    #[must_use]
    pub fn after(
        &self,
        pool: Pool,
        players: &[Player],
        ends: &[SeatEnd],
    ) -> Vec<(Player, LiveRating)> {
        let before: Vec<_> = players.iter().map(|player| self.standing(pool, player)).collect();
        players.iter().cloned().zip(rate(&before, ends)).collect()
    }

    /// A player's rating. A version that has not played in this pool begins where the bot's most
    /// experienced version is, but less certain: a bot cannot start afresh with a new version.
    #[must_use]
    pub fn standing(&self, pool: Pool, player: &Player) -> LiveRating {
        let Some(table) = self.of(pool) else { return LiveRating::new() };
        if let Some(known) = table.get(player) {
            return *known;
        }
        let is_same_bot = |(other, _): &(&Player, &LiveRating)| other.bot == player.bot;
        let later = table.range(player..).take_while(is_same_bot);
        let earlier = table.range(..player).rev().take_while(is_same_bot);
        let versions = later.chain(earlier);
        // The name decides between equals, so that the result does not depend on any order.
        let most = versions.max_by_key(|(other, known)| (known.games, other.version.clone()));
        most.map_or_else(LiveRating::new, |(_, known)| known.of_next_version())
    }

    pub fn set(&mut self, pool: Pool, player: Player, standing: LiveRating) {
        let index = self.pools.iter().position(|(other, _)| *other == pool);
        let index = index.unwrap_or_else(|| {
            let name = pool.to_string();
            let index = self.pools.partition_point(|(other, _)| other.to_string() < name);
            self.pools.insert(index, (pool, PoolTable::new_sync()));
            index
        });
        self.pools[index].1.insert_mut(player, standing);
    }

    /// The pools with their tables, by name.
    pub fn pools(&self) -> impl Iterator<Item = (Pool, &PoolTable)> {
        self.pools.iter().map(|(pool, table)| (*pool, table))
    }

    /// The table of a pool, the best first.
    #[must_use]
    pub fn table(&self, pool: Pool) -> Vec<(Player, LiveRating)> {
        let players = self.of(pool).into_iter().flatten();
        let mut rows: Vec<_> =
            players.map(|(player, standing)| (player.clone(), *standing)).collect();
        // The sort is stable: equal entries stay ordered by name.
        rows.sort_by(|(_, a), (_, b)| b.safe().total_cmp(&a.safe()));
        rows
    }

    fn of(&self, pool: Pool) -> Option<&PoolTable> {
        self.pools.iter().find(|(other, _)| *other == pool).map(|(_, table)| table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_version_begins_where_the_most_experienced_one_is_but_less_certain() {
        let pool: Pool = "azul-colored-2-blitz".parse().unwrap();
        let mut ladder = Ladder::default();
        let known = |mean, games| LiveRating { mean, deviation: 1.0, games, ..LiveRating::new() };
        ladder.set(pool, "ann/a@2".parse().unwrap(), known(30.0, 50));
        ladder.set(pool, "ann/a@1".parse().unwrap(), known(20.0, 10));
        ladder.set(pool, "ann/b@9".parse().unwrap(), known(99.0, 90));

        for version in ["ann/a@0", "ann/a@15", "ann/a@3"] {
            let begins = ladder.standing(pool, &version.parse().unwrap());
            assert!(
                (begins.mean - 30.0).abs() < 1e-9 && begins.games == 0,
                "{version}: {begins:?}"
            );
            assert!((4.0..5.0).contains(&begins.deviation), "{begins:?}");
        }
        assert_eq!(ladder.standing(pool, &"ann/c@1".parse().unwrap()), LiveRating::new());
    }
}
