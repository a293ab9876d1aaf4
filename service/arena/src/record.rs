//! What is stored of a match: its specification and its events, in order. The events alone determine
//! the state of a match, so a match can always be resumed.

use std::time::Duration;

use azulejo_engine::{HouseBot, NoSuchBot};
use serde::{Deserialize, Serialize};

use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::time::Wall;

/// 32 bytes, written as 64 hexadecimal digits: a secret, a nonce, a hash.
pub use azulejo_engine::fairness::Bytes32;

/// What was fixed before a match began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    pub id: MatchId,
    pub pool: Pool,
    pub seats: Vec<Seat>,
    pub origin: Origin,
    /// The first match of the block; all seat rotations of one table share it.
    pub block: MatchId,
    pub called: Wall,
    /// How the arena chose the seats, for people to read; empty for a challenge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Why each seat has its player. Empty in matches stored by older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_reasons: Vec<SeatReason>,
    /// Hash of the request id of the challenge, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Bytes32>,
}

impl Spec {
    /// The bot that created the challenge, if the match is one.
    #[must_use]
    pub fn challenger(&self) -> Option<&BotId> {
        let seat = self.seat_reasons.iter().position(|&why| why == SeatReason::Challenger)?;
        Some(&self.seats.get(seat)?.player()?.bot)
    }
}

/// Why a player got a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatReason {
    /// It needed a match most: the others were chosen for it.
    NeedsMatch,
    /// Its rating was nearest to the target rating.
    NearRating,
    /// A house bot as an anchor of the ratings.
    Anchor,
    /// A house bot, because no other bot was free.
    StandIn,
    Challenger,
    Challenged,
}

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// A bot that connects over the network.
    Remote(Player),
    /// A house bot that the server plays itself; only in challenges.
    House(House),
}

impl Seat {
    /// The bot of the seat; none for a seat of the server.
    #[must_use]
    pub const fn player(&self) -> Option<&Player> {
        match self {
            Self::Remote(player) => Some(player),
            Self::House(_) => None,
        }
    }

    /// `owner/name` of a bot, `server/name` of a seat that the server plays.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Remote(player) => player.bot.to_string(),
            Self::House(House(bot)) => format!("server/{bot}"),
        }
    }
}

/// A house bot by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct House(pub HouseBot);

impl TryFrom<String> for House {
    type Error = NoSuchBot;

    fn try_from(name: String) -> Result<Self, NoSuchBot> {
        name.parse().map(Self)
    }
}

impl From<House> for String {
    fn from(House(bot): House) -> Self {
        bot.to_string()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Formed by matchmaking: rated.
    Ladder,
    /// Created by a challenge: unrated.
    Challenge,
}

/// An event of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A seat is ready.
    Ready { seat: usize, nonce: Bytes32 },
    /// All seats are ready: the seed is fixed, and the first displays are filled.
    Started { deals: Vec<String> },
    /// A move, and the deals that followed.
    Moved {
        seat: usize,
        turn: u32,
        /// In the notation of the rules.
        action: String,
        /// None if the server made the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        deals: Vec<String>,
    },
    /// An illegal move was submitted for the turn that is due.
    Refused(RefusedMove),
    /// A seat forfeited. With two seats that ends the match; with more the server plays it on.
    Forfeited { seat: usize, turn: u32, reason: EndReason },
    /// The match ended with a result.
    Ended { at: Wall, seats: Vec<SeatEnd> },
    /// The match ended without a result.
    Voided { at: Wall, seats: Vec<EndReason>, why: String },
}

/// A refused move: what was sent, why it was refused, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedMove {
    pub seat: usize,
    pub turn: u32,
    /// At most [`azulejo_engine::MOST_SENT`] characters.
    pub sent: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub message: String,
    pub at: Wall,
}

/// What a move cost, by the server's clock. Stored in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    #[serde(with = "micros")]
    pub measured: Duration,
    #[serde(with = "micros")]
    pub credited: Duration,
    #[serde(with = "micros")]
    pub charged: Duration,
    /// The bank after the move, with the increment.
    #[serde(with = "micros")]
    pub left: Duration,
}

/// How a match ended for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    Finished,
    Resigned,
    OutOfTime,
    IllegalMoves,
    Gone,
    NoShow,
    CalledOff,
    ServerError,
}

impl EndReason {
    /// Whether the bot did not play its seat to the end.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        match self {
            Self::Resigned | Self::OutOfTime | Self::IllegalMoves | Self::Gone => true,
            Self::Finished | Self::NoShow | Self::CalledOff | Self::ServerError => false,
        }
    }

    /// Whether the bot failed to play. Too many failures pause a bot.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        match self {
            Self::OutOfTime | Self::IllegalMoves | Self::Gone | Self::NoShow => true,
            Self::Finished | Self::Resigned | Self::CalledOff | Self::ServerError => false,
        }
    }
}

/// The result of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEnd {
    /// 1 for the winner; equal seats share a placement. Seats that forfeited are last.
    pub placement: u8,
    pub reason: EndReason,
    /// Points in the position in which the match ended.
    pub total: u16,
}

/// What lists show of a finished match, stored so that they need not replay it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub turns: u32,
    pub steps: u32,
    /// The last position in notation; none if no deal was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why each seat forfeited, if it did.
    pub out: Vec<Option<EndReason>>,
    pub end: MatchEnd,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchEnd {
    Ended { seats: Vec<SeatEnd> },
    Voided { seats: Vec<EndReason>, why: String },
}

mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::cast_possible_truncation, reason = "half a million years")]
    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(time.as_micros() as u64)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}
