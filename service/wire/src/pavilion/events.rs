//! Events of Summer Pavilion as messages. They are never read.

use azulejo_rules::parts::Source;
use azulejo_rules::pavilion::{Display, Event};

use crate::field::number;
use crate::game::v1 as pb;
use crate::shared::seat_number;

use super::{color_value, star_value};

impl From<Event> for pb::SummerPavilionEvent {
    fn from(event: Event) -> Self {
        Self { event: Some(event.into()) }
    }
}

impl From<Event> for pb::summer_pavilion_event::Event {
    #[expect(clippy::too_many_lines, reason = "one arm per event")]
    fn from(event: Event) -> Self {
        match event {
            Event::Took { seat, source, color, tiles, wilds } => {
                Self::Took(pb::SummerPavilionTook {
                    seat: seat_number(seat),
                    color: color_value(color),
                    tiles: tiles.into(),
                    wilds: wilds.into(),
                    source: Some(match source {
                        Source::Center => pb::summer_pavilion_took::Source::Center(pb::Center {}),
                        Source::Factory(factory) => {
                            pb::summer_pavilion_took::Source::Factory(number(factory.index()))
                        }
                    }),
                })
            }
            Event::TokenTaken { seat, lost } => Self::TokenTaken(pb::SummerPavilionTokenTaken {
                seat: seat_number(seat),
                lost: lost.into(),
            }),
            Event::PlacingBegan { seat } => {
                Self::PlacingBegan(pb::SummerPavilionPlacingBegan { seat: seat_number(seat) })
            }
            Event::Placed { seat, star, space, color, wilds, points } => {
                Self::Placed(pb::SummerPavilionPlaced {
                    seat: seat_number(seat),
                    star: star_value(star),
                    space: space.number().into(),
                    color: color_value(color),
                    wilds: wilds.into(),
                    points: points.into(),
                })
            }
            Event::BonusEarned { seat, tiles } => {
                Self::BonusEarned(pb::SummerPavilionBonusEarned {
                    seat: seat_number(seat),
                    tiles: tiles.into(),
                })
            }
            Event::BonusTaken { seat, tiles } => Self::BonusTaken(pb::SummerPavilionBonusTaken {
                seat: seat_number(seat),
                tiles: Some(tiles.into()),
            }),
            Event::Passed { seat, kept, thrown, lost } => Self::Passed(pb::SummerPavilionPassed {
                seat: seat_number(seat),
                kept: Some(kept.into()),
                discarded: Some(thrown.into()),
                lost: lost.into(),
            }),
            Event::RoundBegan { round, start, wild } => {
                Self::RoundBegan(pb::SummerPavilionRoundBegan {
                    round: round.into(),
                    start_seat: seat_number(start),
                    wild: color_value(wild),
                })
            }
            Event::TowerTipped { tiles } => {
                Self::TowerTipped(pb::SummerPavilionTowerTipped { tiles: Some(tiles.into()) })
            }
            Event::Dealt { display, tiles } => Self::Dealt(pb::SummerPavilionDealt {
                tiles: Some(tiles.into()),
                display: Some(match display {
                    Display::Supply => pb::summer_pavilion_dealt::Display::Supply(pb::Supply {}),
                    Display::Factory(factory) => {
                        pb::summer_pavilion_dealt::Display::Factory(number(factory.index()))
                    }
                }),
            }),
            Event::FinalScore { seat, stars, numbers, lost } => {
                Self::FinalScore(pb::SummerPavilionFinalScore {
                    seat: seat_number(seat),
                    stars: stars.into(),
                    numbers: numbers.into(),
                    lost: lost.into(),
                })
            }
            Event::GameEnded => Self::GameEnded(pb::SummerPavilionGameEnded {}),
        }
    }
}
