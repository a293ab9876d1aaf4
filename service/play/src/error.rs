//! Why something was refused.

use azulejo_engine::{BadTable, Defect, EngineError, Refusal, Unreadable};
use azulejo_rules::parts::BadSeed;
use thiserror::Error;

/// Why something was refused. What was refused changed nothing.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlayError {
    #[error(
        "unknown ruleset {key:?}: expected azul-colored-2, azul-gray-3, summer-pavilion-gray-4 or the like"
    )]
    NoSuchRuleset { key: String },
    #[error("action {id} is not in the action space, which has {count} ids from 0")]
    NoSuchAction { id: i64, count: usize },
    #[error("{action} is illegal: {refusal}")]
    Illegal { action: String, refusal: Refusal },
    #[error("game {game}: action {id} is illegal")]
    IllegalInBatch { game: usize, id: i64 },
    #[error("{text:?} is not a move of this game")]
    BadMove { text: String },
    #[error("{text:?} is not a list of tiles, such as B2YR")]
    BadTiles { text: String },
    #[error("{tiles} cannot be dealt: {refusal}")]
    BadDeal { tiles: String, refusal: Refusal },
    #[error("no deal is due")]
    NoDealDue,
    #[error("no seat has to decide: {why}")]
    NoTurn { why: &'static str },
    #[error("invalid position: {0}")]
    BadPosition(BadTable),
    #[error("{}: {bad}", field(bad))]
    BadState { bad: EngineError },
    #[error("invalid observation: {0}")]
    BadObservation(String),
    #[error("invalid seed: {0}")]
    BadSeed(BadSeed),
    #[error("invalid record: {0}")]
    BadRecord(String),
    #[error("verification failed: {0}")]
    FalseRecord(Defect),
    #[error("seat {seat} does not exist: this game has {seats} seats, numbered from 0")]
    NoSuchSeat { seat: usize, seats: usize },
    #[error("unknown {what} {value:?}: expected {expected}")]
    Unknown { what: &'static str, value: String, expected: &'static str },
    #[error("this game has another ruleset, expected {expected}")]
    OtherRuleset { expected: String },
    #[error("{what} has {found} elements, expected {expected}")]
    Length { what: &'static str, expected: usize, found: usize },
    #[error("{what} must be {least} to {most}, not {found}")]
    OutOfRange { what: &'static str, least: usize, most: usize, found: usize },
    #[error("the memory does not have room for {what}")]
    OutOfMemory { what: &'static str },
    #[error("{what} contains a value that is not a finite number")]
    NotFinite { what: &'static str },
}

impl PlayError {
    pub(crate) fn unknown(what: &'static str, value: &str, expected: &'static str) -> Self {
        Self::Unknown { what, value: value.to_owned(), expected }
    }

    /// The stable reason, as in the API.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NoSuchRuleset { .. } => "NO_SUCH_RULESET",
            Self::NoSuchAction { .. } => "NO_SUCH_ACTION",
            Self::Illegal { .. } | Self::IllegalInBatch { .. } => "ILLEGAL_MOVE",
            Self::BadMove { .. } => "BAD_NOTATION",
            Self::BadTiles { .. } => "BAD_TILES",
            Self::BadDeal { .. } => "IMPOSSIBLE_DEAL",
            Self::NoDealDue => "NO_DEAL_DUE",
            Self::NoTurn { .. } => "NO_TURN",
            Self::BadPosition(bad) => bad.reason(),
            Self::BadState { bad } => bad.reason(),
            Self::BadObservation(_) => "BAD_OBSERVATION",
            Self::BadSeed(_) => "BAD_SEED",
            Self::BadRecord(_) => "BAD_RECORD",
            Self::FalseRecord(_) => "FALSE_RECORD",
            Self::NoSuchSeat { .. } => "NO_SUCH_SEAT",
            Self::Unknown { .. } => "NO_SUCH_VALUE",
            Self::OtherRuleset { .. } => "OTHER_GAME",
            Self::Length { .. } => "WRONG_COUNT",
            Self::OutOfRange { .. } => "OUT_OF_RANGE",
            Self::OutOfMemory { .. } => "OUT_OF_MEMORY",
            Self::NotFinite { .. } => "NOT_FINITE",
        }
    }

    /// The rule that forbids the move or the deal, if there is one.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static str> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "only these two break a rule")]
        match self {
            Self::Illegal { refusal, .. } | Self::BadDeal { refusal, .. } => Some(refusal.rule()),
            _ => None,
        }
    }
}

/// The wrong field of a state.
fn field(bad: &EngineError) -> String {
    let field = bad.field();
    if field.is_empty() { "state".to_owned() } else { field }
}

impl From<Unreadable> for PlayError {
    fn from(bad: Unreadable) -> Self {
        Self::BadRecord(bad.to_string())
    }
}
