//! Events that leave the core, as domain values; `grpc/message` turns them into messages. What they
//! carry is shared, so that an event for four seats and its watchers is made once.

use std::sync::Arc;
use std::time::Duration;

use azulejo_engine::Table;

use crate::match_run::{Match, Played};
use crate::names::{BotId, MatchId, Version};
use crate::record::{Bytes32, EndReason, Receipt, RefusedMove};
use crate::standings::OfficialRating;
use crate::store::Pause;
use crate::time::Wall;

/// An event for the session of a bot.
#[derive(Clone, Debug)]
pub enum PlayEvent {
    /// The first event of every session.
    Snapshot(Box<Snapshot>),
    MatchStarting(MatchStarting),
    MatchStarted(Arc<MatchStarted>),
    Turn(Box<Turn>),
    MoveMade(MoveMade),
    MatchEnded {
        seat: usize,
        finished: Arc<FinishedMatch>,
    },
    Ping {
        number: u64,
    },
    /// Another session of the bot has begun.
    Replaced,
    Paused(Pause),
    /// The server stops; the bot should come back after this time.
    GoingAway {
        retry_delay: Duration,
    },
}

/// Everything that a bot needs to continue.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub bot: BotId,
    pub version: Version,
    pub seatings: Vec<Seating>,
    /// Matches whose end the bot has not acknowledged; they are in the store.
    pub ended: Vec<MatchId>,
    pub pause: Option<Pause>,
}

/// A running match of a bot.
#[derive(Clone, Debug)]
pub struct Seating {
    pub seat: usize,
    pub run: Arc<Match>,
    /// The time left to be ready, if the bot has not said so yet.
    pub ready_timeout: Option<Duration>,
    /// The turn, if it is the bot's.
    pub turn: Option<Box<Turn>>,
}

#[derive(Clone, Debug)]
pub struct MatchStarting {
    pub run: Arc<Match>,
    pub seat: usize,
    pub ready_timeout: Duration,
}

#[derive(Clone, Debug)]
pub struct MatchStarted {
    pub match_id: MatchId,
    /// The match, whose seats are public from now on.
    pub run: Arc<Match>,
    /// Deals so far.
    pub steps: u32,
    /// The position after the first deal.
    pub table: Table,
    pub nonces: Vec<Option<Bytes32>>,
}

/// A decision that is due.
#[derive(Clone, Debug)]
pub struct Turn {
    pub match_id: MatchId,
    pub turn: u32,
    pub seat: usize,
    pub table: Table,
    pub time_left: Duration,
    pub previous_receipt: Option<Receipt>,
    pub illegal_tries: u32,
    /// The number that the move will have among all steps.
    pub step: u32,
}

#[derive(Clone, Debug)]
pub struct MoveMade {
    pub match_id: MatchId,
    pub played: Arc<Played>,
}

/// A match that is over.
#[derive(Clone, Debug)]
pub struct FinishedMatch {
    pub run: Arc<Match>,
    pub at: Wall,
    /// By seat, if the match was rated: the official ratings known at its end, without this match.
    pub ratings: Vec<Option<OfficialRating>>,
}

/// An event for the watchers of a match.
#[derive(Clone, Debug)]
pub enum WatchEvent {
    MatchStarted(Arc<MatchStarted>),
    MoveMade(MoveMade),
    MoveRefused(Arc<RefusedMove>),
    SeatForfeited { seat: usize, turn: u32, reason: EndReason },
    MatchEnded(Arc<FinishedMatch>),
}

impl PlayEvent {
    /// The turns in this event: their clocks start when it leaves the server.
    pub fn turns(&self) -> impl Iterator<Item = &Turn> {
        let (one, seatings) = match self {
            Self::Turn(turn) => (Some(&**turn), &[][..]),
            Self::Snapshot(snapshot) => (None, snapshot.seatings.as_slice()),
            Self::MatchStarting(_)
            | Self::MatchStarted(_)
            | Self::MoveMade(_)
            | Self::MatchEnded { .. }
            | Self::Ping { .. }
            | Self::Replaced
            | Self::Paused(_)
            | Self::GoingAway { .. } => (None, &[][..]),
        };
        one.into_iter().chain(seatings.iter().filter_map(|seating| seating.turn.as_deref()))
    }
}

impl WatchEvent {
    /// Whether a watcher who has seen the match in this state has not seen the event yet.
    #[must_use]
    pub fn is_after(&self, seen: &Match) -> bool {
        match self {
            Self::MatchStarted(_) => seen.table().is_none(),
            Self::MoveMade(made) => made.played.turn >= seen.turn(),
            Self::MoveRefused(refused) => !seen.refused().contains(refused),
            Self::SeatForfeited { seat, .. } => seen.out(*seat).is_none(),
            Self::MatchEnded(_) => true,
        }
    }
}
