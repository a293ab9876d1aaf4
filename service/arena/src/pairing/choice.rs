//! The choice of the next table.

use std::time::Duration;

use super::{Candidate, Dice, Table, shuffle};
use crate::pool::Pool;
use crate::rating::{Ladder, LiveRating};
use crate::record::SeatReason;

/// One table in this many asks for a house bot, so that all pools share one scale.
const TABLES_PER_ANCHOR: u32 = 10;

/// How long a bot waits for a table in the pool in which it has played least, if there are enough
/// bots for one.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// An opponent, and why it was chosen.
struct Chosen {
    index: usize,
    reason: SeatReason,
    why: String,
}

/// The next table, if one can be formed. Takes the places of its bots.
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
        let mut pools: Vec<(Pool, LiveRating)> = Vec::with_capacity(candidates[first].pools.len());
        pools.extend(candidates[first].pools.iter().map(|&p| (p, ladder.standing(p, player))));
        shuffle(&mut pools, dice);
        // Pools in which it has played least come first.
        pools.sort_by_key(|(_, standing)| standing.games / 3);
        for (pool, standing) in pools {
            let table = Search { candidates, ladder, pool, first, standing };
            if let Some(chosen) = table.opponents(dice) {
                return Some(seat(candidates, first, &chosen, (pool, standing), dice));
            }
            // Large tables would never form if every bot took the first small one.
            if candidates[first].waited < LONGEST_WAIT
                && has_enough_bots(candidates, first, pool, true)
            {
                break;
            }
        }
    }
    None
}

/// Seats the first bot and its opponents in random order, and takes their places.
fn seat(
    candidates: &mut [Candidate],
    first: usize,
    chosen: &[Chosen],
    (pool, standing): (Pool, LiveRating),
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

/// Whether enough bots for a table of this pool are connected, free or busy.
fn has_enough_bots(candidates: &[Candidate], first: usize, pool: Pool, with_house: bool) -> bool {
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

/// House bots play each other in only half of their places: the rest is for other bots.
const fn may_host(candidate: &Candidate) -> bool {
    candidate.free > 0 && (!candidate.house || 2 * candidate.free > candidate.places)
}

/// How much a bot needs a match: more if its rating is uncertain, and the longer it has waited.
fn need(candidate: &Candidate, ladder: &Ladder, dice: &mut impl Dice) -> f64 {
    let player = &candidate.player;
    let deviations = candidate.pools.iter().map(|&pool| ladder.standing(pool, player).deviation);
    let uncertainty = deviations.fold(0.0, f64::max);
    // House bots exist for the others: they come last.
    let priority = if candidate.house { 0.0 } else { 1_000.0 };
    priority + uncertainty + candidate.waited.as_secs_f64() + dice.unit()
}

/// The search for opponents of the first bot, in one pool.
struct Search<'a> {
    candidates: &'a [Candidate],
    ladder: &'a Ladder,
    pool: Pool,
    first: usize,
    standing: LiveRating,
}

impl Search<'_> {
    /// An opponent for each other seat: the one nearest to a rating drawn around that of the first
    /// bot.
    fn opponents(&self, dice: &mut impl Dice) -> Option<Vec<Chosen>> {
        let willing = self.willing();
        let mut found: Vec<Chosen> = Vec::new();
        let host = &self.candidates[self.first];
        let wants_anchor = self.wants_anchor();
        // A house bot stands in if no other bot is free, but only after a wait, which is longer for
        // larger tables.
        let missing = u32::try_from(self.pool.players() - 1).unwrap_or_default();
        let house_stands_in = host.house
            || host.waited >= LONGEST_WAIT * missing
            || !has_enough_bots(self.candidates, self.first, self.pool, false);
        while found.len() + 1 < self.pool.players() {
            let target =
                LiveRating { mean: self.standing.mean + random_offset(dice), ..self.standing };
            let nearest = |house: bool| {
                let fits = willing.iter().filter(|(index, _)| self.fits(*index, &found, house));
                let distance = |other: &LiveRating| (other.mean - target.mean).abs();
                fits.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))
            };
            let anchor = if wants_anchor && found.is_empty() { nearest(true) } else { None };
            // House bots do not choose other bots: those choose them when they are seated first.
            let others = || if host.house { None } else { nearest(false) };
            let chosen = anchor.or_else(others);
            let stand_in = || if house_stands_in { nearest(true) } else { None };
            let &(index, other) = chosen.or_else(stand_in)?;
            let (reason, role) = match (anchor.is_some(), chosen.is_some()) {
                (true, _) => (SeatReason::Anchor, "house bot as an anchor, nearest to"),
                (_, true) => (SeatReason::NearRating, "nearest to"),
                (_, false) => {
                    (SeatReason::StandIn, "house bot because no other bot is free, nearest to")
                }
            };
            let player = &self.candidates[index].player;
            let (rating, wanted) = (other.shown(), target.shown());
            let why = format!("{player} at {rating:.0}: {role} the target rating {wanted:.0}");
            found.push(Chosen { index, reason, why });
        }
        Some(found)
    }

    /// Whether a house bot is wanted. Not random: a bot may be tried many times until a table forms,
    /// and would draw a new number each time.
    fn wants_anchor(&self) -> bool {
        let host = &self.candidates[self.first];
        let blocks = self.standing.games / u32::try_from(self.pool.players()).unwrap_or(1);
        let name: u32 = host.player.bot.as_str().bytes().map(u32::from).sum();
        !host.house && (blocks + name).is_multiple_of(TABLES_PER_ANCHOR)
    }

    /// All other bots that could play in this pool now.
    fn willing(&self) -> Vec<(usize, LiveRating)> {
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
        && (!a.careful || b.proven)
        && (!b.careful || a.proven)
        && ((a.house && b.house) || a.player.bot.owner() != b.player.bot.owner())
}

/// An offset to a rating, on the internal scale: mostly small, sometimes large.
fn random_offset(dice: &mut impl Dice) -> f64 {
    let sign = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
    sign * 5.0 * (1.0 / (0.01 + dice.unit()).powf(0.65) - 1.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::names::Player;

    /// A generator that returns the same numbers on every machine.
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
            proven: true,
            careful: false,
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
    fn a_bot_that_was_let_down_meets_only_proven_opponents() {
        let two = pool(2);
        let mut bots = vec![candidate("ann/a", two), candidate("new/b", two)];
        (bots[0].careful, bots[1].proven) = (true, false);
        assert_eq!(next_table(&mut bots.clone(), &Ladder::default(), &mut Lcg(1)), None);
        bots[1].proven = true;
        assert!(next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).is_some());
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
            let standing = LiveRating { mean, ..LiveRating::new() };
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
        assert_eq!(next_table(&mut bots, &Ladder::default(), &mut Lcg(3)), None, "one bot is left");
    }

    #[test]
    fn a_bot_waits_for_a_large_table_if_there_are_enough_bots_but_not_forever() {
        let (two, four) = (pool(2), pool(4));
        let known = LiveRating { games: 50, ..LiveRating::new() };
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
            bot.waited = LONGEST_WAIT;
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
    fn the_bot_that_waits_longest_plays_first() {
        let two = pool(2);
        let mut bots: Vec<_> =
            ["a/a", "b/b", "c/c", "d/d"].iter().map(|name| candidate(name, two)).collect();
        bots[2].waited = Duration::from_mins(1);
        let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(5)).unwrap();
        assert!(table.players.iter().any(|player| player.bot.as_str() == "c/c"));
    }

    #[test]
    fn a_table_says_why_it_was_formed() {
        let two = pool(2);
        let mut ladder = Ladder::default();
        let mut bots = vec![candidate("ann/a", two), candidate("bob/b", two)];
        bots[0].waited = Duration::from_millis(2_500);
        let known = LiveRating { mean: 26.0, ..LiveRating::new() };
        ladder.set(two, bots[1].player.clone(), known);
        let table = next_table(&mut bots, &ladder, &mut Lcg(5)).unwrap();
        let (host, opponent) = table.why.split_once("; ").unwrap();
        let expected =
            "ann/a@1 needed a match most: 1500 ± 1000 after 0 matches in this pool, waited 2.5 s";
        assert_eq!(host, expected);
        assert!(
            opponent.starts_with("bob/b@1 at 1560: nearest to the target rating "),
            "{opponent}"
        );
        let seat = table.players.iter().position(|player| player.bot.as_str() == "ann/a").unwrap();
        assert_eq!(table.reasons[seat], SeatReason::NeedsMatch);
        assert_eq!(table.reasons[1 - seat], SeatReason::NearRating);
    }
}
