//! What a finished game is worth to each seat.

use std::str::FromStr;

use azulejo_rules::parts::PerSeat;

use crate::PlayError;
use crate::position::Position;

/// What a finished game is worth to each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// The winners share 1, the others share -1: the sum is zero. Ties are broken as in the game.
    #[default]
    Win,
    /// The lead over the best of the others, in points.
    Margin,
    /// The points.
    Points,
}

impl Returns {
    /// The returns of a finished game, one per seat.
    pub(crate) fn write<P: Position>(self, end: &P, returns: &mut [f32]) {
        let (totals, ranks) = end.standing();
        match self {
            Self::Win => win(&ranks, returns),
            Self::Margin => {
                for (seat, value) in returns.iter_mut().enumerate() {
                    let others = totals.iter().enumerate().filter(|&(other, _)| other != seat);
                    let best = others.map(|(_, &total)| total).max().unwrap_or_default();
                    *value = f32::from(totals[seat]) - f32::from(best);
                }
            }
            Self::Points => {
                for (value, &total) in returns.iter_mut().zip(&totals) {
                    *value = f32::from(total);
                }
            }
        }
    }
}

fn win(ranks: &PerSeat<u8>, returns: &mut [f32]) {
    let losers = ranks.iter().filter(|&&rank| rank > 1).count();
    let winners = ranks.len() - losers;
    for (value, &rank) in returns.iter_mut().zip(ranks) {
        *value = match (rank, losers) {
            (_, 0) => 0.0,
            (1, _) => 1.0 / winners as f32,
            _ => -1.0 / losers as f32,
        };
    }
}

impl FromStr for Returns {
    type Err = PlayError;

    fn from_str(name: &str) -> Result<Self, PlayError> {
        match name {
            "win" => Ok(Self::Win),
            "margin" => Ok(Self::Margin),
            "points" => Ok(Self::Points),
            _ => Err(PlayError::unknown("returns", name, "win, margin or points")),
        }
    }
}
