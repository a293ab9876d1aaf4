//! Positions of Summer Pavilion from messages. Only the form is checked here; the rules check the
//! rest.

use azulejo_rules::parts::{Factory, SeatSet};
use azulejo_rules::pavilion::{BoardSetup, Color, Phase, Rules, Setup};

use crate::field::{at_most, exactly, in_range, named, named_or_none};
use crate::game::v1 as pb;
use crate::shared::{holder, points, seat};
use crate::{BadField, Problem};

use super::tiles;

const SPACES: usize = 42;

impl TryFrom<pb::SummerPavilionState> for Setup {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionState) -> Result<Self, BadField> {
        let pb::SummerPavilionState {
            rules,
            phase: wire_phase,
            round,
            turn_seat,
            start_seat,
            passed_seats,
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
        let token = holder("has_token", boards.iter().map(|board| board.has_token))?;
        let boards = boards.into_iter().enumerate().map(|(index, board)| {
            board.try_into().map_err(|bad: BadField| bad.within_entry("boards", index))
        });
        at_most("passed_seats", &passed_seats, players.seats())?;
        let passed = passed_seats.into_iter().enumerate().map(|(index, number)| {
            seat("", players, number).map_err(|bad| bad.within_entry("passed_seats", index))
        });
        Ok(Self {
            rules,
            phase: phase(wire_phase, bonus_due)?,
            round: in_range("round", round, 1, u8::MAX)?,
            turn: seat("turn_seat", players, turn_seat)?,
            start: seat("start_seat", players, start_seat)?,
            token: token.map(|holder| seat("boards", players, holder)).transpose()?,
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
        let pb::SummerPavilionBoard { points: score, hand, spaces, has_token: _ } = message;
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
