//! Why a call failed, as the host reads it.

use azulejo_play::PlayError;
use serde::Serialize;
use thiserror::Error;

/// Why a call failed.
#[derive(Debug, Error)]
pub enum Failure {
    #[error(transparent)]
    Refused(#[from] PlayError),
    #[error("handle {0} does not exist, or was freed")]
    Handle(u32),
    #[error("the input has {length} bytes, but the buffer has {size}")]
    Input { length: u32, size: usize },
    #[error("the input is not UTF-8")]
    NotText,
    #[error("seat {0} does not exist: seats are numbered from 0")]
    NoSuchSeat(String),
    #[error("too many {0}: close some of them")]
    TooMany(&'static str),
    #[error("{bytes} bytes are more than the memory has left")]
    OutOfMemory { bytes: usize },
}

#[derive(Serialize)]
struct Shown<'a> {
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    message: String,
}

impl Failure {
    /// The stable reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Refused(error) => error.reason(),
            Self::Handle(_) => "CLOSED",
            Self::Input { .. } => "OUT_OF_RANGE",
            Self::NotText => "BAD_MESSAGE",
            Self::NoSuchSeat(_) => "NO_SUCH_SEAT",
            // Not TOO_MANY, which says that a state has too many of something.
            Self::TooMany(_) => "TOO_MANY_OPEN",
            Self::OutOfMemory { .. } => "OUT_OF_MEMORY",
        }
    }

    const fn rule(&self) -> Option<&'static str> {
        if let Self::Refused(error) = self { error.rule() } else { None }
    }

    /// One JSON object: `reason`, `rule` if a rule forbids it, and `message`.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        let shown = Shown { reason: self.reason(), rule: self.rule(), message: self.to_string() };
        serde_json::to_vec(&shown).unwrap_or_default()
    }
}
