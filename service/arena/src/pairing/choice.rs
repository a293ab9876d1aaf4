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

/// How much farther away an opponent counts for each recent meeting of the two owners, on the
/// internal scale of ratings (15 points), and at most (150 points).
const DISTANCE_PER_MEETING: f64 = 0.25;
const MOST_DISTANCE: f64 = 2.5;

/// A bot that could be an opponent.
struct Willing {
    index: usize,
    standing: LiveRating,
    /// Added to the distance of its rating.
    distance: f64,
}

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
        "{} needed a match most: matchmaking estimate {:.0} ± {:.0} after {} matches in this pool, \
         waited {:.1} s",
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
                let fits = willing.iter().filter(|other| self.fits(other.index, &found, house));
                let distance =
                    |other: &Willing| (other.standing.mean - target.mean).abs() + other.distance;
                fits.min_by(|a, b| distance(a).total_cmp(&distance(b)))
            };
            let anchor = if wants_anchor && found.is_empty() { nearest(true) } else { None };
            // House bots do not choose other bots: those choose them when they are seated first.
            let others = || if host.house { None } else { nearest(false) };
            let chosen = anchor.or_else(others);
            let stand_in = || if house_stands_in { nearest(true) } else { None };
            let &Willing { index, standing: other, .. } = chosen.or_else(stand_in)?;
            let (reason, role) = match (anchor.is_some(), chosen.is_some()) {
                (true, _) => (SeatReason::Anchor, "house bot as an anchor, nearest to"),
                (_, true) => (SeatReason::NearRating, "nearest to"),
                (_, false) => {
                    (SeatReason::StandIn, "house bot because no other bot is free, nearest to")
                }
            };
            let player = &self.candidates[index].player;
            let (rating, wanted) = (other.shown(), target.shown());
            let why = format!(
                "{player}, matchmaking estimate {rating:.0}: {role} the target {wanted:.0}"
            );
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
    fn willing(&self) -> Vec<Willing> {
        let others = self.candidates.iter().enumerate();
        let host = &self.candidates[self.first].player;
        let willing = |(index, other): (usize, &Candidate)| {
            let meetings = self.ladder.meetings(self.pool, host, &other.player);
            Willing {
                index,
                standing: self.ladder.standing(self.pool, &other.player),
                distance: (DISTANCE_PER_MEETING * f64::from(meetings)).min(MOST_DISTANCE),
            }
        };
        others
            .filter(|(index, other)| {
                *index != self.first && other.free > 0 && other.pools.contains(&self.pool)
            })
            .map(willing)
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
mod tests;
