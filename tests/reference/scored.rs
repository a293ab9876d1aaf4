use azulejo_rules::parts::Seat;
use azulejo_rules::{azul, pavilion};
use azulejo_tests::Playable;

/// The score of a game: totals, ranks and winners, by seat.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) totals: Vec<i64>,
    pub(crate) ranks: Vec<u8>,
    pub(crate) winners: Vec<usize>,
}

pub(crate) trait Scored: Playable {
    fn standing(&self) -> Standing;
}

impl Scored for azul::Position {
    fn standing(&self) -> Standing {
        let score = self.score();
        Standing {
            totals: score.seats.iter().map(|seat| i64::from(seat.total())).collect(),
            ranks: score.ranks.to_vec(),
            winners: score.winners.iter().map(|seat: &Seat| seat.index()).collect(),
        }
    }
}

impl Scored for pavilion::Position {
    fn standing(&self) -> Standing {
        let score = self.score();
        Standing {
            totals: score.seats.iter().map(|seat| i64::from(seat.total())).collect(),
            ranks: score.ranks.to_vec(),
            winners: score.winners.iter().map(|seat: &Seat| seat.index()).collect(),
        }
    }
}
