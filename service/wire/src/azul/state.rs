//! Positions of Azul from messages. Only the form is checked here; the rules check the rest.

use azulejo_rules::azul::{BoardSetup, Color, GameEnd, Phase, Row, Rules, Setup};
use azulejo_rules::parts::Factory;

use crate::field::{exactly, in_range, named, named_or_none};
use crate::game::v1 as pb;
use crate::shared::{holder, seat};
use crate::{BadField, Problem};

use super::{color, tiles};

const ENDS: [GameEnd; 3] = [GameEnd::RowCompleted, GameEnd::RoundLimit, GameEnd::NoTiles];
const WALL_PLACES: usize = 25;

impl TryFrom<pb::AzulState> for Setup {
    type Error = BadField;

    fn try_from(message: pb::AzulState) -> Result<Self, BadField> {
        let pb::AzulState {
            rules,
            phase: wire_phase,
            round,
            turn_seat,
            start_seat,
            bag,
            lid,
            drawn,
            center,
            factories,
            boards,
            end,
        } = message;
        let rules = rules.ok_or_else(|| BadField::missing("rules"))?;
        let rules = Rules::try_from(rules).map_err(|bad| bad.within("rules"))?;
        let players = rules.players;
        exactly("factories", &factories, Factory::of(players).len())?;
        exactly("boards", &boards, players.seats())?;
        let displays = factories.into_iter().enumerate().map(|(index, heap)| {
            heap.try_into().map_err(|bad: BadField| bad.within_entry("factories", index))
        });
        let marker = holder("has_marker", boards.iter().map(|board| board.has_marker))?;
        let boards = boards.into_iter().enumerate().map(|(index, board)| {
            board.try_into().map_err(|bad: BadField| bad.within_entry("boards", index))
        });
        Ok(Self {
            rules,
            phase: phase(wire_phase, end)?,
            round: in_range("round", round, 1, u8::MAX)?,
            turn: seat("turn_seat", players, turn_seat)?,
            start: seat("start_seat", players, start_seat)?,
            marker: marker.map(|holder| seat("boards", players, holder)).transpose()?,
            bag: tiles("bag", bag)?,
            lid: tiles("lid", lid)?,
            drawn,
            center: tiles("center", center)?,
            factories: displays.collect::<Result<_, _>>()?,
            boards: boards.collect::<Result<_, _>>()?,
        })
    }
}

fn phase(found: i32, end: i32) -> Result<Phase, BadField> {
    let end = named_or_none("end", end, &ENDS, "AzulGameEnd")?;
    let over = Phase::Over(GameEnd::NoTiles);
    let phases = [Phase::Deal, Phase::Offer, Phase::Tiling, over];
    let phase = named("phase", found, &phases, "AzulPhase")?;
    match (phase, end) {
        (Phase::Over(_), Some(end)) => Ok(Phase::Over(end)),
        (Phase::Over(_), None) => Err(BadField::missing("end")),
        (Phase::Deal | Phase::Offer | Phase::Tiling, None) => Ok(phase),
        (Phase::Deal | Phase::Offer | Phase::Tiling, Some(_)) => {
            Err(BadField::new("end", Problem::NotNow))
        }
    }
}

impl TryFrom<pb::AzulBoard> for BoardSetup {
    type Error = BadField;

    fn try_from(message: pb::AzulBoard) -> Result<Self, BadField> {
        let pb::AzulBoard { points, wall, lines, floor, has_marker: _ } = message;
        let mut board = Self {
            points: crate::shared::points(points)?,
            floor: tiles("floor", floor)?,
            ..Self::default()
        };
        if !wall.is_empty() {
            exactly("wall", &wall, WALL_PLACES)?;
        }
        for (index, place) in wall.into_iter().enumerate() {
            let tile = named_or_none("", place, &Color::ALL, "AzulColor");
            let tile = tile.map_err(|bad| BadField::new(&format!("wall[{index}]"), bad.problem))?;
            board.wall[index / 5][index % 5] = tile;
        }
        if !lines.is_empty() {
            exactly("lines", &lines, Row::ALL.len())?;
        }
        for (index, line) in lines.into_iter().enumerate() {
            let pb::AzulPatternLine { color: held, tiles } = line;
            let read = || match (held, tiles) {
                (0, 0) => Ok(None),
                _ => Ok(Some((color("color", held)?, in_range("tiles", tiles, 1, 5)?))),
            };
            board.lines[index] =
                read().map_err(|bad: BadField| bad.within_entry("lines", index))?;
        }
        Ok(board)
    }
}
