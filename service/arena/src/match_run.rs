//! One match: which seats are ready, whose turn it is, the clocks, and how it ends. It does no I/O
//! and reads no clock: callers pass in what arrived and when, and store the changes it returns.
//!
//! | file | what |
//! |---|---|
//! | `play` | what seats do: ready, submit, resign |
//! | `steps` | the first deal and every move, each carried out once |
//! | `replay` | a stored match, restored from its events |
//! | `clocks` | clocks and absences |
//! | `end` | results and voided matches |
//! | `summary` | what lists need to know of a finished match |

mod clocks;
mod end;
mod play;
mod replay;
mod steps;
mod summary;

use std::sync::Arc;
use std::time::Duration;

use azulejo_engine::{Event as GameEvent, Move, Seed, Table};
use thiserror::Error;

use crate::clock::Clock;
use crate::record::{Bytes32, EndReason, Event, Origin, Receipt, RefusedMove, Seat, SeatEnd, Spec};
use crate::time::Time;

pub use clocks::Presence;
pub use end::{UnratedReason, VoidReason};
pub use play::{Answered, Submission};
pub use replay::{Corrupt, MadeMove, Observer};

/// Time for a seat to say that it is ready.
pub const GATHERING: Duration = Duration::from_secs(15);
/// A bot that was not heard from for this long has left.
pub const ABSENCE: Duration = Duration::from_secs(30);
/// Illegal moves on one turn; the last one forfeits.
pub const ILLEGAL_TRIES: u32 = 3;

/// A match that is being played, or has just ended. A clone is cheap: readers get one after every
/// change.
#[derive(Clone, Debug)]
pub struct Match {
    spec: Arc<Spec>,
    secret: Bytes32,
    seats: Vec<SeatState>,
    phase: Phase,
    /// The number of the next event.
    seq: u32,
    /// None before the first deal.
    game: Option<Game>,
    /// Every refused move, in order.
    refused: Vec<RefusedMove>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for the seats to say that they are ready.
    Gathering {
        until: Time,
    },
    Playing,
    /// With a result.
    Ended(Vec<SeatEnd>),
    /// Without a result.
    Voided {
        reasons: Vec<EndReason>,
        why: String,
    },
}

#[derive(Clone, Debug)]
struct SeatState {
    nonce: Option<Bytes32>,
    clock: Clock,
    /// Why the seat has forfeited.
    out: Option<EndReason>,
    /// Its last accepted move: submitting the same one again changes nothing.
    last: Option<(u32, Move, Receipt)>,
}

#[derive(Clone, Debug)]
struct Game {
    seed: Seed,
    table: Table,
    /// Moves so far, which is the number of the turn that is due.
    turn: u32,
    clock: TurnClock,
    /// Deals and moves so far.
    steps: u32,
    illegal_tries: u32,
    /// The turn that was due when the arena restarted: its bot may have received it before.
    known: Option<u32>,
}

/// When the clock of the turn that is due started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnClock {
    /// Not sent yet: it is not durable, or its bot has not reconnected after a restart.
    Waiting,
    /// Queued for its bot, but not fetched yet.
    Sent {
        at: Time,
    },
    Fetched {
        at: Time,
    },
}

/// An event of a match that was applied and is to be stored, with what the event does not say.
#[derive(Clone, Debug)]
pub struct Change {
    pub seq: u32,
    pub event: Event,
    pub detail: Detail,
}

#[derive(Clone, Debug)]
pub enum Detail {
    None,
    /// The position after the first deal.
    Started(Box<Table>),
    Moved(Arc<Played>),
}

/// A move that was made, and what it caused.
#[derive(Clone, Debug)]
pub struct Played {
    pub seat: usize,
    pub turn: u32,
    /// The number of the move among all steps, from 1.
    pub step: u32,
    pub before: Table,
    /// With the deals that followed.
    pub after: Table,
    pub action: Move,
    pub events: Vec<GameEvent>,
    /// The deals that followed, in notation.
    pub deals: Vec<String>,
    /// None if the server made the move.
    pub receipt: Option<Receipt>,
}

/// Why a seat's request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("the match is over")]
    Over,
    #[error("the match has not begun")]
    NotBegun,
    #[error("this seat is already ready, with another nonce")]
    OtherNonce,
    #[error("turn {asked} is not due; the turn that is due is {due}")]
    StaleTurn { asked: u32, due: u32 },
    #[error("it is the turn of seat {due}")]
    NotYourTurn { due: usize },
    #[error("the time ran out before the move arrived")]
    OutOfTime,
    #[error("this seat has forfeited")]
    Out,
    #[error("another move was already accepted for turn {turn}: {accepted}")]
    OtherMove { turn: u32, accepted: Move, action_id: u16 },
    #[error("{problem} (try {tries} of {ILLEGAL_TRIES})")]
    Illegal { problem: Box<azulejo_engine::EngineError>, tries: u32 },
}

impl Match {
    /// A new match, whose seats are asked whether they are ready.
    #[must_use]
    pub fn call(spec: Spec, secret: Bytes32, now: Time) -> Self {
        let fresh = SeatState {
            nonce: None,
            clock: Clock::new(spec.pool.time_class),
            out: None,
            last: None,
        };
        Self {
            seats: vec![fresh; spec.seats.len()],
            phase: Phase::Gathering { until: now.after(GATHERING) },
            seq: 0,
            game: None,
            refused: Vec::new(),
            spec: Arc::new(spec),
            secret,
        }
    }

    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    #[must_use]
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended(_) | Phase::Voided { .. })
    }

    /// The secret. It may leave the server only after the end.
    #[must_use]
    pub const fn secret(&self) -> &Bytes32 {
        &self.secret
    }

    #[must_use]
    pub fn nonces(&self) -> Vec<Option<Bytes32>> {
        self.seats.iter().map(|seat| seat.nonce).collect()
    }

    /// The position; none before the first deal.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        self.game.as_ref().map(|game| &game.table)
    }

    /// Moves so far.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.turn)
    }

    /// Deals and moves so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.steps)
    }

    /// Events so far.
    #[must_use]
    pub const fn events(&self) -> u32 {
        self.seq
    }

    /// Every refused move, in order.
    #[must_use]
    pub fn refused(&self) -> &[RefusedMove] {
        &self.refused
    }

    /// Why the seat has forfeited, if it has.
    #[must_use]
    pub fn out(&self, seat: usize) -> Option<EndReason> {
        self.seats.get(seat)?.out
    }

    /// The seat whose turn it is.
    #[must_use]
    pub fn due(&self) -> Option<usize> {
        match self.phase {
            Phase::Playing => self.table()?.to_move().map(azulejo_engine::Seat::index),
            Phase::Gathering { .. } | Phase::Ended(_) | Phase::Voided { .. } => None,
        }
    }

    #[must_use]
    pub fn illegal_tries(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.illegal_tries)
    }

    /// The receipt of the seat's previous move.
    #[must_use]
    pub fn last_receipt(&self, seat: usize) -> Option<Receipt> {
        self.seats.get(seat)?.last.map(|(_, _, receipt)| receipt)
    }

    /// Whether the server plays the seat.
    #[must_use]
    pub fn is_house(&self, seat: usize) -> bool {
        match &self.spec.seats[seat] {
            Seat::House(_) => true,
            Seat::Remote(_) => self.seats[seat].out.is_some(),
        }
    }

    /// Whether the bots of the seats are secret: while a match of the ladder is being called, so that
    /// a bot cannot avoid the opponents that it does not like.
    #[must_use]
    pub fn hides_seats(&self) -> bool {
        self.spec.origin == Origin::Ladder && matches!(self.phase, Phase::Gathering { .. })
    }

    #[must_use]
    pub fn is_ready(&self, seat: usize) -> bool {
        matches!(self.spec.seats[seat], Seat::House(_)) || self.seats[seat].nonce.is_some()
    }

    /// The seat of this bot.
    #[must_use]
    pub fn seat_of(&self, bot: &crate::names::BotId) -> Option<usize> {
        self.spec.seats.iter().position(|seat| match seat {
            Seat::Remote(player) => player.bot == *bot,
            Seat::House(_) => false,
        })
    }
}
