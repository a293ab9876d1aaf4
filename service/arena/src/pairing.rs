//! Who meets whom: the neediest first, then opponents near in rating with a heavy tail, never two
//! bots of one owner, and a house bot at about one table in ten. A table is played in all its seat
//! rotations, as far as its bots stay.

mod choice;

use std::time::Duration;

use crate::moment::Time;
use crate::names::{MatchId, Player};
use crate::pool::Pool;
use crate::rating::Ladder;
use crate::record::SeatReason;

/// A seat rotation waits no longer than this for its bots.
const ROTATION_WAITS: Duration = Duration::from_mins(5);

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

/// A bot that is there, free or not.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub player: Player,
    pub house: bool,
    /// Pools in which it would play.
    pub pools: Vec<Pool>,
    /// Matches that it would take on at all.
    pub places: u32,
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
    /// Why each of them was chosen, by seat.
    pub reasons: Vec<SeatReason>,
    /// The same with figures, for people to read.
    pub why: String,
}

/// A seat rotation that is still to be played.
#[derive(Clone, Debug)]
struct Rotation {
    block: MatchId,
    table: Table,
    since: Time,
}

/// Makes tables, and remembers which seat rotations of them are still to be played.
#[derive(Clone, Debug, Default)]
pub struct Matchmaker {
    rotations: Vec<Rotation>,
}

impl Matchmaker {
    /// The seat rotations whose bots are all free again, each with its block; their places are
    /// taken. The candidates are in the order of their names.
    pub fn due(&mut self, candidates: &mut [Candidate], now: Time) -> Vec<(MatchId, Table)> {
        let mut due = Vec::new();
        self.rotations.retain(|rotation| {
            let table = &rotation.table;
            let seats: Option<Vec<usize>> =
                table.players.iter().map(|player| ready(candidates, player, table.pool)).collect();
            if let Some(seats) = seats {
                for seat in seats {
                    candidates[seat].free -= 1;
                }
                due.push((rotation.block.clone(), table.clone()));
                return false;
            }
            now.since(rotation.since) <= ROTATION_WAITS
        });
        due
    }

    /// The next table, if there is one; the places at it are taken.
    pub fn next(
        &self,
        candidates: &mut [Candidate],
        ladder: &Ladder,
        dice: &mut impl Dice,
    ) -> Option<Table> {
        choice::next_table(candidates, ladder, dice)
    }

    /// The first match of a table was called: the other rotations of its seats are to follow.
    pub fn began(&mut self, block: &MatchId, table: &Table, now: Time) {
        for turn in 1..table.players.len() {
            let mut table = table.clone();
            table.players.rotate_left(turn);
            table.reasons.rotate_left(turn);
            self.rotations.push(Rotation { block: block.clone(), table, since: now });
        }
    }
}

/// Where among the candidates this player is, if it would play in the pool now.
fn ready(candidates: &[Candidate], player: &Player, pool: Pool) -> Option<usize> {
    let index = candidates.binary_search_by(|other| other.player.bot.cmp(&player.bot)).ok()?;
    let candidate = &candidates[index];
    let fits = candidate.player.version == player.version
        && candidate.free > 0
        && candidate.pools.contains(&pool);
    fits.then_some(index)
}

pub fn shuffle<T>(items: &mut [T], dice: &mut impl Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last + 1));
    }
}
