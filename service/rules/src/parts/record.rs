use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

use super::{BadDeal, BadText, Seat, Text, TileColor, Tiles, Word};

/// One step of a game: a deal or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<C: TileColor, M> {
    /// `[B2YR]`
    Deal(Tiles<C>),
    Move(M),
}

/// A whole game, or its beginning: the rules, the start seat, and every deal and move in order.
///
/// It contains the deals, so it can be replayed without the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<R, C: TileColor, M> {
    pub rules: R,
    pub start: Seat,
    pub steps: Vec<Step<C, M>>,
}

/// The first impossible step of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("step {step}: {defect}")]
pub struct BadRecord<D: fmt::Display> {
    /// Counted from 1; 0 is the setup.
    pub step: usize,
    pub defect: D,
}

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Defect<C: TileColor, I: fmt::Display> {
    #[error("invalid setup: the start seat does not exist, or the round limit is 0")]
    Setup,
    #[error("illegal move: {0}")]
    Move(I),
    #[error("impossible deal: {0}")]
    Deal(BadDeal<C>),
}

impl<R, C: TileColor, M> Record<R, C, M> {
    #[must_use]
    pub const fn new(rules: R, start: Seat) -> Self {
        Self { rules, start, steps: Vec::new() }
    }

    /// Reads the start seat and the steps.
    pub(crate) fn read(
        rules: R,
        text: &mut Text<'_>,
        read_move: impl Fn(Word<'_>) -> Result<M, BadText>,
    ) -> Result<Self, BadText> {
        text.keyword("start")?;
        let mut record = Self::new(rules, text.word("a seat")?.seat()?);
        while let Some(word) = text.next_word() {
            record.steps.push(Step::read(word, &read_move)?);
        }
        Ok(record)
    }
}

impl<C: TileColor, M> Step<C, M> {
    fn read(
        word: Word<'_>,
        read_move: impl Fn(Word<'_>) -> Result<M, BadText>,
    ) -> Result<Self, BadText> {
        let Some(deal) = word.text.strip_prefix('[') else {
            return read_move(word).map(Self::Move);
        };
        let tiles = deal.strip_suffix(']').ok_or(word.expected("']' at the end of a deal"))?;
        word.part(tiles, 1).tiles().map(Self::Deal)
    }
}

impl<C: TileColor, M: fmt::Display> fmt::Display for Step<C, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal(tiles) => write!(f, "[{tiles}]"),
            Self::Move(action) => action.fmt(f),
        }
    }
}

impl<R: fmt::Display, C: TileColor, M: fmt::Display> fmt::Display for Record<R, C, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} start {}", self.rules, self.start.index())?;
        self.steps.iter().try_for_each(|step| write!(f, " {step}"))
    }
}
