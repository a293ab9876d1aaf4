//! How sure a fit is: the same fit, many times over, with the blocks of matches weighed anew and the
//! beliefs drawn anew. As far as the results of a few blocks decide a rating, it varies; where there
//! are hardly any results, it varies as much as what was believed before them.

use super::fit::{Asked, Precision, Problem};
use super::games::{Sorted, number_of};
use super::{BELIEF, REPLICAS};

/// Fitted parameters of each replica. Weights and beliefs hang on the names of the blocks and of the
/// players alone, so they are the same whatever else was played.
pub(super) fn replicas(problem: &Problem, sorted: &Sorted, best: &[f64]) -> Vec<Vec<f64>> {
    let names: Vec<u64> =
        sorted.players.iter().map(|player| number_of(&player.to_string())).collect();
    let replica = |number: u32| {
        let weights: Vec<f64> =
            problem.blocks.iter().map(|&block| -libm::log(unit(block, number))).collect();
        let mut belief: Vec<f64> =
            names.iter().map(|&name| BELIEF * normal(name, number)).collect();
        belief.resize(problem.unknowns(), 0.0);
        problem.solve(&Asked { weights: &weights, belief: &belief, start: best }, Precision::ROUGH)
    };
    (0..REPLICAS).map(replica).collect()
}

/// Above 0 and below 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits")]
fn unit(name: u64, number: u32) -> f64 {
    let bits = mixed(name ^ mixed(u64::from(number).wrapping_add(0x9e37_79b9_7f4a_7c15)));
    ((bits >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
}

/// Normally distributed (Box and Muller).
fn normal(name: u64, number: u32) -> f64 {
    let (length, angle) = (unit(name, number), unit(!name, number));
    libm::sqrt(-2.0 * libm::log(length)) * libm::cos(2.0 * std::f64::consts::PI * angle)
}

/// Every bit of the input changes about half of those that come out (the mixer of `SplitMix64`).
const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
