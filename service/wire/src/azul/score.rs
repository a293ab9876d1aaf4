//! Scores of Azul as messages. They are never read.

use azulejo_rules::azul::{GameEnd, Score, SeatScore};

use crate::game::v1 as pb;
use crate::shared::seat_number;

impl From<&Score> for pb::Score {
    fn from(score: &Score) -> Self {
        let Score { seats, ranks, winners, end } = score;
        let seat = |(seat, &rank): (&SeatScore, &u8)| {
            let SeatScore { points, complete_rows, complete_columns, complete_colors } = *seat;
            pb::SeatScore {
                points: points.into(),
                bonuses: Some(pb::seat_score::Bonuses::Azul(pb::AzulBonuses {
                    rows: complete_rows.into(),
                    columns: complete_columns.into(),
                    colors: complete_colors.into(),
                })),
                penalty: 0,
                total: seat.total().into(),
                rank: rank.into(),
            }
        };
        let end = end.map_or(pb::GameEnd::Unspecified, |end| match end {
            GameEnd::RowCompleted => pb::GameEnd::RowCompleted,
            GameEnd::RoundLimit => pb::GameEnd::RoundLimit,
            GameEnd::NoTiles => pb::GameEnd::NoTiles,
        });
        Self {
            seats: seats.iter().zip(ranks).map(seat).collect(),
            winners: winners.iter().map(|&seat| seat_number(seat)).collect(),
            end: end.into(),
        }
    }
}
