//! Azul: draft tiles from the factories, fill pattern lines, tile the wall.
//!
//! One file per heading of the rulebook; this one knows their order:
//!
//! | phase | decided by | next |
//! |---|---|---|
//! | [`Phase::Deal`] | a deal | `Deal` until the factory displays are filled, then `Offer` |
//! | [`Phase::Offer`] | [`Move::Take`] | `Offer` while tiles remain; then the walls are tiled: `Deal`, or `Over`; on the gray wall `Tiling` when a player has a choice |
//! | [`Phase::Tiling`] | [`Move::PlaceTile`] | `Tiling` while a player has a choice; then `Deal` or `Over` |
//! | [`Phase::Over`] | nothing | |

mod bad_position;
mod board;
mod color;
mod effect;
mod end_of_game;
mod event;
mod factory_offer;
mod gray_wall;
mod hash;
mod mask;
mod moves;
mod next_round;
mod notation;
mod observation;
mod perft;
mod position;
mod record;
mod setup;
mod wall_tiling;

use thiserror::Error;

pub use bad_position::BadPosition;
pub use board::{Column, FLOOR_PENALTIES, FLOOR_SPACES, PatternLine, PlayerBoard, Row, Wall};
pub use color::Color;
pub use effect::Effect;
pub use end_of_game::{COLOR_BONUS, COLUMN_BONUS, GameEnd, ROW_BONUS, Score, SeatScore};
pub use event::Event;
pub use mask::MOST_IDS;
pub use moves::{ActionId, Destination, Move, MoveList, action_count};
pub use notation::BadNotation;
pub use observation::observation_size;
pub use position::{BoardSetup, Setup};
pub use record::{BadRecord, Defect, Record, Step};
pub use setup::Rules;
pub use wall_tiling::tile_score;

use crate::parts::{Factory, Offer, Seat, Source, Stock, Tiles, Witness};

/// What has to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A factory display waits to be filled.
    Deal,
    /// The player whose turn it is takes tiles.
    Offer,
    /// Gray wall: the player whose turn it is lays the topmost complete line.
    Tiling,
    Over(GameEnd),
}

/// A position that obeys every rule. It holds no secret: no seed, and no order of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    boards: [PlayerBoard; 4],
    offer: Offer<Color>,
    stock: Stock<Color>,
    rules: Rules,
    phase: Phase,
    round: u8,
    turn: Seat,
    /// The seat that started this round.
    start: Seat,
    /// The seat that holds the starting player marker; `None` while it is in the center.
    marker: Option<Seat>,
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    #[error("the game is over")]
    GameOver,
    #[error("a factory display waits to be filled before anyone can move")]
    DealDue,
    #[error("tiles are taken in the factory offer only; now the walls are tiled")]
    NotOffering,
    #[error("no place on the wall is to be chosen now")]
    NotTiling,
    #[error("this table has no factory display {factory}")]
    NoSuchFactory { factory: Factory },
    #[error("no {color} tiles there")]
    ColorAbsent { place: Source, color: Color },
    #[error("pattern line {} holds {held} tiles", row.spaces())]
    LineHoldsOtherColor { row: Row, held: Color },
    #[error("pattern line {} is complete", row.spaces())]
    LineComplete { row: Row },
    #[error("row {} of the wall shows {color} already", row.spaces())]
    ColorOnWall { row: Row, color: Color },
    #[error("line {} is first: lines are tiled from the top", due.spaces())]
    OtherRowDue { row: Row, due: Row },
    #[error("row {}, column {} is covered", row.spaces(), column.index() + 1)]
    CellCovered { row: Row, column: Column },
    #[error("column {} shows {color} already", column.index() + 1)]
    ColorInColumn { column: Column, color: Color },
}

impl Position {
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    #[must_use]
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The current round, counted from 1.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.round
    }

    /// The seat that has to decide; `None` before a deal and after the end.
    #[must_use]
    pub const fn to_move(&self) -> Option<Seat> {
        match self.phase {
            Phase::Offer | Phase::Tiling => Some(self.turn),
            Phase::Deal | Phase::Over(_) => None,
        }
    }

    /// The seat that started this round, or starts the one that is being dealt.
    #[must_use]
    pub const fn start(&self) -> Seat {
        self.start
    }

    /// The seat that holds the starting player marker; `None` while it is in the center.
    #[must_use]
    pub const fn marker(&self) -> Option<Seat> {
        self.marker
    }

    /// The tiles of a factory display.
    #[must_use]
    pub const fn factory(&self, factory: Factory) -> Tiles<Color> {
        self.offer[Source::Factory(factory).index()]
    }

    #[must_use]
    pub const fn center(&self) -> Tiles<Color> {
        self.offer[Source::Center.index()]
    }

    /// Bag and lid, by count.
    #[must_use]
    pub const fn stock(&self) -> &Stock<Color> {
        &self.stock
    }

    #[must_use]
    pub const fn board(&self, seat: Seat) -> &PlayerBoard {
        &self.boards[seat.index()]
    }

    /// Every legal move, in ascending order of action ids; none before a deal or after the end.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.collect_moves(&mut moves);
        moves
    }

    /// The same into a given list, which is cleared first.
    #[inline]
    pub fn collect_moves(&self, moves: &mut MoveList) {
        moves.clear();
        match self.phase {
            Phase::Offer => self.collect_takes(moves),
            Phase::Tiling => self.collect_placements(moves),
            Phase::Deal | Phase::Over(_) => {}
        }
    }

    /// How many legal moves there are.
    #[must_use]
    #[inline]
    pub fn count_moves(&self) -> u32 {
        match self.phase {
            Phase::Offer => self.count_takes(),
            Phase::Tiling => self.legal_moves().len() as u32,
            Phase::Deal | Phase::Over(_) => 0,
        }
    }

    /// Whether the move is legal, and if not, why.
    pub fn check(&self, action: Move) -> Result<(), IllegalMove> {
        match (self.phase, action) {
            (Phase::Over(_), _) => Err(IllegalMove::GameOver),
            (Phase::Deal, _) => Err(IllegalMove::DealDue),
            (Phase::Offer, Move::Take { source, color, destination }) => {
                self.check_take(source, color, destination)
            }
            (Phase::Tiling, Move::PlaceTile { row, column }) => self.check_placement(row, column),
            (Phase::Offer, Move::PlaceTile { .. }) => Err(IllegalMove::NotTiling),
            (Phase::Tiling, Move::Take { .. }) => Err(IllegalMove::NotOffering),
        }
    }

    /// Plays a move. A refused move leaves the position unchanged.
    pub fn play(
        &mut self,
        action: Move,
        witness: &mut impl Witness<Event>,
    ) -> Result<(), IllegalMove> {
        self.check(action)?;
        self.play_unchecked(action, witness);
        Ok(())
    }

    /// Plays a move that is known to be legal, for search.
    ///
    /// With an illegal move the position becomes invalid, and may panic later.
    #[inline]
    pub fn play_unchecked(&mut self, action: Move, witness: &mut impl Witness<Event>) {
        match action {
            Move::Take { source, color, destination } => {
                self.take(source, color, destination, witness);
            }
            Move::PlaceTile { row, column } => self.choose_column(row, column, witness),
        }
    }
}
