//! "Variant play": the gray wall, where the owner chooses the column.

use crate::parts::{Seat, Witness};

use super::board::Line;
use super::{Color, Column, Event, IllegalMove, Move, MoveList, PlayerBoard, Position, Row, Wall};

impl PlayerBoard {
    /// The columns that take this tile: the cell is free and the column does not show the color.
    pub(super) fn open_columns(&self, row: Row, color: Color) -> impl Iterator<Item = Column> {
        Column::ALL.into_iter().filter(move |&column| {
            !self.wall.is_covered(row, column) && !self.wall.shows_in_column(column, color)
        })
    }
}

impl Wall {
    pub(super) fn shows_in_column(&self, column: Column, color: Color) -> bool {
        Row::ALL.into_iter().any(|row| self.color_at(row, column) == Some(color))
    }
}

impl Position {
    pub(super) fn can_place(&self, seat: Seat, row: Row, color: Color) -> bool {
        self.boards[seat.index()].open_columns(row, color).next().is_some()
    }

    /// Ruling B6: strictly from the top; only the topmost complete line may be laid.
    pub(super) fn collect_placements(&self, moves: &mut MoveList) {
        let board = &self.boards[self.turn.index()];
        if let Some((row, color)) = board.first_complete_line() {
            let columns = board.open_columns(row, color);
            columns.for_each(|column| moves.push(Move::PlaceTile { row, column }));
        }
    }

    pub(super) fn check_placement(&self, row: Row, column: Column) -> Result<(), IllegalMove> {
        let board = &self.boards[self.turn.index()];
        let Some((due, color)) = board.first_complete_line() else {
            return Err(IllegalMove::NotTiling);
        };
        if row != due {
            return Err(IllegalMove::OtherRowDue { row, due });
        }
        if board.wall.is_covered(row, column) {
            return Err(IllegalMove::CellCovered { row, column });
        }
        if board.wall.shows_in_column(column, color) {
            return Err(IllegalMove::ColorInColumn { column, color });
        }
        Ok(())
    }

    pub(super) fn choose_column(
        &mut self,
        row: Row,
        column: Column,
        witness: &mut impl Witness<Event>,
    ) {
        let seat = self.turn;
        if let Some(color) = self.boards[seat.index()].lines[row.index()].color() {
            self.place_tile(seat, row, column, color, witness);
        }
        self.tile_wall_of(seat, witness);
    }

    /// The special case: no column takes the tile, so all tiles of the line fall to the floor.
    ///
    /// Ruling E-1: the older prints lack it; without it the game has a hole.
    pub(super) fn drop_line(
        &mut self,
        seat: Seat,
        row: Row,
        color: Color,
        witness: &mut impl Witness<Event>,
    ) {
        self.boards[seat.index()].lines[row.index()] = Line::EMPTY;
        witness.saw(Event::LineDropped { seat, row, color, tiles: row.spaces() });
        self.drop_tiles(seat, color, row.spaces(), witness);
    }
}
