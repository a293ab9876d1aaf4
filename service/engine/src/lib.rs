//! One interface to both games, independent of the transport. The service, the arena and the
//! command line are built on it.
//!
//! - [`Table`]: a position of either game.
//! - [`calls`]: the calls of the service, message in and message out.
//! - [`Record`]: a game as a document, and its verification.
//! - [`fairness`]: commitments and seeds of the arena's deals.
//! - [`words`]: moves and events as sentences for people.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "seats, displays, steps of a game and counts of playouts: small numbers"
)]

pub mod calls;
mod drawing;
mod error;
pub mod fairness;
#[cfg(feature = "grpc")]
pub mod grpc;
mod message;
mod reason;
mod record;
mod ruleset;
mod score;
mod status;
mod table;
pub mod words;

pub use azulejo_bots::{Budget, HouseBot, NoSuchBot};
pub use azulejo_draw as draw;
pub use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
pub use error::EngineError;
pub use record::{
    ARENA_FORMAT, ArenaDefect, ArenaPart, Cost, Defect, Ending, FORMAT, Forfeit, MOST_SENT, Moment,
    Record, RefusedMove, SeatInfo, SeatOutcome, Unreadable,
};
pub use ruleset::Ruleset;
pub use score::{Score, SeatScore, placements};
pub use status::DOMAIN;
pub use table::{BadTable, Event, Move, Refusal, Step, Table};
