//! A position of either game, for code that does not depend on which game it is.

use std::fmt;
use std::str::FromStr;

use azulejo_bots::HouseBot;
use azulejo_rules::parts::{BadText, PlayerCount, Seat, Seed, Seeded, Text};
use azulejo_rules::{azul, pavilion};
use thiserror::Error;

use crate::{Ruleset, Score};

/// Runs the same code on the position of either game.
macro_rules! on {
    ($table:expr, $position:ident => $body:expr) => {
        match $table {
            Table::Azul($position) => $body,
            Table::SummerPavilion($position) => $body,
        }
    };
}

/// A position of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    Azul(azul::Position),
    SummerPavilion(pavilion::Position),
}

/// A move of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Azul(azul::Move),
    SummerPavilion(pavilion::Move),
}

/// An event of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Azul(azul::Event),
    SummerPavilion(pavilion::Event),
}

/// A step of a record of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Azul(azul::Step),
    SummerPavilion(pavilion::Step),
}

/// Why a step is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error(transparent)]
    Azul(azul::Defect),
    #[error(transparent)]
    SummerPavilion(pavilion::Defect),
    #[error("this is a move of the other game")]
    OtherGame,
}

impl Table {
    #[must_use]
    pub fn new(ruleset: Ruleset, start: Seat) -> Self {
        match ruleset {
            Ruleset::Azul(rules) => Self::Azul(azul::Position::new(rules, start)),
            Ruleset::SummerPavilion(rules) => {
                Self::SummerPavilion(pavilion::Position::new(rules, start))
            }
        }
    }

    /// A new game in which seat 0 starts.
    #[must_use]
    pub fn start(ruleset: Ruleset) -> Self {
        Self::new(ruleset, Seat::First)
    }

    #[must_use]
    pub const fn ruleset(&self) -> Ruleset {
        match self {
            Self::Azul(position) => Ruleset::Azul(position.rules()),
            Self::SummerPavilion(position) => Ruleset::SummerPavilion(position.rules()),
        }
    }

    #[must_use]
    pub fn players(&self) -> PlayerCount {
        self.ruleset().players()
    }

    /// The seat that has to decide; `None` before a deal and after the end.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        on!(self, position => position.to_move())
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        on!(self, position => position.end().is_some())
    }

    #[must_use]
    pub fn awaits_deal(&self) -> bool {
        on!(self, position => position.awaiting_deal().is_some())
    }

    #[must_use]
    pub fn round(&self) -> u8 {
        on!(self, position => position.round())
    }

    /// The number of sequences of exactly `depth` moves from here.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        on!(self, position => position.perft(depth))
    }

    #[must_use]
    pub fn canonical_hash(&self) -> u64 {
        on!(self, position => position.canonical_hash())
    }

    /// Every legal move, in ascending order of action ids.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Azul(position) => {
                position.legal_moves().iter().copied().map(Move::Azul).collect()
            }
            Self::SummerPavilion(position) => {
                position.legal_moves().iter().copied().map(Move::SummerPavilion).collect()
            }
        }
    }

    /// Parses a move in the notation of this game.
    pub fn read_move(&self, text: &str) -> Result<Move, BadText> {
        match self {
            Self::Azul(_) => text.parse().map(Move::Azul),
            Self::SummerPavilion(_) => text.parse().map(Move::SummerPavilion),
        }
    }

    /// Plays a move. A refused move leaves the position unchanged.
    pub fn play(&mut self, action: Move) -> Result<Vec<Event>, Refusal> {
        match (self, action) {
            (Self::Azul(position), Move::Azul(action)) => {
                let mut events = Vec::new();
                let played = position.play(action, &mut events);
                played.map_err(|illegal| Refusal::Azul(azul::Defect::Move(illegal)))?;
                Ok(events.into_iter().map(Event::Azul).collect())
            }
            (Self::SummerPavilion(position), Move::SummerPavilion(action)) => {
                let mut events = Vec::new();
                let played = position.play(action, &mut events);
                played.map_err(|bad| Refusal::SummerPavilion(pavilion::Defect::Move(bad)))?;
                Ok(events.into_iter().map(Event::SummerPavilion).collect())
            }
            (Self::Azul(_), Move::SummerPavilion(_)) | (Self::SummerPavilion(_), Move::Azul(_)) => {
                Err(Refusal::OtherGame)
            }
        }
    }

    /// Fills the next display from the seed. No event: no deal was due.
    pub fn deal(&mut self, seed: &Seed) -> Vec<Event> {
        match self {
            Self::Azul(position) => {
                let mut events = Vec::new();
                position.deal(&mut Seeded(seed), &mut events);
                events.into_iter().map(Event::Azul).collect()
            }
            Self::SummerPavilion(position) => {
                let mut events = Vec::new();
                position.deal(&mut Seeded(seed), &mut events);
                events.into_iter().map(Event::SummerPavilion).collect()
            }
        }
    }

    /// Carries out a step of a record. A refused step leaves the position unchanged.
    pub fn step(&mut self, step: Step) -> Result<Vec<Event>, Refusal> {
        match (self, step) {
            (Self::Azul(position), Step::Azul(azul::Step::Deal(tiles))) => {
                let mut events = Vec::new();
                let dealt = position.deal_exactly(tiles, &mut events);
                dealt.map_err(|bad| Refusal::Azul(azul::Defect::Deal(bad)))?;
                Ok(events.into_iter().map(Event::Azul).collect())
            }
            (Self::SummerPavilion(position), Step::SummerPavilion(pavilion::Step::Deal(tiles))) => {
                let mut events = Vec::new();
                let dealt = position.deal_exactly(tiles, &mut events);
                dealt.map_err(|bad| Refusal::SummerPavilion(pavilion::Defect::Deal(bad)))?;
                Ok(events.into_iter().map(Event::SummerPavilion).collect())
            }
            (table, Step::Azul(azul::Step::Move(action))) => table.play(Move::Azul(action)),
            (table, Step::SummerPavilion(pavilion::Step::Move(action))) => {
                table.play(Move::SummerPavilion(action))
            }
            (Self::Azul(_), Step::SummerPavilion(_)) | (Self::SummerPavilion(_), Step::Azul(_)) => {
                Err(Refusal::OtherGame)
            }
        }
    }

    /// The move that a house bot chooses.
    #[must_use]
    pub fn choose(&self, bot: HouseBot, seed: u64) -> Option<Move> {
        match self {
            Self::Azul(position) => bot.choose(position, seed).map(Move::Azul),
            Self::SummerPavilion(position) => bot.choose(position, seed).map(Move::SummerPavilion),
        }
    }

    #[must_use]
    pub fn score(&self) -> Score {
        match self {
            Self::Azul(position) => Score::from(&position.score()),
            Self::SummerPavilion(position) => Score::from(&position.score()),
        }
    }
}

impl Step {
    /// The move, if the step is one.
    #[must_use]
    pub const fn as_move(&self) -> Option<Move> {
        match *self {
            Self::Azul(azul::Step::Move(action)) => Some(Move::Azul(action)),
            Self::SummerPavilion(pavilion::Step::Move(action)) => {
                Some(Move::SummerPavilion(action))
            }
            Self::Azul(azul::Step::Deal(_)) | Self::SummerPavilion(pavilion::Step::Deal(_)) => None,
        }
    }

    #[must_use]
    pub const fn is_deal(&self) -> bool {
        matches!(
            self,
            Self::Azul(azul::Step::Deal(_)) | Self::SummerPavilion(pavilion::Step::Deal(_))
        )
    }
}

impl Event {
    /// The step of a record for this event, if it is a deal.
    #[must_use]
    pub fn as_deal(&self) -> Option<Step> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "only one event of each game is a deal")]
        match *self {
            Self::Azul(azul::Event::Dealt { tiles, .. }) => {
                Some(Step::Azul(azul::Step::Deal(tiles)))
            }
            Self::SummerPavilion(pavilion::Event::Dealt { tiles, .. }) => {
                Some(Step::SummerPavilion(pavilion::Step::Deal(tiles)))
            }
            _ => None,
        }
    }
}

impl From<azul::Position> for Table {
    fn from(position: azul::Position) -> Self {
        Self::Azul(position)
    }
}

impl From<pavilion::Position> for Table {
    fn from(position: pavilion::Position) -> Self {
        Self::SummerPavilion(position)
    }
}

impl From<Move> for Step {
    fn from(action: Move) -> Self {
        match action {
            Move::Azul(action) => Self::Azul(azul::Step::Move(action)),
            Move::SummerPavilion(action) => Self::SummerPavilion(pavilion::Step::Move(action)),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        on!(self, position => position.fmt(f))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Azul(action) => action.fmt(f),
            Self::SummerPavilion(action) => action.fmt(f),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Azul(step) => step.fmt(f),
            Self::SummerPavilion(step) => step.fmt(f),
        }
    }
}

/// A text that is not a position of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadTable {
    #[error(transparent)]
    Azul(azul::BadNotation),
    #[error(transparent)]
    SummerPavilion(pavilion::BadNotation),
}

impl BadTable {
    /// The character at which parsing failed, counted from 1; `None` if the text was parsed, but is
    /// not a legal position.
    #[must_use]
    pub const fn at(&self) -> Option<usize> {
        match self {
            Self::Azul(azul::BadNotation::Text(bad))
            | Self::SummerPavilion(pavilion::BadNotation::Text(bad)) => Some(bad.at),
            Self::Azul(azul::BadNotation::Position(_))
            | Self::SummerPavilion(pavilion::BadNotation::Position(_)) => None,
        }
    }
}

impl FromStr for Table {
    type Err = BadTable;

    fn from_str(text: &str) -> Result<Self, BadTable> {
        match Text::new(text).next_word().map(|word| word.text) {
            Some("summer-pavilion") => {
                text.parse().map(Self::SummerPavilion).map_err(BadTable::SummerPavilion)
            }
            _ => text.parse().map(Self::Azul).map_err(BadTable::Azul),
        }
    }
}
