//! Matchmaking ratings: Weng-Lin, Bradley-Terry full. They are a fold over the results in order, so
//! the results alone determine them. People see the official standings instead.

mod meetings;

use rpds::RedBlackTreeMapSync;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::names::Player;
use crate::pool::Pool;
use crate::record::SeatEnd;
use crate::store::Outcome;

use meetings::Meetings;
pub use meetings::{IN_FULL, WINDOW};

/// The number of the formula: a store whose ratings were computed with another one is recomputed.
/// 1 is the first; since 2 repeated meetings count less.
pub const FORMULA: u32 = 2;

/// Chance decides much of a game, so a result says less about strength than in a game without it:
/// `beta` is twice its usual value (25 / 6).
const CONFIG: WengLinConfig = WengLinConfig { beta: 25.0 / 3.0, uncertainty_tolerance: 0.000_001 };

/// Displayed points per internal point: a new bot has 1500 points with a deviation of 500.
const SCALE: f64 = 60.0;

/// The matchmaking rating of a version in a pool. The official standings are in `standings`.
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

    /// The rating on a scale with about the same range as the official ratings.
    #[must_use]
    pub fn shown(&self) -> f64 {
        self.mean * SCALE
    }

    /// Its standard deviation, on the same scale.
    #[must_use]
    pub fn shown_deviation(&self) -> f64 {
        self.deviation * SCALE
    }

    /// The rating after a result that counts only in part.
    fn towards(&self, full: Self, weight: f64) -> Self {
        if weight >= 1.0 {
            return full;
        }
        let (old, new) = (self.deviation * self.deviation, full.deviation * full.deviation);
        let mean = self.mean + weight * (full.mean - self.mean);
        Self { mean, deviation: (old + weight * (new - old)).sqrt(), ..full }
    }

    /// The first rating of the next version: about as good, but it is not known how much.
    fn of_next_version(&self) -> Self {
        let fresh = Self::new();
        let wider = self.deviation.hypot(fresh.deviation / 2.0);
        Self { mean: self.mean, deviation: wider.min(fresh.deviation), ..fresh }
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
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// By the name of the pool. There are few, and they are looked up all the time: a scan is
    /// faster than formatting a name.
    pools: Vec<(Pool, PoolTable)>,
    /// Who met whom lately, in each pool.
    meetings: Vec<(Pool, Meetings)>,
}

/// Equal ratings.
impl PartialEq for Ladder {
    fn eq(&self, other: &Self) -> bool {
        self.pools == other.pools
    }
}

impl Ladder {
    /// The ladder after these results, in their order.
    #[must_use]
    pub fn fold<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut ladder = Self::default();
        ladder.add_all(outcomes);
        ladder
    }

    /// Adds results in their order.
    pub fn add_all<'a>(&mut self, outcomes: impl IntoIterator<Item = &'a Outcome>) {
        for outcome in outcomes {
            self.add_result(outcome.pool, &outcome.seats);
        }
    }

    /// Adds a result.
    pub fn add_result(&mut self, pool: Pool, seats: &[(Player, SeatEnd)]) {
        let (players, ends): (Vec<_>, Vec<_>) = seats.iter().cloned().unzip();
        self.add(pool, &players, &ends);
    }

    /// Adds a result. Returns the new ratings of the players.
    pub fn add(
        &mut self,
        pool: Pool,
        players: &[Player],
        ends: &[SeatEnd],
    ) -> Vec<(Player, LiveRating)> {
        let after = self.after(pool, players, ends);
        for (player, standing) in &after {
            self.set(pool, player.clone(), *standing);
        }
        self.remember(pool, players);
        after
    }

    /// Remembers who met in a result that the ratings contain already.
    pub fn remember(&mut self, pool: Pool, players: &[Player]) {
        let known = self.meetings.iter().position(|(other, _)| *other == pool);
        let known = known.unwrap_or_else(|| {
            self.meetings.push((pool, Meetings::new()));
            self.meetings.len() - 1
        });
        self.meetings[known].1.add(players);
    }

    /// How often the owners of two bots met within the last results of the pool.
    #[must_use]
    pub fn meetings(&self, pool: Pool, one: &Player, other: &Player) -> u32 {
        self.met(pool).map_or(0, |met| met.of(one, other))
    }

    fn met(&self, pool: Pool) -> Option<&Meetings> {
        self.meetings.iter().find(|(other, _)| *other == pool).map(|(_, met)| met)
    }

    /// The standings of the players after a match. What two owners play counts less the more often
    /// they have met.
    fn after(&self, pool: Pool, players: &[Player], ends: &[SeatEnd]) -> Vec<(Player, LiveRating)> {
        let before: Vec<_> = players.iter().map(|player| self.standing(pool, player)).collect();
        let weights = self.met(pool).map(|met| met.weights(players));
        let weight = |seat: usize| weights.as_ref().map_or(1.0, |weights| weights[seat]);
        let after = rate(&before, ends).into_iter().enumerate();
        let after = after.map(|(seat, full)| before[seat].towards(full, weight(seat)));
        players.iter().cloned().zip(after).collect()
    }

    /// A player's rating. A version that has not played in this pool begins at the mean of the bot's
    /// versions, weighted by their games, with the deviation of the most experienced one made wider:
    /// a new version does away with no loss.
    #[must_use]
    pub fn standing(&self, pool: Pool, player: &Player) -> LiveRating {
        let Some(table) = self.of(pool) else { return LiveRating::new() };
        if let Some(known) = table.get(player) {
            return *known;
        }
        let is_same_bot = |(other, _): &(&Player, &LiveRating)| other.bot == player.bot;
        let later = table.range(player..).take_while(is_same_bot);
        let earlier = table.range(..player).rev().take_while(is_same_bot);
        let versions: Vec<_> = later.chain(earlier).collect();
        // The name decides between equals, so that the result does not depend on any order.
        let most = versions.iter().max_by_key(|(other, known)| (known.games, &other.version));
        let Some((_, most)) = most else { return LiveRating::new() };
        let games = |known: &LiveRating| f64::from(known.games.max(1));
        let sum: f64 = versions.iter().map(|(_, known)| known.mean * games(known)).sum();
        let mean = sum / versions.iter().map(|(_, known)| games(known)).sum::<f64>();
        LiveRating { mean, ..most.of_next_version() }
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

    /// Replaces the table of a pool, and who met lately, by those of another ladder. Returns what differs: the players with
    /// their new ratings, and those that have none any more.
    pub(crate) fn replace(&mut self, pool: Pool, by: &Self) -> Vec<(Player, Option<LiveRating>)> {
        let old = self.of(pool).cloned().unwrap_or_else(PoolTable::new_sync);
        let new = by.of(pool).cloned().unwrap_or_else(PoolTable::new_sync);
        let changed = new.iter().filter(|(player, standing)| old.get(*player) != Some(*standing));
        let changed = changed.map(|(player, standing)| (player.clone(), Some(*standing)));
        let gone = old.keys().filter(|player| !new.contains_key(*player));
        let differ: Vec<_> = changed.chain(gone.map(|player| (player.clone(), None))).collect();
        for (player, standing) in &differ {
            if let Some(standing) = standing {
                self.set(pool, player.clone(), *standing);
            }
        }
        // A pool without players is not listed.
        self.pools.retain(|(other, _)| *other != pool || !new.is_empty());
        if let Some((_, table)) = self.pools.iter_mut().find(|(other, _)| *other == pool) {
            *table = new;
        }
        self.meetings.retain(|(other, _)| *other != pool);
        self.meetings.extend(by.meetings.iter().find(|(other, _)| *other == pool).cloned());
        differ
    }

    /// The pools with their tables, by name.
    pub fn pools(&self) -> impl Iterator<Item = (Pool, &PoolTable)> {
        self.pools.iter().map(|(pool, table)| (*pool, table))
    }

    fn of(&self, pool: Pool) -> Option<&PoolTable> {
        self.pools.iter().find(|(other, _)| *other == pool).map(|(_, table)| table)
    }
}

impl FromIterator<(Pool, Player, LiveRating)> for Ladder {
    fn from_iter<T: IntoIterator<Item = (Pool, Player, LiveRating)>>(ratings: T) -> Self {
        let mut ladder = Self::default();
        for (pool, player, standing) in ratings {
            ladder.set(pool, player, standing);
        }
        ladder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_version_begins_at_the_mean_of_all_versions_but_less_certain() {
        let pool: Pool = "azul-colored-2-blitz".parse().unwrap();
        let mut ladder = Ladder::default();
        let known = |mean, games| LiveRating { mean, deviation: 1.0, games, ..LiveRating::new() };
        ladder.set(pool, "ann/a@2".parse().unwrap(), known(30.0, 50));
        ladder.set(pool, "ann/a@1".parse().unwrap(), known(20.0, 10));
        ladder.set(pool, "ann/b@9".parse().unwrap(), known(99.0, 90));

        for version in ["ann/a@0", "ann/a@15", "ann/a@3"] {
            let begins = ladder.standing(pool, &version.parse().unwrap());
            assert!(
                (begins.mean - 1_700.0 / 60.0).abs() < 1e-9 && begins.games == 0,
                "{version}: {begins:?}"
            );
            assert!((4.0..5.0).contains(&begins.deviation), "{begins:?}");
        }
        assert_eq!(ladder.standing(pool, &"ann/c@1".parse().unwrap()), LiveRating::new());
    }

    /// A restart restores the ratings and the last meetings, not all results.
    #[test]
    fn ratings_continue_after_a_restart_as_if_there_had_been_none() {
        let pool: Pool = "azul-colored-2-blitz".parse().unwrap();
        let end = |placement| {
            let reason = crate::record::EndReason::Finished;
            SeatEnd { placement, reason, total: 0 }
        };
        let players: Vec<Player> =
            ["ann/a@1", "bob/b@1"].iter().map(|name| name.parse().unwrap()).collect();
        let play = |ladder: &mut Ladder, from: u32, to: u32| {
            for number in from..to {
                let ends = if number % 3 == 0 { [end(1), end(2)] } else { [end(2), end(1)] };
                ladder.add(pool, &players, &ends);
            }
        };
        let mut whole = Ladder::default();
        play(&mut whole, 0, 60);
        let mut restarted = Ladder::default();
        for player in &players {
            restarted.set(pool, player.clone(), whole.standing(pool, player));
        }
        (0..60).for_each(|_| restarted.remember(pool, &players));
        assert_eq!(whole, restarted);
        play(&mut whole, 60, 100);
        play(&mut restarted, 60, 100);
        assert_eq!(whole, restarted);
    }

    /// Two colluders in an empty pool: one always loses, as a new version each time.
    #[test]
    fn two_thousand_meetings_of_two_owners_count_no_more_than_two_hundred_others() {
        let pool: Pool = "azul-colored-2-blitz".parse().unwrap();
        let ends = [1, 2].map(|placement| {
            let reason = crate::record::EndReason::Finished;
            SeatEnd { placement, reason, total: 0 }
        });
        let gain = |meetings: u32, owner: fn(u32) -> String| {
            let mut ladder = Ladder::default();
            let ann: Player = "ann/a@1".parse().unwrap();
            for number in 0..meetings {
                // The loser begins as a new version each time, up to a hundred of them.
                let loser = format!("{}/b@{}", owner(number), number % 100).parse().unwrap();
                ladder.add(pool, &[ann.clone(), loser], &ends);
            }
            ladder.standing(pool, &ann).shown() - 1_500.0
        };
        let repeated = gain(2_000, |_| "bob".to_owned());
        let others =
            [100, 200, 2_000].map(|meetings| gain(meetings, |number| format!("bob{number}")));
        assert!(repeated <= others[1], "{repeated}, {others:?}");
    }
}
