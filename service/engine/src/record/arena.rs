//! The arena's part of a record: how the deals came about, the time of each decision, and the
//! result of each seat. All of it can be verified.

use azulejo_rules::parts::Seed;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Record;
use crate::fairness::{self, Bytes32};
use crate::{Table, placements};

/// The arena's part of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArenaPart {
    pub match_id: String,
    pub pool: String,
    /// `ladder` or `challenge`.
    pub origin: String,
    /// The first match of the block of seat rotations.
    pub block: String,
    /// Milliseconds since 1970.
    pub called: u64,
    pub ended: u64,
    /// Published before the first deal.
    pub commitment: Bytes32,
    pub secret: Bytes32,
    /// By seat; `None` for a seat that the server played.
    pub nonces: Vec<Option<Bytes32>>,
    /// Microseconds.
    pub bank: u64,
    pub increment: u64,
    /// One per decision; `None` if the server decided.
    pub costs: Vec<Option<Cost>>,
    pub forfeits: Vec<Forfeit>,
    /// Answers that were refused, in order. Omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedMove>,
    pub seats: Vec<SeatOutcome>,
    pub rated: bool,
    /// Why there is no result, if there is none.
    pub voided: Option<String>,
    /// SHA-256 of the record with 64 zeros in this place. It detects accidental changes.
    pub digest: Bytes32,
}

/// Maximum number of characters that are kept of a refused answer.
pub const MOST_SENT: usize = 200;

/// The time of a decision, in microseconds: measured, credited, charged, and left in the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost(pub u64, pub u64, pub u64, pub u64);

/// A refused answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedMove {
    pub seat: usize,
    /// The turn that was answered.
    pub turn: u32,
    /// What was sent: the notation, `action 123`, or the message as text.
    pub sent: String,
    /// The stable reason.
    pub reason: String,
    /// The rule that forbids the move, if the reason is `ILLEGAL_MOVE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub message: String,
    /// Milliseconds since 1970.
    pub at: u64,
}

/// A forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    pub seat: usize,
    /// Number of decisions before it.
    pub turn: u32,
    pub reason: String,
}

/// The result of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatOutcome {
    pub placement: u8,
    pub reason: String,
    pub total: u16,
}

/// What is wrong with the arena's part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArenaDefect {
    #[error("the secret does not match the commitment")]
    Commitment,
    #[error("the seed does not follow from secret and nonces")]
    Seed,
    #[error("the record has {found} seats for {players} players")]
    Seats { found: usize, players: usize },
    #[error("{found} decision times for {decisions} decisions")]
    Costs { found: usize, decisions: usize },
    #[error("decision {turn}: the clock is inconsistent")]
    Clock { turn: usize },
    #[error("a forfeit is inconsistent with the seats or the decisions")]
    Forfeit,
    #[error("a refused answer is inconsistent with the seats or the decisions")]
    RefusedMove,
    #[error("seat {seat}: placement, reason or points do not follow from the game")]
    Outcome { seat: usize },
    #[error("the digest does not match the record")]
    Digest,
}

/// SHA-256 of the record with zeros in the place of the digest.
pub(super) fn digest(record: &Record) -> Bytes32 {
    let mut blank = record.clone();
    if let Some(part) = &mut blank.arena {
        part.digest = Bytes32([0; 32]);
    }
    // A record consists of texts and numbers: serialization cannot fail.
    Bytes32::hash_of(serde_json::to_string(&blank).unwrap_or_default().as_bytes())
}

impl ArenaPart {
    /// Verifies everything. `deciders` are the seats of all decisions, in order.
    pub(super) fn verify(
        &self,
        record: &Record,
        deciders: &[usize],
        last: &Table,
    ) -> Result<(), ArenaDefect> {
        if fairness::commitment(&self.match_id, &self.secret) != self.commitment {
            return Err(ArenaDefect::Commitment);
        }
        let seed: Seed = fairness::seed(&self.match_id, &self.secret, &self.nonces);
        if record.seed != Some(seed.to_hex()) {
            return Err(ArenaDefect::Seed);
        }
        let players = record.seats.len();
        if self.nonces.len() != players || self.seats.len() != players {
            let found = self.nonces.len().min(self.seats.len());
            return Err(ArenaDefect::Seats { found, players });
        }
        self.check_clocks(deciders, players)?;
        self.check_refused(deciders, players)?;
        self.check_outcome(deciders.len(), last)?;
        if digest(record) == self.digest { Ok(()) } else { Err(ArenaDefect::Digest) }
    }

    fn check_clocks(&self, deciders: &[usize], players: usize) -> Result<(), ArenaDefect> {
        let (found, decisions) = (self.costs.len(), deciders.len());
        if found != decisions {
            return Err(ArenaDefect::Costs { found, decisions });
        }
        let mut left = vec![self.bank; players];
        for (turn, (cost, &seat)) in self.costs.iter().zip(deciders).enumerate() {
            let Some(Cost(measured, credited, charged, after)) = *cost else { continue };
            let paid = measured.checked_sub(credited) == Some(charged);
            let rest = left[seat].checked_sub(charged).map(|rest| rest + self.increment);
            if !paid || rest != Some(after) {
                return Err(ArenaDefect::Clock { turn });
            }
            left[seat] = after;
        }
        Ok(())
    }

    /// Every refused answer belongs to a turn of that seat, or to the turn at which it forfeited.
    fn check_refused(&self, deciders: &[usize], players: usize) -> Result<(), ArenaDefect> {
        let fits = |refused: &RefusedMove| {
            let decider = deciders.get(refused.turn as usize);
            let own = decider
                .map_or(refused.turn as usize == deciders.len(), |&seat| seat == refused.seat);
            own && refused.seat < players && refused.sent.chars().count() <= MOST_SENT
        };
        if self.refused.iter().all(fits) { Ok(()) } else { Err(ArenaDefect::RefusedMove) }
    }

    fn check_outcome(&self, decisions: usize, last: &Table) -> Result<(), ArenaDefect> {
        let mut out = vec![None; self.seats.len()];
        for Forfeit { seat, turn, reason } in &self.forfeits {
            let fits = *turn as usize <= decisions && out.get(*seat) == Some(&None);
            *out.get_mut(*seat).filter(|_| fits).ok_or(ArenaDefect::Forfeit)? = Some(reason);
        }
        let stays: Vec<bool> = out.iter().map(Option::is_none).collect();
        let score = last.score();
        let placed = placements(&score, &stays);
        for (seat, outcome) in self.seats.iter().enumerate() {
            let SeatOutcome { placement, reason, total } = outcome;
            let agrees = if self.voided.is_some() {
                *placement == 0
            } else {
                let expected = out[seat].map_or("finished", String::as_str);
                *placement == placed[seat]
                    && reason == expected
                    && *total == score.seats[seat].total
            };
            if !agrees {
                return Err(ArenaDefect::Outcome { seat });
            }
        }
        Ok(())
    }
}
