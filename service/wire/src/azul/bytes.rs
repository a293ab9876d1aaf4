//! The fast encoding of positions of Azul; see [`crate::bytes`].

use arrayvec::ArrayVec;
use azulejo_rules::azul::{BoardSetup, Color, GameEnd, Phase, Row, Rules, Setup};
use azulejo_rules::parts::{Factory, PlayerCount, Seat};

use crate::RULES_VERSION;
use crate::bytes::{Field, Reader, Value, Writer, state_encoding};
use crate::shared::{side as read_side, side_value};
use crate::state::OfBytes;

use super::color_value;

/// The keys of a pattern line's fields.
const COLOR: u8 = 1 << 3;
const TILES: u8 = 2 << 3;

state_encoding! {
    phase: 2,
    3 round,
    4 turn,
    5 start,
    6 bag,
    7 lid,
    8 drawn,
    9 center,
    10 factories,
    boards: 11, holder: marker,
    detail: 12,
    later: {}
}

fn read_rules(mut reader: Reader<'_>) -> Option<Rules> {
    let mut fields = [0; 4];
    let mut last = 0;
    while !reader.is_empty() {
        let (field, value) = reader.field()?;
        if field <= last {
            return None;
        }
        last = field;
        *fields.get_mut(usize::from(field) - 1)? = value.number()?;
    }
    let [RULES_VERSION, side, players, limit] = fields else { return None };
    let side = read_side(side.cast_signed()).ok()?;
    let round_limit = u8::try_from(limit).ok().filter(|&limit| limit > 0)?;
    Some(Rules { side, players: PlayerCount::of(players)?, round_limit })
}

fn write_rules(writer: &mut Writer, rules: Rules) {
    let Rules { side, players, round_limit } = rules;
    writer.number(1, RULES_VERSION);
    writer.number(2, side_value(side).cast_unsigned());
    writer.number(3, players.seats() as u32);
    writer.number(4, round_limit.into());
}

fn read_phase(phase: u32, end: u32) -> Option<Phase> {
    match (phase, end) {
        (1, 0) => Some(Phase::Deal),
        (2, 0) => Some(Phase::Offer),
        (3, 0) => Some(Phase::Tiling),
        (4, 1) => Some(Phase::Over(GameEnd::RowCompleted)),
        (4, 2) => Some(Phase::Over(GameEnd::RoundLimit)),
        (4, 3) => Some(Phase::Over(GameEnd::NoTiles)),
        _ => None,
    }
}

const fn phase_value(phase: Phase) -> (u32, u32) {
    match phase {
        Phase::Deal => (1, 0),
        Phase::Offer => (2, 0),
        Phase::Tiling => (3, 0),
        Phase::Over(GameEnd::RowCompleted) => (4, 1),
        Phase::Over(GameEnd::RoundLimit) => (4, 2),
        Phase::Over(GameEnd::NoTiles) => (4, 3),
    }
}

fn read_board(mut reader: Reader<'_>) -> Option<(BoardSetup, bool)> {
    let mut board = BoardSetup::default();
    let (mut last, mut lines, mut has_marker) = (0, 0, false);
    while !reader.is_empty() {
        let (field, value) = reader.field()?;
        if field < last || field == last && field != 3 {
            return None;
        }
        last = field;
        match field {
            1 => board.points = u16::try_from(value.number()?).ok()?,
            2 => board.wall = read_wall(value.nested()?.bytes())?,
            3 => {
                let line = board.lines.get_mut(lines)?;
                match *value.nested()?.bytes() {
                    [] => {}
                    [COLOR, color, TILES, tiles @ 1..=5] => {
                        *line = Some((Color::at(usize::from(color).checked_sub(1)?)?, tiles));
                    }
                    _ => return None,
                }
                lines += 1;
            }
            4 => board.floor = value.tiles()?,
            5 if value.number()? == 1 => has_marker = true,
            _ => return None,
        }
    }
    (lines == Row::ALL.len()).then_some((board, has_marker))
}

fn read_wall(places: &[u8]) -> Option<[[Option<Color>; 5]; 5]> {
    let mut wall = [[None; 5]; 5];
    let cells = wall.as_flattened_mut();
    if places.len() != cells.len() {
        return None;
    }
    for (cell, &place) in cells.iter_mut().zip(places) {
        if place > 0 {
            *cell = Some(Color::at(usize::from(place) - 1)?);
        }
    }
    Some(wall)
}

fn write_board(writer: &mut Writer, board: &BoardSetup, has_marker: bool) {
    let BoardSetup { points, wall, lines, floor } = board;
    writer.number(1, (*points).into());
    let mut places = [0; 25];
    for (place, tile) in places.iter_mut().zip(wall.as_flattened()) {
        *place = tile.map_or(0, color_byte);
    }
    writer.bytes(2, &places);
    for line in lines {
        match *line {
            None => writer.bytes(3, &[]),
            Some((color, tiles)) => writer.bytes(3, &[COLOR, color_byte(color), TILES, tiles]),
        }
    }
    writer.tiles(4, *floor);
    writer.number(5, has_marker.into());
}

fn color_byte(color: Color) -> u8 {
    color_value(color).cast_unsigned() as u8
}
