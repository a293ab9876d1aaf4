//! What a legal move does, without playing it: so that a simple bot needs no arithmetic of its own.

use crate::parts::{Side, Source};

use super::board::FLOOR_PENALTIES;
use super::{Color, Column, Destination, FLOOR_SPACES, Move, Position, Row, Wall, tile_score};

/// What a legal move does, as far as it is certain before the next deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Tiles taken from the source.
    pub taken: u8,
    /// Tiles that fit on the pattern line.
    pub to_line: u8,
    /// Tiles that fall to the floor line.
    pub to_floor: u8,
    /// Tiles that go to the lid because the floor line is full.
    pub to_lid: u8,
    pub takes_marker: bool,
    pub completes_line: bool,
    /// Points for the tile on the wall: what a placement scores, or what the tile of a line that the
    /// move completes would score on the colored wall as it is now.
    pub wall_points: u16,
    /// How much more the floor line costs because of the move.
    pub floor_penalty: u16,
}

impl Position {
    /// The effect of a legal move. For an illegal one the numbers mean nothing.
    #[must_use]
    pub fn effect(&self, action: Move) -> Effect {
        match action {
            Move::Take { source, color, destination } => {
                self.effect_of_take(source, color, destination)
            }
            Move::PlaceTile { row, column } => {
                let line = self.boards[self.turn.index()].lines[row.index()];
                let color = line.color().unwrap_or(Color::ALL[0]);
                Effect { wall_points: self.points_for(row, column, color), ..Effect::default() }
            }
        }
    }

    fn effect_of_take(&self, source: Source, color: Color, destination: Destination) -> Effect {
        let board = &self.boards[self.turn.index()];
        let taken = self.offer[source.index()].count(color);
        let takes_marker = source == Source::Center && self.marker.is_none();
        let (mut to_line, mut completes_line, mut wall_points) = (0, false, 0);
        if let Destination::Line(row) = destination {
            let before = board.lines[row.index()].tiles();
            to_line = taken.min(row.spaces().saturating_sub(before));
            completes_line = before + to_line == row.spaces();
            if completes_line && self.rules.side == Side::Colored {
                wall_points = self.points_for(row, Wall::column_of(row, color), color);
            }
        }
        // The marker occupies a space before the tiles do.
        let before = self.floor_spaces_covered(self.turn);
        let covered = (before + u8::from(takes_marker)).min(FLOOR_SPACES);
        let surplus = taken - to_line;
        let to_floor = surplus.min(FLOOR_SPACES - covered);
        let penalty = |spaces: u8| FLOOR_PENALTIES[usize::from(spaces)];
        Effect {
            taken,
            to_line,
            to_floor,
            to_lid: surplus - to_floor,
            takes_marker,
            completes_line,
            wall_points,
            floor_penalty: penalty(covered + to_floor) - penalty(before),
        }
    }

    /// Points that a tile would score on the wall of the seat to move.
    fn points_for(&self, row: Row, column: Column, color: Color) -> u16 {
        let mut wall = self.boards[self.turn.index()].wall;
        wall.place(row, column, color);
        tile_score(&wall, row, column)
    }
}
