//! What is written down of a match: what was agreed before it, and what happened, in order. The
//! state of a match is what these events make of it, so a match can always be gone on with.

use std::time::Duration;

use azulejo_engine::{HouseBot, NoSuchBot};
use serde::{Deserialize, Serialize};

use crate::moment::Wall;
use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;

/// 32 bytes, written as 64 hexadecimal digits: a secret, a nonce, a hash.
pub use azulejo_engine::fairness::Bytes32;

/// What was agreed before a match began.
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
    /// Why each seat has its player. Empty in matches that were stored before this was recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_reasons: Vec<SeatReason>,
    /// Hash of the request id of the challenge, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Bytes32>,
}

impl Spec {
    /// The bot that asked for the match, if it is a challenge.
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
    /// Its rating was nearest to the one that was wanted.
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
    /// A bot that is somewhere else.
    Remote(Player),
    /// A house bot that the server plays itself; only in challenges.
    House(House),
}

impl Seat {
    /// The bot that plays it, if it is somewhere else.
    #[must_use]
    pub const fn player(&self) -> Option<&Player> {
        match self {
            Self::Remote(player) => Some(player),
            Self::House(_) => None,
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
    /// The arena made the table: the match is rated.
    Ladder,
    /// Somebody asked for it: unrated.
    Challenge,
}

/// Something that happened in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A seat will play.
    Ready { seat: usize, nonce: Bytes32 },
    /// Everyone will: the seed is fixed, and the first displays are filled.
    Started { deals: Vec<String> },
    /// A decision, and the deals that followed.
    Moved {
        seat: usize,
        turn: u32,
        /// In the notation of the rules.
        action: String,
        /// What it cost; none if the house decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        deals: Vec<String>,
    },
    /// An answer to the turn that is due was refused.
    Refused(RefusedMove),
    /// A seat is out. With two seats that is the end; with more the house plays it on.
    Forfeited { seat: usize, turn: u32, reason: EndReason },
    /// There is a result.
    Ended { at: Wall, seats: Vec<SeatEnd> },
    /// There is none, and there never will be.
    Voided { at: Wall, seats: Vec<EndReason>, why: String },
}

/// An answer that was refused: what was sent, why it was refused, and when.
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

/// What a decision cost, by the server's clock. In microseconds on paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    #[serde(with = "micros")]
    pub measured: Duration,
    #[serde(with = "micros")]
    pub credited: Duration,
    #[serde(with = "micros")]
    pub charged: Duration,
    /// What is left in the bank, with the increment.
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
    /// Whether the seat was not played to the end by its bot.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        match self {
            Self::Resigned | Self::OutOfTime | Self::IllegalMoves | Self::Gone => true,
            Self::Finished | Self::NoShow | Self::CalledOff | Self::ServerError => false,
        }
    }

    /// Whether the bot failed to play: too many of these, and it is paused.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        match self {
            Self::OutOfTime | Self::IllegalMoves | Self::Gone | Self::NoShow => true,
            Self::Finished | Self::Resigned | Self::CalledOff | Self::ServerError => false,
        }
    }
}

/// What came of a match for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEnd {
    /// 1 for the winner; equal seats share a placement. Who forfeited is last.
    pub placement: u8,
    pub reason: EndReason,
    /// Points in the position in which the match ended.
    pub total: u16,
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
