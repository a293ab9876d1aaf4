use crate::parts::{Seat, Source, Tiles};

use super::{Color, Display, Space, Star};

/// Something that happened while a move or a deal was carried out, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Tiles left a factory display or the center; `wilds` of them are wild tiles that came along.
    Took {
        seat: Seat,
        source: Source,
        color: Color,
        tiles: u8,
        wilds: u8,
    },
    /// The start player token came along and cost points.
    TokenTaken {
        seat: Seat,
        lost: u16,
    },
    /// Phase 2 begins.
    PlacingBegan {
        seat: Seat,
    },
    Placed {
        seat: Seat,
        star: Star,
        space: Space,
        color: Color,
        wilds: u8,
        points: u16,
    },
    /// Pillars, statues or windows are surrounded: this many tiles from the supply.
    BonusEarned {
        seat: Seat,
        tiles: u8,
    },
    BonusTaken {
        seat: Seat,
        tiles: Tiles<Color>,
    },
    Passed {
        seat: Seat,
        kept: Tiles<Color>,
        thrown: Tiles<Color>,
        lost: u16,
    },
    RoundBegan {
        round: u8,
        start: Seat,
        wild: Color,
    },
    /// The bag was empty: the tower was tipped into it.
    TowerTipped {
        tiles: Tiles<Color>,
    },
    Dealt {
        display: Display,
        tiles: Tiles<Color>,
    },
    /// The end of the game: bonuses for stars and numbers, and what the kept tiles cost.
    FinalScore {
        seat: Seat,
        stars: u16,
        numbers: u16,
        lost: u16,
    },
    GameEnded,
}
