//! A position of Azul straight to and from bytes; see [`crate::bytes`].

use arrayvec::ArrayVec;
use azulejo_rules::azul::{BoardSetup, Color, GameEnd, Phase, Row, Rules, Setup};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Tiles};

use crate::bytes::{Reader, Value, Writer};
use crate::shared::{seat_number, side as read_side, side_value};
use crate::state::OfBytes;
use crate::{RULES_VERSION, game::v1 as pb};

use super::color_value;

/// The keys of a pattern line's fields.
const COLOR: u8 = 1 << 3;
const TILES: u8 = 2 << 3;

impl OfBytes for Setup {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (1, Value::Nested(rules)) = reader.field()? else { return None };
        let mut setup = empty(read_rules(rules)?);
        let players = setup.rules.players;
        let seat = |number: u32| Seat::try_at(players, number).ok();
        let (mut last, mut phase, mut end) = (1, 0, 0);
        while !reader.is_empty() {
            let (field, value) = reader.field()?;
            // Only the lists may go on.
            if field < last || field == last && field != 10 && field != 11 {
                return None;
            }
            last = field;
            match field {
                2 => phase = value.number()?,
                3 => setup.round = u8::try_from(value.number()?).ok()?,
                4 => setup.turn = seat(value.number()?)?,
                5 => setup.start = seat(value.number()?)?,
                6 => setup.bag = value.tiles()?,
                7 => setup.lid = value.tiles()?,
                8 => setup.drawn = value.number()?,
                9 => setup.center = value.tiles()?,
                10 => setup.factories.try_push(value.tiles()?).ok()?,
                11 => {
                    let (board, has_marker) = read_board(value.nested()?)?;
                    if has_marker {
                        let holder = seat(setup.boards.len() as u32)?;
                        setup.marker = setup.marker.xor(Some(holder));
                        setup.marker?;
                    }
                    setup.boards.try_push(board).ok()?;
                }
                12 => end = value.number()?,
                _ => return None,
            }
        }
        setup.phase = read_phase(phase, end)?;
        let displays = Factory::of(players).len();
        let is_whole = setup.round > 0
            && setup.factories.len() == displays
            && setup.boards.len() == players.seats();
        is_whole.then_some(setup)
    }

    fn to_bytes(&self) -> Vec<u8> {
        // No `..`: a new part of a position must not compile until it is written here.
        let Self {
            rules,
            phase,
            round,
            turn,
            start,
            marker,
            bag,
            lid,
            drawn,
            center,
            factories,
            boards,
        } = self;
        let mut writer = Writer::with_room(400);
        let (phase, end) = phase_value(*phase);
        writer.nested(1, |writer| write_rules(writer, *rules));
        writer.number(2, phase as u32);
        writer.number(3, (*round).into());
        writer.number(4, seat_number(*turn));
        writer.number(5, seat_number(*start));
        writer.tiles(6, *bag);
        writer.tiles(7, *lid);
        writer.number(8, *drawn);
        writer.tiles(9, *center);
        for &display in factories {
            writer.tiles(10, display);
        }
        for (seat, board) in rules.players.iter().zip(boards) {
            let has_marker = *marker == Some(seat);
            writer.nested(11, |writer| write_board(writer, board, has_marker));
        }
        writer.number(12, end as u32);
        writer.finish()
    }
}

/// A setup with nothing on the table yet.
fn empty(rules: Rules) -> Setup {
    Setup {
        rules,
        phase: Phase::Deal,
        round: 0,
        turn: Seat::First,
        start: Seat::First,
        marker: None,
        bag: Tiles::EMPTY,
        lid: Tiles::EMPTY,
        drawn: 0,
        center: Tiles::EMPTY,
        factories: ArrayVec::new(),
        boards: ArrayVec::new(),
    }
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

const fn phase_value(phase: Phase) -> (pb::AzulPhase, pb::AzulGameEnd) {
    let none = pb::AzulGameEnd::Unspecified;
    match phase {
        Phase::Deal => (pb::AzulPhase::Deal, none),
        Phase::Offer => (pb::AzulPhase::Offer, none),
        Phase::Tiling => (pb::AzulPhase::Tiling, none),
        Phase::Over(GameEnd::RowCompleted) => (pb::AzulPhase::Over, pb::AzulGameEnd::RowCompleted),
        Phase::Over(GameEnd::RoundLimit) => (pb::AzulPhase::Over, pb::AzulGameEnd::RoundLimit),
        Phase::Over(GameEnd::NoTiles) => (pb::AzulPhase::Over, pb::AzulGameEnd::NoTiles),
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
