//! The most probable strengths and seat effects, given the results and the priors. Newton's method,
//! with every step solved by conjugate gradients. The log-posterior is concave and has a single
//! maximum, so the result does not depend on the starting point.

use super::games::{Game, Sorted};
use super::{PRIOR_DEVIATION, SEAT_PRIOR_DEVIATION};

/// The weight of each comparison of two players, by the number of players in the match. The
/// comparisons of one match are correlated, so each of them says less than a game of two (measured on
/// matches of Azul).
const COMPARISON_WEIGHTS: [f64; 5] = [0.0, 0.0, 1.0, 0.745, 0.597];

/// Limit on the steps of Newton's method. A fit needs far fewer.
const MAX_STEPS: usize = 200;

/// When a fit is accurate enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// Newton's method stops after a step that changes no parameter by more than this. It converges
    /// quadratically, so the error is then much smaller.
    step: f64,
    /// Conjugate gradients stop when the squared residual is reduced by this factor.
    residual: f64,
}

impl Tolerance {
    /// Far more accurate than what is shown.
    pub(super) const EXACT: Self = Self { step: 1e-8, residual: 1e-20 };
    /// Less than one Elo point: for replicates, which are only compared with each other.
    pub(super) const ROUGH: Self = Self { step: 0.01, residual: 1e-8 };
}

/// What a fit depends on besides the results.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitInput<'a> {
    /// By block.
    pub(super) weights: &'a [f64],
    /// By parameter.
    pub(super) prior_means: &'a [f64],
    /// The starting point, by parameter.
    pub(super) start: &'a [f64],
}

/// Two players of a match: the indexes of their parameters, the outcome, and its weight.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    players: (u32, u32),
    seats: (u32, u32),
    /// 1 if the first player was placed better, 1/2 if they were equal.
    score: f64,
    weight: f64,
    block: u32,
}

/// A Bradley-Terry model of the results. Its parameters are the strengths of the players, followed by
/// the effects of the seats.
#[derive(Debug)]
pub(super) struct Model {
    comparisons: Vec<Comparison>,
    /// Hashes of the ids of the blocks, ascending.
    pub(super) blocks: Vec<u64>,
    players: usize,
    seats: usize,
}

impl Model {
    pub(super) fn of(sorted: &Sorted) -> Self {
        let mut blocks: Vec<u64> = sorted.games.iter().map(|game| game.block).collect();
        blocks.dedup();
        let players = sorted.players.len();
        let mut comparisons = Vec::new();
        for game in &sorted.games {
            let block = blocks.binary_search(&game.block).unwrap_or_default();
            let block = u32::try_from(block).unwrap_or(u32::MAX);
            compare(game, block, players, &mut comparisons);
        }
        Self { comparisons, blocks, players, seats: sorted.seats }
    }

    pub(super) const fn parameter_count(&self) -> usize {
        self.players + self.seats
    }

    /// The most probable parameters.
    pub(super) fn solve(&self, input: &FitInput<'_>, tolerance: Tolerance) -> Vec<f64> {
        let mut parameters = input.start.to_vec();
        for _ in 0..MAX_STEPS {
            let derivatives = self.derivatives(input, &parameters);
            let step = self.newton_step(&derivatives, tolerance);
            let largest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            // Far from the maximum a full step may overshoot, so it is damped. A comparison depends
            // on four parameters, so no log-odds change by more than four times the largest one.
            let bound = 4.0 * largest;
            let damping = if bound > 0.0 { libm::log1p(bound) / bound } else { 1.0 };
            for (parameter, step) in parameters.iter_mut().zip(&step) {
                *parameter += damping * step;
            }
            if largest < tolerance.step {
                break;
            }
        }
        parameters
    }

    /// The log-odds that the first player is placed better.
    fn log_odds(&self, comparison: &Comparison, parameters: &[f64]) -> f64 {
        let (a, b) = comparison.players;
        let (p, q) = comparison.seats;
        let seats = parameters[self.players + p as usize] - parameters[self.players + q as usize];
        parameters[a as usize] - parameters[b as usize] + seats
    }

    /// The derivatives of the log-posterior.
    fn derivatives(&self, input: &FitInput<'_>, parameters: &[f64]) -> Derivatives {
        let FitInput { weights, prior_means, .. } = input;
        let mut gradient: Vec<f64> = (parameters.iter().zip(*prior_means).enumerate())
            .map(|(index, (parameter, mean))| -self.prior_precision(index) * (parameter - mean))
            .collect();
        let mut curvatures = Vec::with_capacity(self.comparisons.len());
        let mut diagonal: Vec<f64> =
            (0..parameters.len()).map(|index| self.prior_precision(index)).collect();
        for comparison in &self.comparisons {
            let probability = 1.0 / (1.0 + libm::exp(-self.log_odds(comparison, parameters)));
            let weight = weights[comparison.block as usize] * comparison.weight;
            let residual = weight * (comparison.score - probability);
            let curvature = weight * probability * (1.0 - probability);
            for (index, sign) in self.terms(comparison) {
                gradient[index] += sign * residual;
                diagonal[index] += curvature;
            }
            curvatures.push(curvature);
        }
        Derivatives { gradient, curvatures, diagonal }
    }

    /// A step of Newton's method, by conjugate gradients with the diagonal as the preconditioner.
    fn newton_step(&self, derivatives: &Derivatives, tolerance: Tolerance) -> Vec<f64> {
        let Derivatives { gradient, diagonal, .. } = derivatives;
        let mut step = vec![0.0; gradient.len()];
        let mut residual = gradient.clone();
        let preconditioned = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(diagonal).map(|(residual, diagonal)| residual / diagonal).collect()
        };
        let mut direction = preconditioned(&residual);
        let mut size = dot(&residual, &direction);
        let enough = size * tolerance.residual;
        for _ in 0..2 * gradient.len() {
            if size <= enough || size == 0.0 {
                break;
            }
            let product = self.hessian_product(derivatives, &direction);
            let length = size / dot(&direction, &product);
            for index in 0..step.len() {
                step[index] += length * direction[index];
                residual[index] -= length * product[index];
            }
            let next = preconditioned(&residual);
            let next_size = dot(&residual, &next);
            let keep = next_size / size;
            for (direction, next) in direction.iter_mut().zip(&next) {
                *direction = next + keep * *direction;
            }
            size = next_size;
        }
        step
    }

    /// The product of the negative Hessian and a direction.
    fn hessian_product(&self, derivatives: &Derivatives, direction: &[f64]) -> Vec<f64> {
        let parts = direction.iter().enumerate();
        let mut product: Vec<f64> =
            parts.map(|(index, part)| self.prior_precision(index) * part).collect();
        for (comparison, curvature) in self.comparisons.iter().zip(&derivatives.curvatures) {
            let change = curvature * self.log_odds(comparison, direction);
            for (index, sign) in self.terms(comparison) {
                product[index] += sign * change;
            }
        }
        product
    }

    /// The parameters in the log-odds of a comparison, with their signs.
    fn terms(&self, comparison: &Comparison) -> [(usize, f64); 4] {
        let (a, b) = comparison.players;
        let (p, q) = comparison.seats;
        let seat = |seat: u32| self.players + seat as usize;
        [(a as usize, 1.0), (b as usize, -1.0), (seat(p), 1.0), (seat(q), -1.0)]
    }

    /// The inverse variance of a parameter's prior.
    const fn prior_precision(&self, index: usize) -> f64 {
        if index < self.players {
            1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION)
        } else {
            1.0 / (SEAT_PRIOR_DEVIATION * SEAT_PRIOR_DEVIATION)
        }
    }
}

/// Derivatives of the log-posterior.
struct Derivatives {
    gradient: Vec<f64>,
    /// The negative second derivative of each comparison, by its log-odds.
    curvatures: Vec<f64>,
    /// The diagonal of the negative Hessian.
    diagonal: Vec<f64>,
}

/// Compares every two players of a game.
fn compare(game: &Game, block: u32, players: usize, comparisons: &mut Vec<Comparison>) {
    let weight = COMPARISON_WEIGHTS.get(game.seats.len()).copied().unwrap_or(0.5);
    for (p, &(a, first)) in (0..).zip(&game.seats) {
        for (q, &(b, second)) in (0..).zip(&game.seats).skip(p as usize + 1) {
            // A bot that plays itself says nothing about its strength.
            if a == b || a as usize >= players {
                continue;
            }
            let score = match first.cmp(&second) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            let (players, seats) = ((a, b), (p, q));
            comparisons.push(Comparison { players, seats, score, weight, block });
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
