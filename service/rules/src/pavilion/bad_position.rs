use thiserror::Error;

use crate::parts::{Factory, PlayerCount, Seat};

use super::{Color, Display, FEWEST_POINTS, Space, Star};

/// Why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPosition {
    #[error("{players:?} players have {} boards, not {found}", players.seats())]
    BoardCount { players: PlayerCount, found: usize },
    #[error("{players:?} players have {} factory displays, not {found}", Factory::of(*players).len())]
    FactoryCount { players: PlayerCount, found: usize },
    #[error("round {round} is not between 1 and 6")]
    RoundOutOfRange { round: u8 },
    #[error("{seat:?} seat is to move, but the table has no such seat")]
    TurnSeat { seat: Seat },
    #[error("{seat:?} seat starts, but the table has no such seat")]
    StartSeat { seat: Seat },
    #[error("{seat:?} seat holds the token, but the table has no such seat")]
    TokenSeat { seat: Seat },
    #[error("{seat:?} seat has passed, but the table has no such seat")]
    PassedSeat { seat: Seat },
    #[error("factory display {factory} holds {tiles} tiles, more than four")]
    FactoryOverfull { factory: Factory, tiles: u8 },
    #[error(
        "the center holds {tiles} tiles, more than {most}: three from each empty factory display"
    )]
    CenterOverfull { tiles: u8, most: u8 },
    #[error("the supply holds {tiles} tiles, more than ten")]
    SupplyOverfull { tiles: u8 },
    #[error("the supply holds {tiles} tiles and must have been topped up")]
    SupplyShort { tiles: u8 },
    #[error("there are {found} {color} tiles, not 22")]
    TilesNotConserved { color: Color, found: u16 },
    #[error("{drawn} tiles drawn so far cannot be: {least} to {most}")]
    DrawnOutOfRange { drawn: u32, least: u32, most: u32 },
    #[error("{seat:?} seat has {points} points; its stars score {FEWEST_POINTS} to {most}")]
    PointsOutOfRange { seat: Seat, points: u16, most: u16 },
    #[error("{seat:?} seat's {star} cannot hold {color} on space {}", space.number())]
    StarColor { seat: Seat, star: Star, space: Space, color: Color },
    #[error("{seat:?} seat has passed with {tiles} tiles, more than four")]
    TooManyKept { seat: Seat, tiles: u8 },
    #[error("factory displays and center are empty, so no tile can be taken")]
    OfferEmpty,
    #[error("factory displays and center must be empty now")]
    OfferNotEmpty,
    #[error("nothing waits to be filled")]
    NothingToDeal,
    #[error("{display} is not filled in order")]
    DealOutOfOrder { display: Display },
    #[error("a seat has passed, but this is not phase 2")]
    PassedTooEarly,
    #[error("{seat:?} seat is to move and has passed")]
    TurnPassed { seat: Seat },
    #[error("the token must lie in the center now")]
    TokenNotReturned,
    #[error("the turn must be the start seat's now")]
    TurnNotStart,
    #[error("{due} bonus tiles cannot be due: 1 to 3, and no more than the supply has")]
    BonusOutOfRange { due: u8 },
    #[error("{seat:?} seat's board earns no {due} bonus tiles")]
    BonusNotEarned { seat: Seat, due: u8 },
    #[error("{seat:?} seat has no choice what to keep")]
    NothingToKeep { seat: Seat },
    #[error("the game is over only when all have passed in round 6")]
    EndNotReached,
}
