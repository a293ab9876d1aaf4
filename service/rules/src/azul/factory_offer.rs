//! "A. Factory offer".

use crate::parts::{Factory, Seat, Source, Tiles, Witness};

use super::board::{FLOOR_SPACES, Line};
use super::moves::TAKES;
use super::{Color, Destination, Event, IllegalMove, MoveList, PlayerBoard, Position, Row};

/// Set bits of a number below 32.
const BITS_SET: [u8; 32] = {
    let mut table = [0; 32];
    let mut number: usize = 0;
    while number < 32 {
        table[number] = number.count_ones() as u8;
        number += 1;
    }
    table
};

impl Position {
    /// Whether nothing is left to take. The marker does not count: it is not a tile.
    #[inline]
    pub(super) fn offer_is_empty(&self) -> bool {
        self.offer.iter().all(|tiles| tiles.is_empty())
    }

    #[inline]
    pub(super) fn collect_takes(&self, moves: &mut MoveList) {
        let open = self.boards[self.turn.index()].open_lines();
        let rows = Color::ALL.map(|color| open.rows(color));
        let sources = Source::of(self.rules.players).len();
        for (takes, tiles) in TAKES.iter().zip(&self.offer[..sources]) {
            for color in Color::ALL {
                if tiles.holds(color) {
                    moves.push_takes(&takes[color.index()][rows[color.index()]]);
                }
            }
        }
    }

    /// How many takes there are, without listing them.
    #[inline]
    pub(super) fn count_takes(&self) -> u32 {
        let open = self.boards[self.turn.index()].open_lines();
        let offers = self.offer.iter().fold(Tiles::EMPTY, |all, tiles| all + tiles.presence());
        Color::ALL.into_iter().fold(0, |takes, color| {
            takes + u32::from(offers.count(color)) * u32::from(BITS_SET[open.rows(color)] + 1)
        })
    }

    pub(super) fn check_take(
        &self,
        source: Source,
        color: Color,
        destination: Destination,
    ) -> Result<(), IllegalMove> {
        if let Source::Factory(factory) = source
            && !Factory::of(self.rules.players).contains(&factory)
        {
            return Err(IllegalMove::NoSuchFactory { factory });
        }
        if !self.offer[source.index()].holds(color) {
            return Err(IllegalMove::ColorAbsent { place: source, color });
        }
        match destination {
            Destination::Floor => Ok(()),
            Destination::Line(row) => self.boards[self.turn.index()].check_line(row, color),
        }
    }

    #[inline]
    pub(super) fn take(
        &mut self,
        source: Source,
        color: Color,
        destination: Destination,
        witness: &mut impl Witness<Event>,
    ) {
        let seat = self.turn;
        let tiles = self.lift(source, color);
        witness.saw(Event::Took { seat, source, color, tiles });
        // The marker lies on the floor line before the tiles do.
        if source == Source::Center && self.marker.is_none() {
            self.marker = Some(seat);
            witness.saw(Event::MarkerTaken { seat });
        }
        let surplus = match destination {
            Destination::Floor => tiles,
            Destination::Line(row) => {
                let laid = self.boards[seat.index()].lay_on_line(row, color, tiles);
                witness.saw(Event::LaidOnLine { seat, row, color, tiles: laid });
                tiles - laid
            }
        };
        self.drop_tiles(seat, color, surplus, witness);
        if self.offer_is_empty() {
            self.tile_walls(witness);
        } else {
            self.turn = seat.clockwise(self.rules.players);
        }
    }

    /// Takes the tiles away; what else lay on the factory display goes to the center.
    #[inline]
    fn lift(&mut self, source: Source, color: Color) -> u8 {
        let place = &mut self.offer[source.index()];
        let tiles = place.take_all(color);
        if source != Source::Center {
            let rest = place.take();
            self.offer[Source::Center.index()] += rest;
        }
        tiles
    }

    /// Lays tiles on the floor line, from the left; what finds no room goes into the lid.
    ///
    /// Ruling A3: the marker covers a space if one was free when it came; on a full floor line it
    /// costs nothing, and it never enters the lid.
    #[inline]
    pub(super) fn drop_tiles(
        &mut self,
        seat: Seat,
        color: Color,
        tiles: u8,
        witness: &mut impl Witness<Event>,
    ) {
        if tiles == 0 {
            return;
        }
        let covered = self.floor_spaces_covered(seat);
        let floor = &mut self.boards[seat.index()].floor;
        let kept = tiles.min(FLOOR_SPACES - covered);
        if kept > 0 {
            floor.put(color, kept);
            witness.saw(Event::FellToFloor { seat, color, tiles: kept });
        }
        if tiles > kept {
            self.stock.discards.put(color, tiles - kept);
            witness.saw(Event::FellToLid { seat, color, tiles: tiles - kept });
        }
    }

    /// Covered spaces of a floor line, the marker's included.
    #[must_use]
    #[inline]
    pub fn floor_spaces_covered(&self, seat: Seat) -> u8 {
        let marker = u8::from(self.marker == Some(seat));
        (self.boards[seat.index()].floor.total() + marker).min(FLOOR_SPACES)
    }
}

impl PlayerBoard {
    fn check_line(&self, row: Row, color: Color) -> Result<(), IllegalMove> {
        if self.is_complete(row) {
            return Err(IllegalMove::LineComplete { row });
        }
        match self.lines[row.index()].color() {
            Some(held) if held != color => Err(IllegalMove::LineHoldsOtherColor { row, held }),
            _ if self.wall.holds(row, color) => Err(IllegalMove::ColorOnWall { row, color }),
            _ => Ok(()),
        }
    }

    /// Places as many of the tiles as the line has room for, and returns their number.
    ///
    /// Ruling E-10: all tiles that fit must be laid; none may be kept back for the floor.
    #[inline]
    fn lay_on_line(&mut self, row: Row, color: Color, tiles: u8) -> u8 {
        let line = &mut self.lines[row.index()];
        let before = line.tiles();
        let laid = tiles.min(row.spaces() - before);
        *line = Line::holding(color, before + laid);
        laid
    }
}
