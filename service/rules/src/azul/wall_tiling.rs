//! "B. Wall-tiling".

use crate::parts::{Seat, Side, Witness};

use super::board::{FLOOR_PENALTIES, Line};
use super::{Color, Column, Event, Phase, Position, Row, Wall};

/// Length of the run of set bits around each bit of a group of five.
const RUNS: [[u8; 5]; 32] = {
    let mut runs = [[0; 5]; 32];
    let mut bits = 0;
    while bits < 32 {
        let mut at = 0;
        while at < 5 {
            let (mut low, mut high) = (at, at);
            while low > 0 && bits >> (low - 1) & 1 == 1 {
                low -= 1;
            }
            while high < 4 && bits >> (high + 1) & 1 == 1 {
                high += 1;
            }
            runs[bits][at] = (high - low + 1) as u8;
            at += 1;
        }
        bits += 1;
    }
    runs
};

/// Points for the tile just placed.
///
/// Rulebook: "B. Wall-tiling", Scoring. A tile without neighbors scores 1; otherwise it scores its
/// horizontal line and its vertical line, and a line of one does not count.
#[must_use]
pub fn tile_score(wall: &Wall, row: Row, column: Column) -> u16 {
    let across = RUNS[wall.across(row) as usize][column.index()];
    let down = RUNS[wall.down(column) as usize][row.index()];
    u16::from(match (across, down) {
        (1, 1) => 1,
        (across, 1) => across,
        (1, down) => down,
        (across, down) => across + down,
    })
}

impl Position {
    /// Everyone tiles the wall: marker holder first, then clockwise.
    ///
    /// Rulebook: all at the same time; the order does not matter, since players share only the lid.
    pub(super) fn tile_walls(&mut self, witness: &mut impl Witness<Event>) {
        self.tile_wall_of(self.next_start(), witness);
    }

    /// The seat that starts the next round: the holder of the marker.
    ///
    /// Ruling A5: if no player took it, the start player stays the same.
    #[inline]
    pub(super) fn next_start(&self) -> Seat {
        self.marker.unwrap_or(self.start)
    }

    /// Goes on tiling with this seat, and then with those after it, until a player has a choice or
    /// all are done.
    pub(super) fn tile_wall_of(&mut self, seat: Seat, witness: &mut impl Witness<Event>) {
        let first = self.next_start();
        let mut seat = seat;
        loop {
            while let Some((row, color)) = self.boards[seat.index()].first_complete_line() {
                match self.rules.side {
                    Side::Colored => {
                        self.place_tile(seat, row, Wall::column_of(row, color), color, witness);
                    }
                    Side::Gray if self.can_place(seat, row, color) => {
                        self.phase = Phase::Tiling;
                        self.turn = seat;
                        return;
                    }
                    Side::Gray => self.drop_line(seat, row, color, witness),
                }
            }
            self.clear_floor(seat, witness);
            seat = seat.clockwise(self.rules.players);
            if seat == first {
                return self.end_round(witness);
            }
        }
    }

    /// Moves a tile of the complete line to the wall; the other tiles of the line go to the lid.
    #[inline]
    pub(super) fn place_tile(
        &mut self,
        seat: Seat,
        row: Row,
        column: Column,
        color: Color,
        witness: &mut impl Witness<Event>,
    ) {
        let board = &mut self.boards[seat.index()];
        board.wall.place(row, column, color);
        board.lines[row.index()] = Line::EMPTY;
        let points = tile_score(&board.wall, row, column);
        board.points += points;
        self.stock.discards.put(color, row.spaces() - 1);
        witness.saw(Event::TilePlaced { seat, row, column, color, points });
    }

    /// The floor line costs its points, never more than there are, and is cleared into the lid.
    fn clear_floor(&mut self, seat: Seat, witness: &mut impl Witness<Event>) {
        let covered = self.floor_spaces_covered(seat);
        if covered == 0 {
            return;
        }
        let board = &mut self.boards[seat.index()];
        let penalty = FLOOR_PENALTIES[usize::from(covered)];
        let lost = penalty.min(board.points);
        board.points -= lost;
        self.stock.discards += board.floor.take();
        witness.saw(Event::FloorCleared { seat, penalty, lost });
    }
}
