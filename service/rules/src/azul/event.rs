use crate::parts::{Factory, Seat, Source, Tiles};

use super::{Color, Column, GameEnd, Row};

/// Something that happened while a move or a deal was carried out, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Tiles left a factory display or the center.
    Took {
        seat: Seat,
        source: Source,
        color: Color,
        tiles: u8,
    },
    /// The starting player marker came along, and lies on the floor line if that has room.
    MarkerTaken {
        seat: Seat,
    },
    LaidOnLine {
        seat: Seat,
        row: Row,
        color: Color,
        tiles: u8,
    },
    FellToFloor {
        seat: Seat,
        color: Color,
        tiles: u8,
    },
    /// The floor line was full: straight into the lid.
    FellToLid {
        seat: Seat,
        color: Color,
        tiles: u8,
    },
    TilePlaced {
        seat: Seat,
        row: Row,
        column: Column,
        color: Color,
        points: u16,
    },
    /// Gray wall: no column took the tile, so the whole line falls.
    LineDropped {
        seat: Seat,
        row: Row,
        color: Color,
        tiles: u8,
    },
    /// The floor line was cleared. `lost` is what the score track gave, at most the penalty.
    FloorCleared {
        seat: Seat,
        penalty: u16,
        lost: u16,
    },
    RoundBegan {
        round: u8,
        start: Seat,
    },
    /// The bag was empty: the lid was tipped into it.
    LidTipped {
        tiles: Tiles<Color>,
    },
    Dealt {
        factory: Factory,
        tiles: Tiles<Color>,
    },
    Bonus {
        seat: Seat,
        rows: u8,
        columns: u8,
        colors: u8,
        points: u16,
    },
    GameEnded {
        end: GameEnd,
    },
}
