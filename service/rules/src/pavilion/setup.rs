//! "Game setup".

use crate::parts::{PlayerCount, Seat, SeatSet, Side, Source, Stock, Tiles};

use super::{Phase, PlayerBoard, Position};

/// Which game of Summer Pavilion is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub side: Side,
    pub players: PlayerCount,
}

impl Rules {
    #[must_use]
    pub const fn new(side: Side, players: PlayerCount) -> Self {
        Self { side, players }
    }
}

impl Position {
    /// A new game: all tiles in the bag, the supply waits to be filled.
    ///
    /// Rulebook: "Game setup". The caller decides who starts; a start seat that the
    /// table does not have becomes the first one.
    #[must_use]
    pub fn new(rules: Rules, start: Seat) -> Self {
        let start = if rules.players.has(start) { start } else { Seat::First };
        Self {
            rules,
            phase: Phase::Deal,
            round: 1,
            turn: start,
            start,
            token: None,
            passed: SeatSet::NONE,
            stock: Stock::new(),
            supply: Tiles::EMPTY,
            offer: [Tiles::EMPTY; Source::COUNT],
            boards: [PlayerBoard::EMPTY; 4],
        }
    }
}
