//! Events of Azul as messages. They are never read.

use azulejo_rules::azul::{Event, GameEnd};
use azulejo_rules::parts::Source;

use crate::field::number;
use crate::game::v1 as pb;
use crate::shared::seat_number;

use super::color_value;

impl From<Event> for pb::AzulEvent {
    fn from(event: Event) -> Self {
        Self { event: Some(event.into()) }
    }
}

impl From<Event> for pb::azul_event::Event {
    #[expect(clippy::too_many_lines, reason = "one arm per event")]
    fn from(event: Event) -> Self {
        match event {
            Event::Took { seat, source, color, tiles } => Self::Took(pb::AzulTook {
                seat: seat_number(seat),
                color: color_value(color),
                tiles: tiles.into(),
                source: Some(match source {
                    Source::Center => pb::azul_took::Source::Center(pb::Center {}),
                    Source::Factory(factory) => {
                        pb::azul_took::Source::Factory(number(factory.index()))
                    }
                }),
            }),
            Event::MarkerTaken { seat } => {
                Self::MarkerTaken(pb::AzulMarkerTaken { seat: seat_number(seat) })
            }
            Event::LaidOnLine { seat, row, color, tiles } => Self::LaidOnLine(pb::AzulLaidOnLine {
                seat: seat_number(seat),
                row: number(row.index()),
                color: color_value(color),
                tiles: tiles.into(),
            }),
            Event::FellToFloor { seat, color, tiles } => Self::FellToFloor(pb::AzulFellToFloor {
                seat: seat_number(seat),
                color: color_value(color),
                tiles: tiles.into(),
            }),
            Event::FellToLid { seat, color, tiles } => Self::FellToLid(pb::AzulFellToLid {
                seat: seat_number(seat),
                color: color_value(color),
                tiles: tiles.into(),
            }),
            Event::TilePlaced { seat, row, column, color, points } => {
                Self::TilePlaced(pb::AzulTilePlaced {
                    seat: seat_number(seat),
                    row: number(row.index()),
                    column: number(column.index()),
                    color: color_value(color),
                    points: points.into(),
                })
            }
            Event::LineDropped { seat, row, color, tiles } => {
                Self::LineDropped(pb::AzulLineDropped {
                    seat: seat_number(seat),
                    row: number(row.index()),
                    color: color_value(color),
                    tiles: tiles.into(),
                })
            }
            Event::FloorCleared { seat, penalty, lost } => {
                Self::FloorCleared(pb::AzulFloorCleared {
                    seat: seat_number(seat),
                    penalty: penalty.into(),
                    lost: lost.into(),
                })
            }
            Event::RoundBegan { round, start } => Self::RoundBegan(pb::AzulRoundBegan {
                round: round.into(),
                start_seat: seat_number(start),
            }),
            Event::LidTipped { tiles } => {
                Self::LidTipped(pb::AzulLidTipped { tiles: Some(tiles.into()) })
            }
            Event::Dealt { factory, tiles } => Self::Dealt(pb::AzulDealt {
                factory: number(factory.index()),
                tiles: Some(tiles.into()),
            }),
            Event::Bonus { seat, rows, columns, colors, points } => Self::Bonus(pb::AzulBonus {
                seat: seat_number(seat),
                rows: rows.into(),
                columns: columns.into(),
                colors: colors.into(),
                points: points.into(),
            }),
            Event::GameEnded { end } => {
                Self::GameEnded(pb::AzulGameEnded { end: game_end(end).into() })
            }
        }
    }
}

const fn game_end(end: GameEnd) -> pb::AzulGameEnd {
    match end {
        GameEnd::RowCompleted => pb::AzulGameEnd::RowCompleted,
        GameEnd::RoundLimit => pb::AzulGameEnd::RoundLimit,
        GameEnd::NoTiles => pb::AzulGameEnd::NoTiles,
    }
}
