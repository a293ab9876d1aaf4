//! Scores of Summer Pavilion as messages. They are never read.

use azulejo_rules::pavilion::{GameEnd, Score, SeatScore};

use crate::game::v1 as pb;
use crate::shared::seat_number;

impl From<&Score> for pb::Score {
    fn from(score: &Score) -> Self {
        let Score { seats, ranks, winners, end } = score;
        let seat = |(seat, &rank): (&SeatScore, &u8)| {
            let SeatScore { points, stars, numbers, leftover: _ } = *seat;
            let gained = points + seat.star_points() + seat.number_points();
            pb::SeatScore {
                points: points.into(),
                bonuses: Some(pb::seat_score::Bonuses::SummerPavilion(pb::SummerPavilionBonuses {
                    stars: Some(star_bonuses(stars)),
                    numbers: Some(number_bonuses(numbers)),
                })),
                // The points actually lost: a score never drops below 1.
                penalty: gained.saturating_sub(seat.total()).into(),
                total: seat.total().into(),
                rank: rank.into(),
            }
        };
        let end = end.map_or(pb::GameEnd::Unspecified, |end| match end {
            GameEnd::SixRounds => pb::GameEnd::SixRounds,
        });
        Self {
            seats: seats.iter().zip(ranks).map(seat).collect(),
            winners: winners.iter().map(|&seat| seat_number(seat)).collect(),
            end: end.into(),
        }
    }
}

fn star_bonuses(points: [u16; 7]) -> pb::SummerPavilionStarBonuses {
    let [orange, red, blue, yellow, green, purple, center] = points.map(u32::from);
    pb::SummerPavilionStarBonuses { orange, red, blue, yellow, green, purple, center }
}

fn number_bonuses(points: [u16; 4]) -> pb::SummerPavilionNumberBonuses {
    let [ones, twos, threes, fours] = points.map(u32::from);
    pb::SummerPavilionNumberBonuses { ones, twos, threes, fours }
}
