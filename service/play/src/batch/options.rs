//! How the games of a batch are set up.

use std::str::FromStr;

use azulejo_engine::HouseBot;

use crate::{PlayError, Returns};

/// How the games of a batch are set up.
#[derive(Clone, Debug, Default)]
pub struct BatchOptions {
    /// Decides all deals and everything else that is random.
    pub seed: u64,
    /// The seat that starts each game.
    pub start: StartSeat,
    pub returns: Returns,
    pub view: View,
    /// One seat of each game is the caller's, and house bots play the others.
    pub learner: Option<Learner>,
}

/// The seat that starts, or that learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartSeat {
    /// Always the same.
    Fixed(usize),
    /// The next one in every game.
    Rotating,
    Random,
}

impl Default for StartSeat {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

/// Which seat an observation begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The seat that has to decide.
    #[default]
    Seat,
    /// Always the first one.
    Table,
}

/// One seat learns, and a house bot plays the others.
#[derive(Clone, Copy, Debug)]
pub struct Learner {
    pub seat: StartSeat,
    pub opponents: HouseBot,
}

impl FromStr for StartSeat {
    type Err = PlayError;

    /// `rotating`, `random`, or the number of a seat.
    fn from_str(name: &str) -> Result<Self, PlayError> {
        match name {
            "rotating" => Ok(Self::Rotating),
            "random" => Ok(Self::Random),
            _ => name.parse().map(Self::Fixed).map_err(|_| {
                PlayError::unknown("seat", name, "the number of a seat, rotating or random")
            }),
        }
    }
}

impl FromStr for View {
    type Err = PlayError;

    fn from_str(name: &str) -> Result<Self, PlayError> {
        match name {
            "seat" => Ok(Self::Seat),
            "table" => Ok(Self::Table),
            _ => Err(PlayError::unknown("view", name, "seat or table")),
        }
    }
}
