//! A position of Summer Pavilion, to and fro. Nothing is judged here but the form: the gate of the
//! rules does the rest.

use azulejo_rules::parts::{Factory, SeatSet};
use azulejo_rules::pavilion::{BoardSetup, Color, Phase, Position, Rules, Setup};

use crate::field::{exactly, in_range, named, named_or_none};
use crate::game::v1 as pb;
use crate::shared::{points, seat, seat_number};
use crate::{BadField, Problem};

use super::{color_value, some_tiles, tiles};

const SPACES: usize = 42;

impl TryFrom<pb::SummerPavilionState> for Setup {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionState) -> Result<Self, BadField> {
        let pb::SummerPavilionState {
            rules,
            phase: wire_phase,
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
            bonus_due,
        } = message;
        let rules = rules.ok_or_else(|| BadField::missing("rules"))?;
        let rules = Rules::try_from(rules).map_err(|bad| bad.within("rules"))?;
        let players = rules.players;
        exactly("factories", &factories, Factory::of(players).len())?;
        exactly("boards", &boards, players.seats())?;
        let displays = factories.into_iter().enumerate().map(|(index, heap)| {
            heap.try_into().map_err(|bad: BadField| bad.within_entry("factories", index))
        });
        let boards = boards.into_iter().enumerate().map(|(index, board)| {
            board.try_into().map_err(|bad: BadField| bad.within_entry("boards", index))
        });
        let passed = passed.into_iter().map(|number| seat("passed", players, number));
        Ok(Self {
            rules,
            phase: phase(wire_phase, bonus_due)?,
            round: in_range("round", round, 1, u8::MAX)?,
            turn: seat("turn", players, turn)?,
            start: seat("start", players, start)?,
            token: token.map(|holder| seat("token", players, holder)).transpose()?,
            passed: passed.collect::<Result<SeatSet, _>>()?,
            bag: tiles("bag", bag)?,
            tower: tiles("tower", tower)?,
            drawn,
            supply: tiles("supply", supply)?,
            center: tiles("center", center)?,
            factories: displays.collect::<Result<_, _>>()?,
            boards: boards.collect::<Result<_, _>>()?,
        })
    }
}

fn phase(found: i32, due: u32) -> Result<Phase, BadField> {
    let phases = [
        Phase::Deal,
        Phase::Acquire,
        Phase::Play,
        Phase::Bonus { due: 0 },
        Phase::Keep,
        Phase::TopUp,
        Phase::Over,
    ];
    let phase = named("phase", found, &phases, "SummerPavilionPhase")?;
    match phase {
        Phase::Bonus { .. } => Ok(Phase::Bonus { due: in_range("bonus_due", due, 1, 3)? }),
        Phase::Deal | Phase::Acquire | Phase::Play | Phase::Keep | Phase::TopUp | Phase::Over => {
            if due == 0 {
                Ok(phase)
            } else {
                Err(BadField::new("bonus_due", Problem::NotNow))
            }
        }
    }
}

impl TryFrom<pb::SummerPavilionBoard> for BoardSetup {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionBoard) -> Result<Self, BadField> {
        let pb::SummerPavilionBoard { points: score, hand, spaces } = message;
        let mut board =
            Self { points: points(score)?, hand: tiles("hand", hand)?, ..Self::default() };
        if !spaces.is_empty() {
            exactly("spaces", &spaces, SPACES)?;
        }
        for (index, space) in spaces.into_iter().enumerate() {
            let tile = named_or_none("", space, &Color::ALL, "SummerPavilionColor");
            let tile =
                tile.map_err(|bad| BadField::new(&format!("spaces[{index}]"), bad.problem))?;
            board.stars[index / 6][index % 6] = tile;
        }
        Ok(board)
    }
}

impl From<&Position> for pb::SummerPavilionState {
    fn from(position: &Position) -> Self {
        let setup = Setup::from(position);
        // No `..`: a new part of a position must not compile until it is written here.
        let Setup {
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
        } = &setup;
        let (phase, bonus_due) = phase_value(*phase);
        let has_passed = rules.players.iter().filter(|&seat| passed.holds(seat));
        Self {
            rules: Some((*rules).into()),
            phase: phase.into(),
            round: (*round).into(),
            turn: seat_number(*turn),
            start: seat_number(*start),
            token: token.map(seat_number),
            passed: has_passed.map(seat_number).collect(),
            bag: some_tiles(*bag),
            tower: some_tiles(*tower),
            drawn: *drawn,
            supply: some_tiles(*supply),
            center: some_tiles(*center),
            factories: factories.iter().map(|&heap| heap.into()).collect(),
            boards: boards.iter().map(pb::SummerPavilionBoard::from).collect(),
            bonus_due,
        }
    }
}

fn phase_value(phase: Phase) -> (pb::SummerPavilionPhase, u32) {
    match phase {
        Phase::Deal => (pb::SummerPavilionPhase::Deal, 0),
        Phase::Acquire => (pb::SummerPavilionPhase::Acquire, 0),
        Phase::Play => (pb::SummerPavilionPhase::Play, 0),
        Phase::Bonus { due } => (pb::SummerPavilionPhase::Bonus, due.into()),
        Phase::Keep => (pb::SummerPavilionPhase::Keep, 0),
        Phase::TopUp => (pb::SummerPavilionPhase::TopUp, 0),
        Phase::Over => (pb::SummerPavilionPhase::Over, 0),
    }
}

impl From<&BoardSetup> for pb::SummerPavilionBoard {
    fn from(board: &BoardSetup) -> Self {
        let BoardSetup { points, hand, stars } = board;
        // A board without a tile is left out.
        let free = stars.iter().flatten().all(Option::is_none);
        let spaces = stars.iter().flatten().map(|space| space.map_or(0, color_value));
        Self {
            points: (*points).into(),
            hand: some_tiles(*hand),
            spaces: if free { Vec::new() } else { spaces.collect() },
        }
    }
}
