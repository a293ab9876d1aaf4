//! A position of Summer Pavilion straight to and from bytes; see [`crate::bytes`].

use arrayvec::ArrayVec;
use azulejo_rules::parts::{Factory, PlayerCount, Seat, SeatSet, Tiles};
use azulejo_rules::pavilion::{BoardSetup, Color, Phase, Rules, Setup};

use crate::RULES_VERSION;
use crate::bytes::{Reader, Value, Writer};
use crate::shared::{seat_number, side as read_side, side_value};
use crate::state::OfBytes;

use super::color_value;

const SPACES: usize = 42;

impl OfBytes for Setup {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (1, Value::Nested(rules)) = reader.field()? else { return None };
        let mut setup = empty(read_rules(rules)?);
        let players = setup.rules.players;
        let seat = |number: u32| Seat::try_at(players, number).ok();
        let (mut last, mut phase, mut due) = (1, 0, 0);
        while !reader.is_empty() {
            let (field, value) = reader.field()?;
            // Only the lists may go on.
            if field < last || field == last && field != 13 && field != 14 {
                return None;
            }
            last = field;
            match field {
                2 => phase = value.number()?,
                3 => setup.round = u8::try_from(value.number()?).ok()?,
                4 => setup.turn = seat(value.number()?)?,
                5 => setup.start = seat(value.number()?)?,
                6 => setup.token = Some(seat(value.number()?)?),
                7 => {
                    let seats = value.nested()?.bytes().iter().map(|&number| seat(number.into()));
                    setup.passed = seats.collect::<Option<SeatSet>>()?;
                }
                8 => setup.bag = value.tiles()?,
                9 => setup.tower = value.tiles()?,
                10 => setup.drawn = value.number()?,
                11 => setup.supply = value.tiles()?,
                12 => setup.center = value.tiles()?,
                13 => setup.factories.try_push(value.tiles()?).ok()?,
                14 => setup.boards.try_push(read_board(value.nested()?)?).ok()?,
                15 => due = value.number()?,
                _ => return None,
            }
        }
        setup.phase = read_phase(phase, due)?;
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
            token,
            passed,
            bag,
            tower,
            drawn,
            supply,
            center,
            factories,
            boards,
        } = self;
        let mut writer = Writer::with_room(600);
        let (phase, due) = phase_value(*phase);
        writer.nested(1, |writer| write_rules(writer, *rules));
        writer.number(2, phase);
        writer.number(3, (*round).into());
        writer.number(4, seat_number(*turn));
        writer.number(5, seat_number(*start));
        if let Some(seat) = *token {
            writer.present(6, seat_number(seat));
        }
        if !passed.is_empty() {
            let seats: Vec<u8> = rules
                .players
                .iter()
                .filter(|&seat| passed.holds(seat))
                .map(|seat| seat.index() as u8)
                .collect();
            writer.bytes(7, &seats);
        }
        writer.some_tiles(8, *bag);
        writer.some_tiles(9, *tower);
        writer.number(10, *drawn);
        writer.some_tiles(11, *supply);
        writer.some_tiles(12, *center);
        for &display in factories {
            writer.tiles(13, display);
        }
        for board in boards {
            writer.nested(14, |writer| write_board(writer, board));
        }
        writer.number(15, due);
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
        token: None,
        passed: SeatSet::NONE,
        bag: Tiles::EMPTY,
        tower: Tiles::EMPTY,
        drawn: 0,
        supply: Tiles::EMPTY,
        center: Tiles::EMPTY,
        factories: ArrayVec::new(),
        boards: ArrayVec::new(),
    }
}

fn read_rules(reader: Reader<'_>) -> Option<Rules> {
    let [RULES_VERSION, side, players] = reader.counts()? else { return None };
    let side = read_side(side.cast_signed()).ok()?;
    Some(Rules { side, players: PlayerCount::of(players)? })
}

fn write_rules(writer: &mut Writer, rules: Rules) {
    let Rules { side, players } = rules;
    writer.number(1, RULES_VERSION);
    writer.number(2, side_value(side).cast_unsigned());
    writer.number(3, players.seats() as u32);
}

fn read_phase(phase: u32, due: u32) -> Option<Phase> {
    match (phase, due) {
        (1, 0) => Some(Phase::Deal),
        (2, 0) => Some(Phase::Acquire),
        (3, 0) => Some(Phase::Play),
        (4, 1..=3) => Some(Phase::Bonus { due: due as u8 }),
        (5, 0) => Some(Phase::Keep),
        (6, 0) => Some(Phase::TopUp),
        (7, 0) => Some(Phase::Over),
        _ => None,
    }
}

const fn phase_value(phase: Phase) -> (u32, u32) {
    match phase {
        Phase::Deal => (1, 0),
        Phase::Acquire => (2, 0),
        Phase::Play => (3, 0),
        Phase::Bonus { due } => (4, due as u32),
        Phase::Keep => (5, 0),
        Phase::TopUp => (6, 0),
        Phase::Over => (7, 0),
    }
}

fn read_board(mut reader: Reader<'_>) -> Option<BoardSetup> {
    let mut board = BoardSetup { points: 0, ..BoardSetup::default() };
    let mut last = 0;
    while !reader.is_empty() {
        let (field, value) = reader.field()?;
        if field <= last {
            return None;
        }
        last = field;
        match field {
            1 => board.points = u16::try_from(value.number()?).ok()?,
            2 => board.hand = value.tiles()?,
            3 => {
                let spaces = value.nested()?.bytes();
                if spaces.len() != SPACES {
                    return None;
                }
                for (place, &space) in board.stars.as_flattened_mut().iter_mut().zip(spaces) {
                    if space > 0 {
                        *place = Some(Color::at(usize::from(space) - 1)?);
                    }
                }
            }
            _ => return None,
        }
    }
    Some(board)
}

fn write_board(writer: &mut Writer, board: &BoardSetup) {
    let BoardSetup { points, hand, stars } = board;
    writer.number(1, (*points).into());
    writer.some_tiles(2, *hand);
    let mut spaces = [0; SPACES];
    for (space, tile) in spaces.iter_mut().zip(stars.as_flattened()) {
        *space = tile.map_or(0, |color| color_value(color).cast_unsigned() as u8);
    }
    // A board without a tile is left out.
    if spaces != [0; SPACES] {
        writer.bytes(3, &spaces);
    }
}
