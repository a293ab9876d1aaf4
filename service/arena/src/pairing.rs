//! Matchmaking. The bot that needs a match most is seated first; its opponents are near in rating,
//! with a heavy tail. Two bots of one owner never meet, and about one table in ten gets a house bot.
//! A table is played in all its seat rotations, as far as its bots stay connected.

mod choice;

use std::time::Duration;

use crate::names::{MatchId, Player};
use crate::pool::Pool;
use crate::rating::Ladder;
use crate::record::SeatReason;
use crate::time::Time;

/// A seat rotation is dropped if its bots are not free within this time.
const ROTATION_TIMEOUT: Duration = Duration::from_mins(5);

/// The source of randomness for matchmaking.
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

/// A connected bot, free or busy.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub player: Player,
    pub house: bool,
    /// Pools in which it plays.
    pub pools: Vec<Pool>,
    /// Matches that it plays at the same time.
    pub places: u32,
    /// Matches that it could start now; 0 if it is busy.
    pub free: u32,
    /// How long it has had a free place.
    pub waited: Duration,
    /// Whether it has begun a match, or played one to its end.
    pub proven: bool,
    /// Whether it was let down and meets only proven opponents for a while.
    pub careful: bool,
}

/// A table for a new match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub pool: Pool,
    /// By seat.
    pub players: Vec<Player>,
    /// Why each player was chosen, by seat.
    pub reasons: Vec<SeatReason>,
    /// The same as text with figures, for people.
    pub why: String,
}

/// A seat rotation that is still to be played.
#[derive(Clone, Debug)]
struct Rotation {
    block: MatchId,
    table: Table,
    since: Time,
}

/// Forms tables, and remembers which of their seat rotations are still to be played.
#[derive(Clone, Debug, Default)]
pub struct Matchmaker {
    rotations: Vec<Rotation>,
}

impl Matchmaker {
    /// The seat rotations whose bots are all free again, each with its block. Takes the places of the
    /// bots. `candidates` must be ordered by name.
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
            now.since(rotation.since) <= ROTATION_TIMEOUT
        });
        due
    }

    /// The next table, if one can be formed. Takes the places of its bots.
    pub fn next(
        &self,
        candidates: &mut [Candidate],
        ladder: &Ladder,
        dice: &mut impl Dice,
    ) -> Option<Table> {
        choice::next_table(candidates, ladder, dice)
    }

    /// The first match of a table was created: its other seat rotations have to follow.
    pub fn began(&mut self, block: &MatchId, table: &Table, now: Time) {
        for offset in 1..table.players.len() {
            let mut table = table.clone();
            table.players.rotate_left(offset);
            table.reasons.rotate_left(offset);
            self.rotations.push(Rotation { block: block.clone(), table, since: now });
        }
    }
}

/// The index of a player among the candidates, if it could play in the pool now.
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
