//! The uncertainty of a fit: a Bayesian bootstrap. The fit is repeated with random weights for the
//! blocks of matches and with random prior means. A rating that depends on a few blocks varies with
//! their weights; a rating with hardly any results varies as much as its prior.

use super::fit::{FitInput, Model, Tolerance};
use super::games::{Sorted, hash_of};
use super::{PRIOR_DEVIATION, REPLICATES};

/// The fitted parameters of each replicate. Weights and prior means depend only on the names of the
/// blocks and players, so they do not change when other matches are played.
pub(super) fn replicates(model: &Model, sorted: &Sorted, best: &[f64]) -> Vec<Vec<f64>> {
    let names: Vec<u64> =
        sorted.players.iter().map(|player| hash_of(&player.to_string())).collect();
    let replicate = |number: u32| {
        // Exponentially distributed.
        let weights: Vec<f64> =
            model.blocks.iter().map(|&block| -libm::log(uniform(block, number))).collect();
        let mut prior_means: Vec<f64> =
            names.iter().map(|&name| PRIOR_DEVIATION * normal(name, number)).collect();
        prior_means.resize(model.parameter_count(), 0.0);
        let input = FitInput { weights: &weights, prior_means: &prior_means, start: best };
        model.solve(&input, Tolerance::ROUGH)
    };
    (0..REPLICATES).map(replicate).collect()
}

/// Uniformly distributed between 0 and 1, both excluded.
#[expect(clippy::cast_precision_loss, reason = "53 bits")]
fn uniform(name: u64, number: u32) -> f64 {
    let bits = mix(name ^ mix(u64::from(number).wrapping_add(0x9e37_79b9_7f4a_7c15)));
    ((bits >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
}

/// Standard normal (Box-Muller).
fn normal(name: u64, number: u32) -> f64 {
    let (length, angle) = (uniform(name, number), uniform(!name, number));
    libm::sqrt(-2.0 * libm::log(length)) * libm::cos(2.0 * std::f64::consts::PI * angle)
}

/// The mixer of `SplitMix64`: every input bit changes about half of the output bits.
const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
