//! A whole game as one line: the rules, the start seat, and every deal and move in order.
//!
//! `azul colored 2 limit 50 start 0 [B2YR] [BYKW] … 3B2 1Y4 …`. A deal stands in brackets, so a
//! record can be replayed without the seed.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::parts::{BadDeal, BadText, Seat, Text, Tiles, Word};

use super::{Color, IllegalMove, Move, Position, Rules};

/// One step of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Deal(Tiles<Color>),
    Move(Move),
}

/// A whole game, or its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub rules: Rules,
    pub start: Seat,
    pub steps: Vec<Step>,
}

/// The first step of a record that cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("step {step}: {defect}")]
pub struct BadRecord {
    /// Counted from 1; 0 is the setup.
    pub step: usize,
    pub defect: Defect,
}

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    #[error("the table has no such start seat, or the round limit is 0")]
    Setup,
    #[error("illegal move: {0}")]
    Move(#[from] IllegalMove),
    #[error("impossible deal: {0}")]
    Deal(#[from] BadDeal<Color>),
}

impl Record {
    #[must_use]
    pub const fn new(rules: Rules, start: Seat) -> Self {
        Self { rules, start, steps: Vec::new() }
    }

    /// Plays the record and returns where it leads.
    pub fn replay(&self) -> Result<Position, BadRecord> {
        if !self.rules.players.has(self.start) || self.rules.round_limit == 0 {
            return Err(BadRecord { step: 0, defect: Defect::Setup });
        }
        let mut position = Position::new(self.rules, self.start);
        for (index, &step) in self.steps.iter().enumerate() {
            position.step(step).map_err(|defect| BadRecord { step: index + 1, defect })?;
        }
        Ok(position)
    }
}

impl Position {
    /// Carries out a step of a record. A refused one leaves the position as it was.
    pub fn step(&mut self, step: Step) -> Result<(), Defect> {
        match step {
            Step::Deal(tiles) => Ok(self.deal_exactly(tiles, &mut ())?),
            Step::Move(action) => Ok(self.play(action, &mut ())?),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal(tiles) => write!(f, "[{tiles}]"),
            Self::Move(action) => action.fmt(f),
        }
    }
}

impl Step {
    fn read(word: Word<'_>) -> Result<Self, BadText> {
        let Some(deal) = word.text.strip_prefix('[') else {
            return Move::read(word).map(Self::Move);
        };
        let tiles = deal.strip_suffix(']').ok_or(word.expected("']' at the end of a deal"))?;
        word.part(tiles, 1).tiles().map(Self::Deal)
    }
}

impl FromStr for Step {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        Text::new(text).only(Self::read)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} limit {}", self.rules, self.rules.round_limit)?;
        write!(f, " start {}", self.start.index())?;
        self.steps.iter().try_for_each(|step| write!(f, " {step}"))
    }
}

impl FromStr for Record {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        let text = &mut Text::new(text);
        let (side, players) = Rules::read(text)?;
        text.keyword("limit")?;
        let round_limit = text.word("a round limit")?.number("a round limit, 1 to 255")?;
        text.keyword("start")?;
        let start = text.word("a seat")?.seat()?;
        let mut record = Self::new(Rules { side, players, round_limit }, start);
        while let Some(word) = text.next_word() {
            record.steps.push(Step::read(word)?);
        }
        Ok(record)
    }
}
