use azulejo_rules::{azul, pavilion};
use serde::{Deserialize, Serialize};

/// The score of a position of either game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// How the game ended; `None` while it is running.
    pub end: Option<String>,
    pub seats: Vec<SeatScore>,
    /// Seats that share the first rank.
    pub winners: Vec<usize>,
}

/// The score of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatScore {
    /// Points on the score track.
    pub points: u16,
    /// Bonuses for rows, columns and colors, or for stars and numbers.
    pub bonus: u16,
    /// Points lost at the end for tiles left over.
    pub lost: u16,
    pub total: u16,
    /// 1 for the leader; equal seats share a rank.
    pub rank: u8,
}

/// Placements of a match: seats that played to the end are ranked by the game; seats that
/// forfeited are last, whatever their score.
#[must_use]
pub fn placements(score: &Score, stays: &[bool]) -> Vec<u8> {
    let last = stays.iter().filter(|stays| **stays).count() + 1;
    let ahead = |rank: u8| {
        let others = score.seats.iter().zip(stays);
        others.filter(|(other, stays)| **stays && other.rank < rank).count()
    };
    let placed = |(seat, stays): (&SeatScore, &bool)| {
        if *stays { ahead(seat.rank) as u8 + 1 } else { last as u8 }
    };
    score.seats.iter().zip(stays).map(placed).collect()
}

impl From<&azul::Score> for Score {
    fn from(score: &azul::Score) -> Self {
        let seats = score.seats.iter().zip(&score.ranks).map(|(seat, &rank)| SeatScore {
            points: seat.points,
            bonus: seat.bonus(),
            lost: 0,
            total: seat.total(),
            rank,
        });
        let end = score.end.map(|end| match end {
            azul::GameEnd::RowCompleted => "row completed",
            azul::GameEnd::RoundLimit => "round limit",
            azul::GameEnd::NoTiles => "no tiles",
        });
        Self {
            end: end.map(str::to_owned),
            seats: seats.collect(),
            winners: score.winners.iter().map(|seat| seat.index()).collect(),
        }
    }
}

impl From<&pavilion::Score> for Score {
    fn from(score: &pavilion::Score) -> Self {
        let seats = score.seats.iter().zip(&score.ranks).map(|(seat, &rank)| {
            let bonus = seat.star_points() + seat.number_points();
            let lost = (seat.points + bonus).saturating_sub(seat.total());
            SeatScore { points: seat.points, bonus, lost, total: seat.total(), rank }
        });
        let end = score.end.map(|end| match end {
            pavilion::GameEnd::SixRounds => "six rounds",
        });
        Self {
            end: end.map(str::to_owned),
            seats: seats.collect(),
            winners: score.winners.iter().map(|seat| seat.index()).collect(),
        }
    }
}
