//! The fast encoding of positions of Summer Pavilion; see [`crate::bytes`].

use arrayvec::ArrayVec;
use azulejo_rules::parts::{Factory, PlayerCount, Seat};
use azulejo_rules::pavilion::{BoardSetup, Color, Phase, Rules, Setup};

use crate::RULES_VERSION;
use crate::bytes::{Field, Reader, Value, Writer, state_encoding};
use crate::shared::{side as read_side, side_value};
use crate::state::OfBytes;

use super::color_value;

const SPACES: usize = 42;

state_encoding! {
    phase: 2,
    3 round,
    4 turn,
    5 start,
    6 passed,
    7 bag,
    8 tower,
    9 drawn,
    10 supply,
    11 center,
    12 factories,
    boards: 13, holder: token,
    detail: 14,
    later: {}
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
