//! The next table.

use std::time::Duration;

use super::{Candidate, Dice, Table, shuffle};
use crate::pool::Pool;
use crate::rating::{Ladder, Standing};
use crate::record::SeatReason;

/// At one of so many tables a house bot is asked for, so that all pools share one scale.
const ANCHORED: u32 = 10;

/// So long a bot waits for a table where it is least known, if there are enough bots for one.
const PATIENCE: Duration = Duration::from_secs(3);

/// An opponent, and why it was chosen.
struct Chosen {
    index: usize,
    reason: SeatReason,
    why: String,
}

/// The next table, if there is one; the places at it are taken.
pub(super) fn next_table(
    candidates: &mut [Candidate],
    ladder: &Ladder,
    dice: &mut impl Dice,
) -> Option<Table> {
    let mut order: Vec<(f64, usize)> = (0..candidates.len())
        .filter(|&index| may_host(&candidates[index]))
        .map(|index| (need(&candidates[index], ladder, dice), index))
        .collect();
    order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for &(_, first) in &order {
        let player = &candidates[first].player;
        let mut pools: Vec<(Pool, Standing)> = Vec::with_capacity(candidates[first].pools.len());
        pools.extend(candidates[first].pools.iter().map(|&p| (p, ladder.standing(p, player))));
        shuffle(&mut pools, dice);
        // Where it is least known first.
        pools.sort_by_key(|(_, standing)| standing.games / 3);
        for (pool, standing) in pools {
            let table = Search { candidates, ladder, pool, first, standing };
            if let Some(chosen) = table.opponents(dice) {
                return Some(seat(candidates, first, &chosen, (pool, standing), dice));
            }
            // Large tables would never come about if everyone took the first small one.
            if candidates[first].waited < PATIENCE && may_fill(candidates, first, pool, true) {
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
    chosen: &[Chosen],
    (pool, standing): (Pool, Standing),
    dice: &mut impl Dice,
) -> Table {
    let host = &candidates[first];
    let mut why = format!(
        "{} needed a match most: {:.0} ± {:.0} after {} matches in this pool, waited {:.1} s",
        host.player,
        standing.shown(),
        2.0 * standing.shown_deviation(),
        standing.games,
        host.waited.as_secs_f64(),
    );
    let mut seats = vec![(host.player.clone(), SeatReason::NeedsMatch)];
    candidates[first].free -= 1;
    for Chosen { index, reason, why: figures } in chosen {
        candidates[*index].free -= 1;
        seats.push((candidates[*index].player.clone(), *reason));
        why.push_str("; ");
        why.push_str(figures);
    }
    shuffle(&mut seats, dice);
    let (players, reasons) = seats.into_iter().unzip();
    Table { pool, players, reasons, why }
}

/// Whether there are enough bots for this pool, once they are free; without the house, or with it.
fn may_fill(candidates: &[Candidate], first: usize, pool: Pool, with_house: bool) -> bool {
    let mut table = vec![first];
    for index in 0..candidates.len() {
        if table.len() >= pool.players() {
            break;
        }
        let fits = table.iter().all(|&seat| may_meet(&candidates[seat], &candidates[index]));
        let counts = with_house || !candidates[index].house;
        if fits && counts && candidates[index].pools.contains(&pool) {
            table.push(index);
        }
    }
    table.len() >= pool.players()
}

/// Among itself the house plays with half of its places only: the others are for guests.
const fn may_host(candidate: &Candidate) -> bool {
    candidate.free > 0 && (!candidate.house || 2 * candidate.free > candidate.places)
}

/// Large where little is known, or where one has waited for long.
fn need(candidate: &Candidate, ladder: &Ladder, dice: &mut impl Dice) -> f64 {
    let player = &candidate.player;
    let unknown = candidate.pools.iter().map(|&pool| ladder.standing(pool, player).deviation);
    let unknown = unknown.fold(0.0, f64::max);
    // The house is there for others: it waits until nobody else does.
    let rank = if candidate.house { 0.0 } else { 1_000.0 };
    rank + unknown + candidate.waited.as_secs_f64() + dice.unit()
}

/// The search for opponents of the first, in one pool.
struct Search<'a> {
    candidates: &'a [Candidate],
    ladder: &'a Ladder,
    pool: Pool,
    first: usize,
    standing: Standing,
}

impl Search<'_> {
    /// Enough of them, each the nearest to a rating drawn around that of the first.
    fn opponents(&self, dice: &mut impl Dice) -> Option<Vec<Chosen>> {
        let willing = self.willing();
        let mut found: Vec<Chosen> = Vec::new();
        let host = &self.candidates[self.first];
        let wants_anchor = self.wants_anchor();
        // The house stands in where others are missing, but others are waited for: longer for more.
        let missing = u32::try_from(self.pool.players() - 1).unwrap_or_default();
        let house_stands_in = host.house
            || host.waited >= PATIENCE * missing
            || !may_fill(self.candidates, self.first, self.pool, false);
        while found.len() + 1 < self.pool.players() {
            let aim = Standing { mean: self.standing.mean + spread(dice), ..self.standing };
            let nearest = |house: bool| {
                let fits = willing.iter().filter(|(index, _)| self.fits(*index, &found, house));
                let distance = |other: &Standing| (other.mean - aim.mean).abs();
                fits.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))
            };
            let anchor = if wants_anchor && found.is_empty() { nearest(true) } else { None };
            // The house itself asks nobody: whoever wants to meet it does so when his turn comes.
            let others = || if host.house { None } else { nearest(false) };
            let guest = anchor.or_else(others);
            let stand_in = || if house_stands_in { nearest(true) } else { None };
            let &(index, other) = guest.or_else(stand_in)?;
            let (reason, role) = match (anchor.is_some(), guest.is_some()) {
                (true, _) => (SeatReason::Anchor, "house bot as an anchor, nearest"),
                (_, true) => (SeatReason::NearRating, "nearest"),
                (_, false) => (SeatReason::StandIn, "house bot because no other is free, nearest"),
            };
            let player = &self.candidates[index].player;
            let why = format!("{player} at {:.0}, {role} to {:.0}", other.shown(), aim.shown());
            found.push(Chosen { index, reason, why });
        }
        Some(found)
    }

    /// No dice: whoever asks again and again until there is a table would throw them as often.
    fn wants_anchor(&self) -> bool {
        let host = &self.candidates[self.first];
        let blocks = self.standing.games / u32::try_from(self.pool.players()).unwrap_or(1);
        let name: u32 = host.player.bot.as_str().bytes().map(u32::from).sum();
        !host.house && (blocks + name).is_multiple_of(ANCHORED)
    }

    /// Everyone else who would play here now.
    fn willing(&self) -> Vec<(usize, Standing)> {
        let others = self.candidates.iter().enumerate();
        others
            .filter(|(index, other)| {
                *index != self.first && other.free > 0 && other.pools.contains(&self.pool)
            })
            .map(|(index, other)| (index, self.ladder.standing(self.pool, &other.player)))
            .collect()
    }

    fn fits(&self, index: usize, found: &[Chosen], house: bool) -> bool {
        let other = &self.candidates[index];
        let mut seated = [self.first].into_iter().chain(found.iter().map(|chosen| chosen.index));
        let host_is_house = self.candidates[self.first].house;
        other.house == house
            && (!host_is_house || may_host(other))
            && seated.all(|seat| seat != index && may_meet(&self.candidates[seat], other))
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::names::Player;

    /// A small generator of its own: the same numbers on every machine.
    struct Lcg(u64);

    impl Dice for Lcg {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((self.0 >> 33) as u32) / f64::from(1_u32 << 31)
        }
    }

    fn candidate(name: &str, pool: Pool) -> Candidate {
        Candidate {
            player: Player { bot: name.parse().unwrap(), version: "1".parse().unwrap() },
            house: name.starts_with("house/"),
            pools: vec![pool],
            places: 1,
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
        let mut bots = vec![candidate("ann/a", two), candidate("ann/b", two)];
        assert_eq!(next_table(&mut bots, &Ladder::default(), &mut Lcg(1)), None);
        bots.push(candidate("bob/a", two));
        let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "bob/a"));
    }

    #[test]
    fn house_bots_may_meet_each_other_but_come_last() {
        let two = pool(2);
        let mut bots = vec![candidate("house/a", two), candidate("house/b", two)];
        assert!(next_table(&mut bots.clone(), &Ladder::default(), &mut Lcg(1)).is_some());
        bots.push(candidate("ann/a", two));
        let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "ann/a"));
    }

    #[test]
    fn opponents_are_mostly_near_and_sometimes_far() {
        let two = pool(2);
        let mut dice = Lcg(7);
        let mut met: BTreeMap<String, u32> = BTreeMap::new();
        let mut ladder = Ladder::default();
        for (name, mean) in [("near/a", 26.0), ("far/a", 45.0)] {
            let standing = Standing { mean, ..Standing::new() };
            ladder.set(two, candidate(name, two).player, standing);
        }
        for _ in 0..1_000 {
            let mut bots =
                vec![candidate("ann/a", two), candidate("near/a", two), candidate("far/a", two)];
            bots[0].waited = Duration::from_secs(1_000);
            let table = next_table(&mut bots, &ladder, &mut dice).unwrap();
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
        let mut bots: Vec<_> = names.iter().map(|name| candidate(name, four)).collect();
        let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(3)).unwrap();
        let mut players = table.players.clone();
        players.sort();
        players.dedup();
        assert_eq!(players.len(), 4);
        assert_eq!(bots.iter().map(|bot| bot.free).sum::<u32>(), 1);
        assert_eq!(next_table(&mut bots, &Ladder::default(), &mut Lcg(3)), None, "nobody is left");
    }

    #[test]
    fn a_large_table_is_waited_for_if_there_are_enough_bots_but_not_for_ever() {
        let (two, four) = (pool(2), pool(4));
        let known = Standing { games: 50, ..Standing::new() };
        let mut bots: Vec<_> = ["a/a", "b/b", "c/c", "d/d"]
            .iter()
            .map(|name| {
                let mut bot = candidate(name, four);
                bot.pools.push(two);
                bot
            })
            .collect();
        let mut ladder = Ladder::default();
        for bot in &bots {
            ladder.set(two, bot.player.clone(), known);
        }
        (bots[2].free, bots[3].free) = (0, 0);

        assert_eq!(next_table(&mut bots.clone(), &ladder, &mut Lcg(5)), None, "two are still busy");
        let mut later = bots.clone();
        for bot in &mut later {
            bot.waited = PATIENCE;
        }
        assert_eq!(next_table(&mut later, &ladder, &mut Lcg(5)).unwrap().pool, two);
        bots.truncate(3);
        assert_eq!(
            next_table(&mut bots, &ladder, &mut Lcg(5)).unwrap().pool,
            two,
            "never enough for four"
        );
    }

    #[test]
    fn whoever_waits_longest_plays_first() {
        let two = pool(2);
        let mut bots: Vec<_> =
            ["a/a", "b/b", "c/c", "d/d"].iter().map(|name| candidate(name, two)).collect();
        bots[2].waited = Duration::from_mins(1);
        let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(5)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "c/c"));
    }

    #[test]
    fn a_table_says_why_it_came_about() {
        let two = pool(2);
        let mut ladder = Ladder::default();
        let mut bots = vec![candidate("ann/a", two), candidate("bob/b", two)];
        bots[0].waited = Duration::from_millis(2_500);
        let known = Standing { mean: 26.0, ..Standing::new() };
        ladder.set(two, bots[1].player.clone(), known);
        let table = next_table(&mut bots, &ladder, &mut Lcg(5)).unwrap();
        let (host, opponent) = table.why.split_once("; ").unwrap();
        let expected =
            "ann/a@1 needed a match most: 1500 ± 1000 after 0 matches in this pool, waited 2.5 s";
        assert_eq!(host, expected);
        assert!(opponent.starts_with("bob/b@1 at 1560, nearest to "), "{opponent}");
        let seat = table.players.iter().position(|player| player.bot.as_str() == "ann/a").unwrap();
        assert_eq!(table.reasons[seat], SeatReason::NeedsMatch);
        assert_eq!(table.reasons[1 - seat], SeatReason::NearRating);
    }
}
