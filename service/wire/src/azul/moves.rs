//! Moves of Azul from and to messages.

use azulejo_rules::azul::{Column, Destination, Effect, Move, Row};
use azulejo_rules::parts::Source;

use crate::BadField;
use crate::field::{counted, number};
use crate::game::v1 as pb;
use crate::shared::factory;

use super::{color, color_value};

impl TryFrom<pb::AzulMove> for Move {
    type Error = BadField;

    fn try_from(message: pb::AzulMove) -> Result<Self, BadField> {
        let pb::AzulMove { r#move } = message;
        match r#move.ok_or_else(|| BadField::missing("move"))? {
            pb::azul_move::Move::Take(take) => read_take(take).map_err(|bad| bad.within("take")),
            pb::azul_move::Move::PlaceTile(place) => {
                let pb::AzulPlaceTile { row, column } = place;
                let within = |bad: BadField| bad.within("place_tile");
                Ok(Self::PlaceTile {
                    row: counted("row", row, &Row::ALL).map_err(within)?,
                    column: counted("column", column, &Column::ALL).map_err(within)?,
                })
            }
        }
    }
}

fn read_take(message: pb::AzulTake) -> Result<Move, BadField> {
    use pb::azul_take::{Destination as To, Source as From};
    let pb::AzulTake { color: taken, source, destination } = message;
    Ok(Move::Take {
        source: match source.ok_or_else(|| BadField::missing("source"))? {
            From::Center(pb::Center {}) => Source::Center,
            From::Factory(number) => Source::Factory(factory("factory", number)?),
        },
        color: color("color", taken)?,
        destination: match destination.ok_or_else(|| BadField::missing("destination"))? {
            To::Line(line) => Destination::Line(counted("line", line, &Row::ALL)?),
            To::Floor(pb::Floor {}) => Destination::Floor,
        },
    })
}

impl From<Move> for pb::AzulMove {
    fn from(action: Move) -> Self {
        use pb::azul_take::{Destination as To, Source as From};
        let action = match action {
            Move::Take { source, color, destination } => pb::azul_move::Move::Take(pb::AzulTake {
                color: color_value(color),
                source: Some(match source {
                    Source::Center => From::Center(pb::Center {}),
                    Source::Factory(factory) => From::Factory(number(factory.index())),
                }),
                destination: Some(match destination {
                    Destination::Line(row) => To::Line(number(row.index())),
                    Destination::Floor => To::Floor(pb::Floor {}),
                }),
            }),
            Move::PlaceTile { row, column } => pb::azul_move::Move::PlaceTile(pb::AzulPlaceTile {
                row: number(row.index()),
                column: number(column.index()),
            }),
        };
        Self { r#move: Some(action) }
    }
}

impl From<Effect> for pb::AzulEffect {
    fn from(effect: Effect) -> Self {
        let Effect {
            taken,
            to_line,
            to_floor,
            to_lid,
            takes_marker,
            completes_line,
            wall_points,
            floor_penalty,
        } = effect;
        Self {
            tiles_taken: taken.into(),
            tiles_to_line: to_line.into(),
            tiles_to_floor: to_floor.into(),
            tiles_to_lid: to_lid.into(),
            takes_marker,
            completes_line,
            wall_points: wall_points.into(),
            floor_penalty: floor_penalty.into(),
        }
    }
}
