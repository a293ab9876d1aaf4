//! One match: who is ready, whose turn it is, whose time it is, and how it ends. It does nothing
//! by itself: it is told what came and when, and says what is to be written down. Its state is what
//! its events make of it.

mod end;
mod fold;
mod play;
mod turns;

use std::time::Duration;

use azulejo_engine::{Event as GameEvent, Move, Seed, Table};
use thiserror::Error;

use crate::clock::Clock;
use crate::moment::Time;
use crate::record::{Bytes32, EndReason, Event, Receipt, RefusedMove, Seat, SeatEnd, Spec};

pub use end::{UnratedReason, VoidReason};
pub use fold::Corrupt;
pub use play::{Answered, Submission};
pub use turns::Presence;

/// Time to say that one is ready.
pub const GATHERING: Duration = Duration::from_secs(15);
/// Nothing heard for so long: gone.
pub const ABSENCE: Duration = Duration::from_secs(30);
/// Wrong answers to one turn; the last one forfeits.
pub const ILLEGAL_TRIES: u32 = 3;

/// A match that goes on, or has just ended.
#[derive(Clone, Debug)]
pub struct Match {
    spec: Spec,
    secret: Bytes32,
    seats: Vec<SeatState>,
    phase: Phase,
    /// Events so far: the number of the next.
    seq: u32,
    /// None before the first deal.
    game: Option<Game>,
    /// Every answer that was refused, in order.
    refused: Vec<RefusedMove>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The seats are asked whether they are ready.
    Gathering {
        until: Time,
    },
    Playing,
    /// There is a result.
    Ended(Vec<SeatEnd>),
    /// There is none.
    Voided {
        reasons: Vec<EndReason>,
        why: String,
    },
}

#[derive(Clone, Debug)]
struct SeatState {
    nonce: Option<Bytes32>,
    clock: Clock,
    /// Why it is out, if it is.
    out: Option<EndReason>,
    /// Its last accepted decision: the same one again changes nothing.
    last: Option<(u32, Move, Receipt)>,
}

#[derive(Clone, Debug)]
struct Game {
    seed: Seed,
    table: Table,
    /// Decisions so far: the number of the one that is due.
    turn: u32,
    clock: TurnClock,
    /// Deals and decisions so far.
    steps: u32,
    illegal_tries: u32,
    /// The turn that was due when the arena started again: its bot may know it from before.
    known: Option<u32>,
}

/// When the turn that is due began to cost time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnClock {
    /// It was not told yet: it is not durable, or its bot is not back after a restart.
    Waiting,
    /// Told, but not fetched yet.
    Told {
        at: Time,
    },
    Fetched {
        at: Time,
    },
}

/// Something that happened, with what the seats are told of it.
#[derive(Clone, Debug)]
pub struct Happening {
    pub seq: u32,
    pub event: Event,
    /// For a decision: the move, and what it caused.
    pub played: Option<Played>,
}

#[derive(Clone, Debug)]
pub struct Played {
    pub seat: usize,
    pub turn: u32,
    /// The number of the decision among all steps, from 1.
    pub step: u32,
    pub before: Table,
    /// With the deals that followed.
    pub after: Table,
    pub action: Move,
    pub events: Vec<GameEvent>,
    pub receipt: Option<Receipt>,
}

/// Why something that a seat wants is refused. Nothing changes, unless it says so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error("the match is over")]
    Over,
    #[error("the match has not begun")]
    NotBegun,
    #[error("the match has begun already, with another nonce")]
    OtherNonce,
    #[error("turn {asked} is not the one that is due; that is turn {due}")]
    StaleTurn { asked: u32, due: u32 },
    #[error("it is the turn of seat {due}")]
    NotYourTurn { due: usize },
    #[error("the time was up")]
    OutOfTime,
    #[error("this seat has forfeited")]
    Out,
    #[error("turn {turn} was answered with another move, {accepted}, which was accepted")]
    OtherMove { turn: u32, accepted: Move, action_id: u16 },
    #[error("{problem} (try {tries} of {ILLEGAL_TRIES})")]
    Illegal { problem: Box<azulejo_engine::EngineError>, tries: u32 },
}

impl Match {
    /// Calls the seats.
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
            spec,
            secret,
        }
    }

    #[must_use]
    pub const fn spec(&self) -> &Spec {
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

    /// The secret: for whoever may know it.
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

    /// The first position; none before the first deal.
    #[must_use]
    pub fn first_table(&self) -> Option<Table> {
        self.game.as_ref().map(|_| self.first_deal().0.table)
    }

    /// Decisions so far.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.turn)
    }

    /// Deals and decisions so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.steps)
    }

    /// Every answer that was refused, in order.
    #[must_use]
    pub fn refused(&self) -> &[RefusedMove] {
        &self.refused
    }

    /// Why the seat is out, if it is.
    #[must_use]
    pub fn out(&self, seat: usize) -> Option<EndReason> {
        self.seats.get(seat)?.out
    }

    /// The seat whose decision is due.
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

    /// What the seat's decision before cost.
    #[must_use]
    pub fn last_receipt(&self, seat: usize) -> Option<Receipt> {
        self.seats.get(seat)?.last.map(|(_, _, receipt)| receipt)
    }

    /// Whether the house decides for the seat.
    #[must_use]
    pub fn is_house(&self, seat: usize) -> bool {
        match &self.spec.seats[seat] {
            Seat::House(_) => true,
            Seat::Remote(_) => self.seats[seat].out.is_some(),
        }
    }

    #[must_use]
    pub fn is_ready(&self, seat: usize) -> bool {
        matches!(self.spec.seats[seat], Seat::House(_)) || self.seats[seat].nonce.is_some()
    }

    /// The seat that this bot plays, if it does.
    #[must_use]
    pub fn seat_of(&self, bot: &crate::names::BotId) -> Option<usize> {
        self.spec.seats.iter().position(|seat| match seat {
            Seat::Remote(player) => player.bot == *bot,
            Seat::House(_) => false,
        })
    }
}
