//! Weng and Lin, "A Bayesian Approximation Method for Online Ranking", algorithm 1: Bradley-Terry
//! with full pairs, one player per team.

use azulejo_arena::rating::LiveRating;

const BETA: f64 = 25.0 / 3.0;
const KAPPA: f64 = 0.000_001;

pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Mean and deviation after a match, by seat.
pub(crate) fn by_hand(before: &[LiveRating], placements: &[u8]) -> Vec<(f64, f64)> {
    let seat = |me: usize| {
        let own = before[me];
        let variance = own.deviation.powi(2);
        let (mut omega, mut delta) = (0.0, 0.0);
        for (other, rival) in before.iter().enumerate() {
            if other == me {
                continue;
            }
            let c = (variance + rival.deviation.powi(2) + 2.0 * BETA * BETA).sqrt();
            let expected = 1.0 / (1.0 + ((rival.mean - own.mean) / c).exp());
            let scored = match placements[me].cmp(&placements[other]) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            omega += variance / c * (scored - expected);
            delta += own.deviation / c * (variance / (c * c)) * expected * (1.0 - expected);
        }
        (own.mean + omega, own.deviation * (1.0 - delta).max(KAPPA).sqrt())
    };
    (0..before.len()).map(seat).collect()
}
