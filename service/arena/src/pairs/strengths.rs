//! Strengths by a Bradley-Terry model, and what they predict for a pair without its own meetings.

use std::f64::consts::PI;

use super::{Met, Opponents};

/// Variance of the strength of a bot before any result, in natural units: a deviation of 350 points.
const PRIOR_VARIANCE: f64 = 4.0;
/// Passes over all bots. Far fewer are needed.
const MOST_PASSES: usize = 100;
/// A fit is accurate enough when no strength changes by more than this: a sixth of a point.
const ACCURATE: f64 = 0.001;

/// The strength of each bot.
#[derive(Debug)]
pub(super) struct Strengths(Vec<f64>);

impl Strengths {
    /// Improves one strength after the other until none changes.
    pub(super) fn of(opponents: &Opponents) -> Self {
        let mut strengths = Self(vec![0.0; opponents.len()]);
        for _ in 0..MOST_PASSES {
            let mut largest: f64 = 0.0;
            for bot in 0..opponents.len() {
                let (slope, curvature) =
                    strengths.derivatives(bot, strengths.0[bot], None, opponents);
                let step = (slope / curvature).clamp(-1.0, 1.0);
                strengths.0[bot] += step;
                largest = largest.max(step.abs());
            }
            if largest < ACCURATE {
                break;
            }
        }
        strengths
    }

    /// The score of the first bot against the second that their results against others predict, and the
    /// variance of the prediction.
    pub(super) fn expected_score(
        &self,
        one: usize,
        two: usize,
        opponents: &Opponents,
    ) -> (f64, f64) {
        let (first, uncertain) = self.without(one, two, opponents);
        let (second, as_well) = self.without(two, one, opponents);
        let variance = uncertain + as_well;
        // The mean of the predictions over the uncertain difference.
        let expected = chance((first - second) / (1.0 + PI * variance / 8.0).sqrt());
        (expected, (expected * (1.0 - expected)).powi(2) * variance)
    }

    /// The strength of a bot and its variance, from its results against all but one opponent.
    fn without(&self, bot: usize, except: usize, opponents: &Opponents) -> (f64, f64) {
        let mut strength = self.0[bot];
        for _ in 0..MOST_PASSES {
            let (slope, curvature) = self.derivatives(bot, strength, Some(except), opponents);
            let step = (slope / curvature).clamp(-1.0, 1.0);
            strength += step;
            if step.abs() < ACCURATE {
                break;
            }
        }
        let (_, curvature) = self.derivatives(bot, strength, Some(except), opponents);
        (strength, 1.0 / curvature)
    }

    /// The slope and the negative curvature of the log-posterior in the strength of a bot.
    fn derivatives(
        &self,
        bot: usize,
        strength: f64,
        except: Option<usize>,
        opponents: &Opponents,
    ) -> (f64, f64) {
        let prior = (-strength / PRIOR_VARIANCE, 1.0 / PRIOR_VARIANCE);
        let others = opponents[bot].iter().filter(|(other, _)| Some(**other) != except);
        others.fold(prior, |(slope, curvature), (&other, met)| {
            let Met { weight, weighted_score, .. } = met;
            let expected = chance(strength - self.0[other]);
            let slope = slope + weighted_score - weight * expected;
            (slope, curvature + weight * expected * (1.0 - expected))
        })
    }
}

/// The chance of a bot that is this much stronger to be ahead.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}
