//! The uncertainty of a fit: a bootstrap over the blocks of matches, with random priors. Each replicate
//! gives every block a random weight, 0 or 2, moves every prior mean by its deviation, up or down, and
//! takes one Newton step from the fit, with its curvature. A rating that depends on a few blocks varies
//! with their weights; a rating with hardly any results varies as much as its prior.

use super::fit::{Maximum, Model};
use super::games::{Sorted, hash_of};
use super::hessian::{Lanes, add};
use super::{PRIOR_DEVIATION, REPLICATES};

/// Replicates that are computed together.
pub(super) const TOGETHER: usize = 8;

/// The squared residual of a step is reduced by this factor: replicates are only compared with each
/// other.
const ENOUGH: f64 = 1e-7;

/// How far the parameters of each replicate are from the fit, `TOGETHER` replicates at a time. What is
/// random depends only on the names of the blocks and players, so it does not change when other matches
/// are played.
pub(super) fn replicates(
    model: &Model,
    sorted: &Sorted,
    fit: &Maximum<'_>,
) -> Vec<Lanes<TOGETHER>> {
    let names: Vec<u64> =
        sorted.players.iter().map(|player| hash_of(&player.to_string())).collect();
    let pulls = Pulls::of(model, &fit.derivatives.residuals);
    let batch = |first: u32| {
        let mut sides = vec![[0.0; TOGETHER]; model.parameter_count()];
        for (&name, side) in names.iter().zip(&mut sides) {
            // Precision times the deviation by which the mean moves.
            *side = signs(name, first).map(|sign| sign / PRIOR_DEVIATION);
        }
        for (number, &block) in model.blocks.iter().enumerate() {
            let signs = signs(block, first);
            for &(index, pull) in pulls.of_block(number) {
                add(&mut sides[index as usize], pull, &signs);
            }
        }
        fit.derivatives.hessian.solve(&sides, ENOUGH)
    };
    (0..REPLICATES).step_by(TOGETHER).map(batch).collect()
}

/// How much each block pulls at the parameters.
struct Pulls {
    /// By block: where its pulls begin.
    starts: Vec<usize>,
    pulls: Vec<(u32, f64)>,
}

impl Pulls {
    fn of(model: &Model, residuals: &[f64]) -> Self {
        let (mut starts, mut pulls) = (vec![0], Vec::<(u32, f64)>::new());
        for (comparison, residual) in model.comparisons.iter().zip(residuals) {
            // A block without a comparison has no pulls.
            while starts.len() <= comparison.block as usize {
                starts.push(pulls.len());
            }
            let begin = starts[comparison.block as usize];
            for (index, sign) in model.terms(comparison) {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                match pulls[begin..].iter_mut().find(|(other, _)| *other == index) {
                    Some((_, pull)) => *pull += sign * residual,
                    None => pulls.push((index, sign * residual)),
                }
            }
        }
        starts.resize(model.blocks.len() + 1, pulls.len());
        Self { starts, pulls }
    }

    fn of_block(&self, number: usize) -> &[(u32, f64)] {
        &self.pulls[self.starts[number]..self.starts[number + 1]]
    }
}

/// Random signs of a name, for this replicate and those computed together with it.
fn signs(name: u64, first: u32) -> [f64; TOGETHER] {
    let bits = mix(name ^ mix(u64::from(first).wrapping_add(0x9e37_79b9_7f4a_7c15)));
    std::array::from_fn(|lane| if (bits >> (63 - lane)) & 1 == 0 { 1.0 } else { -1.0 })
}

/// The mixer of `SplitMix64`: every input bit changes about half of the output bits.
const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
