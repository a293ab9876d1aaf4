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
            if field < last || field == last && field != 12 && field != 13 {
                return None;
            }
            last = field;
            match field {
                2 => phase = value.number()?,
                3 => setup.round = u8::try_from(value.number()?).ok()?,
                4 => setup.turn = seat(value.number()?)?,
                5 => setup.start = seat(value.number()?)?,
                6 => {
                    let numbers = value.nested()?.bytes();
                    if numbers.len() > players.seats() {
                        return None;
                    }
                    let seats = numbers.iter().map(|&number| seat(number.into()));
                    setup.passed = seats.collect::<Option<SeatSet>>()?;
                }
                7 => setup.bag = value.tiles()?,
                8 => setup.tower = value.tiles()?,
                9 => setup.drawn = value.number()?,
                10 => setup.supply = value.tiles()?,
                11 => setup.center = value.tiles()?,
                12 => setup.factories.try_push(value.tiles()?).ok()?,
                13 => {
                    let (board, has_token) = read_board(value.nested()?)?;
                    if has_token {
                        let holder = seat(setup.boards.len() as u32)?;
                        setup.token = setup.token.xor(Some(holder));
                        setup.token?;
                    }
                    setup.boards.try_push(board).ok()?;
                }
                14 => due = value.number()?,
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
        if !passed.is_empty() {
            let seats: Vec<u8> = rules
                .players
                .iter()
                .filter(|&seat| passed.holds(seat))
                .map(|seat| seat.index() as u8)
                .collect();
            writer.bytes(6, &seats);
        }
        writer.tiles(7, *bag);
        writer.tiles(8, *tower);
        writer.number(9, *drawn);
        writer.tiles(10, *supply);
        writer.tiles(11, *center);
        for &display in factories {
            writer.tiles(12, display);
        }
        for (seat, board) in rules.players.iter().zip(boards) {
            let has_token = *token == Some(seat);
            writer.nested(13, |writer| write_board(writer, board, has_token));
        }
        writer.number(14, due);
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

fn read_board(mut reader: Reader<'_>) -> Option<(BoardSetup, bool)> {
    let mut board = BoardSetup { points: 0, ..BoardSetup::default() };
    let (mut last, mut has_token) = (0, false);
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
            4 if value.number()? == 1 => has_token = true,
            _ => return None,
        }
    }
    Some((board, has_token))
}

fn write_board(writer: &mut Writer, board: &BoardSetup, has_token: bool) {
    let BoardSetup { points, hand, stars } = board;
    writer.number(1, (*points).into());
    writer.tiles(2, *hand);
    let mut spaces = [0; SPACES];
    for (space, tile) in spaces.iter_mut().zip(stars.as_flattened()) {
        *space = tile.map_or(0, |color| color_value(color).cast_unsigned() as u8);
    }
    writer.bytes(3, &spaces);
    writer.number(4, has_token.into());
}
