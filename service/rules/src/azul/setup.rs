//! "Game setup".

use crate::parts::{PlayerCount, Seat, Side, Source, Stock, Tiles};

use super::{Phase, PlayerBoard, Position};

/// Which game of Azul is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub side: Side,
    pub players: PlayerCount,
    /// The last round that is played, whatever happens: 1 to 255.
    ///
    /// Ruling A7: the rulebook lets players who only fill their floor lines play forever.
    pub round_limit: u8,
}

impl Rules {
    /// Far above real play: uniformly random players need at most a dozen rounds.
    pub const DEFAULT_ROUND_LIMIT: u8 = 50;

    #[must_use]
    pub const fn new(side: Side, players: PlayerCount) -> Self {
        Self { side, players, round_limit: Self::DEFAULT_ROUND_LIMIT }
    }
}

impl Position {
    /// A new game: all tiles in the bag, the first factory display waits to be filled.
    ///
    /// Rulebook: "Game setup". The caller decides who starts; a start seat
    /// that the table does not have becomes the first one, and a round limit of 0 becomes 1.
    #[must_use]
    pub fn new(rules: Rules, start: Seat) -> Self {
        let start = if rules.players.has(start) { start } else { Seat::First };
        Self {
            rules: Rules { round_limit: rules.round_limit.max(1), ..rules },
            phase: Phase::Deal,
            round: 1,
            turn: start,
            start,
            marker: None,
            stock: Stock::new(),
            offer: [Tiles::EMPTY; Source::COUNT],
            boards: [PlayerBoard::EMPTY; 4],
        }
    }
}
