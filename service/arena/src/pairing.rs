//! Who meets whom: the neediest first, then opponents near in rating with a heavy tail, never two
//! bots of one owner, and a house bot at about one table in ten.

use std::time::Duration;

use crate::names::Player;
use crate::pool::Pool;
use crate::rating::Standing;

/// Chance, as it is given to the arena.
pub trait Dice {
    /// A number from 0 up to, but not including, 1.
    fn unit(&mut self) -> f64;

    /// A number below `end`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a handful of bots"
    )]
    fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f64) as usize).min(end.saturating_sub(1))
    }
}

/// A bot that would play.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub player: Player,
    pub house: bool,
    /// Pools in which it would play, with its standing there.
    pub pools: Vec<(Pool, Standing)>,
    /// Matches that it would take on now; none if it is busy.
    pub free: u32,
    /// How long it has had a free place.
    pub waited: Duration,
}

/// A table to call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub pool: Pool,
    /// By seat.
    pub players: Vec<Player>,
}

/// At so many tables a house bot is asked for, so that all pools share one scale.
const ANCHORED: f64 = 0.1;

/// So long a bot waits for a table where it is least known, if there are enough bots for one.
const PATIENCE: Duration = Duration::from_secs(3);

/// The next table, if there is one; the places at it are taken.
pub fn next_table(candidates: &mut [Candidate], dice: &mut impl Dice) -> Option<Table> {
    let mut order: Vec<usize> =
        (0..candidates.len()).filter(|&index| candidates[index].free > 0).collect();
    let needs: Vec<f64> = candidates.iter().map(|candidate| need(candidate, dice)).collect();
    order.sort_by(|&a, &b| needs[b].total_cmp(&needs[a]));
    for &first in &order {
        let mut pools = candidates[first].pools.clone();
        shuffle(&mut pools, dice);
        // Where it is least known first.
        pools.sort_by_key(|(_, standing)| standing.games / 3);
        for (pool, standing) in pools {
            if let Some(seats) = opponents(candidates, first, pool, standing, dice) {
                return Some(seat(candidates, first, &seats, pool, dice));
            }
            // Large tables would never come about if everyone took the first small one.
            if candidates[first].waited < PATIENCE && may_fill(candidates, first, pool) {
                break;
            }
        }
    }
    None
}

/// Takes the places of those who meet.
fn seat(
    candidates: &mut [Candidate],
    first: usize,
    others: &[usize],
    pool: Pool,
    dice: &mut impl Dice,
) -> Table {
    let mut players = Vec::new();
    for &seat in [first].iter().chain(others) {
        candidates[seat].free -= 1;
        players.push(candidates[seat].player.clone());
    }
    shuffle(&mut players, dice);
    Table { pool, players }
}

/// Whether there are enough bots for this pool, once they are free.
fn may_fill(candidates: &[Candidate], first: usize, pool: Pool) -> bool {
    let mut table = vec![first];
    for index in 0..candidates.len() {
        let offers = candidates[index].pools.iter().any(|(offered, _)| *offered == pool);
        let fits = table.iter().all(|&seat| may_meet(&candidates[seat], &candidates[index]));
        if offers && fits {
            table.push(index);
        }
    }
    table.len() >= pool.players()
}

/// Large where little is known, or where one has waited for long.
fn need(candidate: &Candidate, dice: &mut impl Dice) -> f64 {
    let unknown = candidate.pools.iter().map(|(_, standing)| standing.deviation);
    let unknown = unknown.fold(0.0, f64::max);
    // The house is there for others: it waits until nobody else does.
    let rank = if candidate.house { 0.0 } else { 1_000.0 };
    rank + unknown + candidate.waited.as_secs_f64() + dice.unit()
}

/// Enough opponents in this pool, each the nearest to a rating drawn around that of the first.
fn opponents(
    candidates: &[Candidate],
    first: usize,
    pool: Pool,
    standing: Standing,
    dice: &mut impl Dice,
) -> Option<Vec<usize>> {
    let mut found: Vec<usize> = Vec::new();
    let wants_anchor = dice.unit() < ANCHORED;
    while found.len() + 1 < pool.players() {
        let aim = standing.mean + spread(dice);
        let no_anchor_yet =
            !candidates[first].house && !found.iter().any(|&seat| candidates[seat].house);
        let fits = |index: usize, anchor: bool| {
            index != first
                && !found.contains(&index)
                && candidates[index].free > 0
                && (!anchor || candidates[index].house)
                && [first]
                    .iter()
                    .chain(&found)
                    .all(|&seat| may_meet(&candidates[seat], &candidates[index]))
        };
        let distance = |index: usize| {
            let (_, other) = candidates[index].pools.iter().find(|(other, _)| *other == pool)?;
            Some((other.mean - aim).abs())
        };
        let nearest = |anchor: bool| {
            let all = (0..candidates.len()).filter(|&index| fits(index, anchor));
            let all = all.filter_map(|index| Some((distance(index)?, index)));
            all.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, index)| index)
        };
        let anchor = (wants_anchor && no_anchor_yet).then(|| nearest(true)).flatten();
        found.push(anchor.or_else(|| nearest(false))?);
    }
    Some(found)
}

fn may_meet(a: &Candidate, b: &Candidate) -> bool {
    a.player.bot != b.player.bot
        && ((a.house && b.house) || a.player.bot.owner() != b.player.bot.owner())
}

/// Mostly small, sometimes large, on the scale of the estimates.
fn spread(dice: &mut impl Dice) -> f64 {
    let sign = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
    sign * 5.0 * (1.0 / (0.01 + dice.unit()).powf(0.65) - 1.0).max(0.0)
}

pub fn shuffle<T>(items: &mut [T], dice: &mut impl Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A small generator of its own: the same numbers on every machine.
    struct Lcg(u64);

    impl Dice for Lcg {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((self.0 >> 33) as u32) / f64::from(1_u32 << 31)
        }
    }

    fn candidate(name: &str, mean: f64, pool: Pool) -> Candidate {
        let standing = Standing { mean, ..Standing::new() };
        Candidate {
            player: Player { bot: name.parse().unwrap(), version: "1".parse().unwrap() },
            house: name.starts_with("house/"),
            pools: vec![(pool, standing)],
            free: 1,
            waited: Duration::ZERO,
        }
    }

    fn pool(players: usize) -> Pool {
        format!("azul-colored-{players}-blitz").parse().unwrap()
    }

    #[test]
    fn two_bots_of_one_owner_never_meet() {
        let two = pool(2);
        let mut bots = vec![candidate("ann/a", 25.0, two), candidate("ann/b", 25.0, two)];
        assert_eq!(next_table(&mut bots, &mut Lcg(1)), None);
        bots.push(candidate("bob/a", 25.0, two));
        let table = next_table(&mut bots, &mut Lcg(1)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "bob/a"));
    }

    #[test]
    fn house_bots_may_meet_each_other_but_come_last() {
        let two = pool(2);
        let mut bots = vec![candidate("house/a", 25.0, two), candidate("house/b", 25.0, two)];
        assert!(next_table(&mut bots.clone(), &mut Lcg(1)).is_some());
        bots.push(candidate("ann/a", 25.0, two));
        let table = next_table(&mut bots, &mut Lcg(1)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "ann/a"));
    }

    #[test]
    fn opponents_are_mostly_near_and_sometimes_far() {
        let two = pool(2);
        let mut dice = Lcg(7);
        let mut met: BTreeMap<String, u32> = BTreeMap::new();
        for _ in 0..1_000 {
            let mut bots = vec![
                candidate("ann/a", 25.0, two),
                candidate("near/a", 26.0, two),
                candidate("far/a", 45.0, two),
            ];
            bots[0].waited = Duration::from_secs(1_000);
            let table = next_table(&mut bots, &mut dice).unwrap();
            for player in table.players {
                *met.entry(player.bot.to_string()).or_default() += 1;
            }
        }
        assert_eq!(met["ann/a"], 1_000);
        assert!(met["near/a"] > 800, "{met:?}");
        assert!(met["far/a"] > 10, "{met:?}");
    }

    #[test]
    fn a_table_has_as_many_different_bots_as_the_pool_has_players() {
        let four = pool(4);
        let names = ["a/a", "b/b", "c/c", "d/d", "e/e"];
        let mut bots: Vec<_> = names.iter().map(|name| candidate(name, 25.0, four)).collect();
        let table = next_table(&mut bots, &mut Lcg(3)).unwrap();
        let mut players = table.players.clone();
        players.sort();
        players.dedup();
        assert_eq!(players.len(), 4);
        assert_eq!(bots.iter().map(|bot| bot.free).sum::<u32>(), 1);
        assert_eq!(next_table(&mut bots, &mut Lcg(3)), None, "nobody is left");
    }

    #[test]
    fn a_large_table_is_waited_for_if_there_are_enough_bots_but_not_for_ever() {
        let (two, four) = (pool(2), pool(4));
        let known = Standing { games: 50, ..Standing::new() };
        let mut bots: Vec<_> = ["a/a", "b/b", "c/c", "d/d"]
            .iter()
            .map(|name| {
                let mut bot = candidate(name, 25.0, four);
                bot.pools.push((two, known));
                bot
            })
            .collect();
        (bots[2].free, bots[3].free) = (0, 0);

        assert_eq!(next_table(&mut bots.clone(), &mut Lcg(5)), None, "two are still busy");
        let mut later = bots.clone();
        for bot in &mut later {
            bot.waited = PATIENCE;
        }
        assert_eq!(next_table(&mut later, &mut Lcg(5)).unwrap().pool, two);
        bots.truncate(3);
        assert_eq!(next_table(&mut bots, &mut Lcg(5)).unwrap().pool, two, "never enough for four");
    }

    #[test]
    fn whoever_waits_longest_plays_first() {
        let two = pool(2);
        let mut bots: Vec<_> =
            ["a/a", "b/b", "c/c", "d/d"].iter().map(|name| candidate(name, 25.0, two)).collect();
        bots[2].waited = Duration::from_mins(1);
        let table = next_table(&mut bots, &mut Lcg(5)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "c/c"));
    }
}
