use thiserror::Error;

use crate::parts::{Factory, PlayerCount, Seat};

use super::{Color, Column, GameEnd, Row};

/// Why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPosition {
    #[error("{players:?} players have {} boards, not {found}", players.seats())]
    BoardCount { players: PlayerCount, found: usize },
    #[error("{players:?} players have {} factory displays, not {found}", Factory::of(*players).len())]
    FactoryCount { players: PlayerCount, found: usize },
    #[error("the round limit is at least 1")]
    NoRounds,
    #[error("round {round} is not between 1 and the limit of {limit}")]
    RoundOutOfRange { round: u8, limit: u8 },
    #[error("{seat:?} seat is to move, but the table has no such seat")]
    TurnSeat { seat: Seat },
    #[error("{seat:?} seat starts, but the table has no such seat")]
    StartSeat { seat: Seat },
    #[error("{seat:?} seat holds the marker, but the table has no such seat")]
    MarkerSeat { seat: Seat },
    #[error("factory display {factory} holds {tiles} tiles, more than four")]
    FactoryOverfull { factory: Factory, tiles: u8 },
    #[error(
        "the center holds {tiles} tiles, more than {most}: three from each empty factory display"
    )]
    CenterOverfull { tiles: u8, most: u8 },
    #[error("there are {found} {color} tiles, not 20")]
    TilesNotConserved { color: Color, found: u16 },
    #[error("{drawn} tiles drawn so far cannot be: {least} to {most}")]
    DrawnOutOfRange { drawn: u32, least: u32, most: u32 },
    #[error("{seat:?} seat has {points} points, more than the {most} that its wall can score")]
    PointsOutOfRange { seat: Seat, points: u16, most: u16 },
    #[error("{seat:?} seat's colored wall has no {color} in row {}, column {}", row.spaces(), column.index() + 1)]
    WallColorMisplaced { seat: Seat, row: Row, column: Column, color: Color },
    #[error("{seat:?} seat's wall shows {color} twice in row {}", row.spaces())]
    ColorTwiceInRow { seat: Seat, row: Row, color: Color },
    #[error("{seat:?} seat's wall shows {color} twice in column {}", column.index() + 1)]
    ColorTwiceInColumn { seat: Seat, column: Column, color: Color },
    #[error("{seat:?} seat's pattern line {} cannot hold {tiles} tiles", row.spaces())]
    LineLength { seat: Seat, row: Row, tiles: u8 },
    #[error("{seat:?} seat's pattern line {} holds {color}, which its row of the wall shows already", row.spaces())]
    LineColorOnWall { seat: Seat, row: Row, color: Color },
    #[error("{seat:?} seat's floor line holds {tiles} tiles, more than seven")]
    FloorOverfull { seat: Seat, tiles: u8 },
    #[error("factory displays and center are empty, so no tile can be taken")]
    OfferEmpty,
    #[error("factory displays and center must be empty now")]
    OfferNotEmpty,
    #[error("the deal is done: no factory display waits for tiles")]
    NothingToDeal,
    #[error("factory display {factory} is not filled in order")]
    DealOutOfOrder { factory: Factory },
    #[error("{seat:?} seat has a complete row, so the game is over")]
    RowAlreadyComplete { seat: Seat },
    #[error("{seat:?} seat has a complete pattern line left after the tiling")]
    LineNotTiled { seat: Seat, row: Row },
    #[error("{seat:?} seat's floor line is not cleared after the tiling")]
    FloorNotCleared { seat: Seat },
    #[error("the marker must lie in the center now")]
    MarkerNotReturned,
    #[error("the turn must be the start seat's now")]
    TurnNotStart,
    #[error("a column is chosen on the gray wall only")]
    TilingOnColoredWall,
    #[error("{seat:?} seat is to place a tile, but has none that fits")]
    NothingToPlace { seat: Seat },
    #[error("the game did not end this way")]
    EndNotReached { end: GameEnd },
}
