//! The most probable strengths and seat effects, given the results and the priors. Newton's method,
//! with every step solved by conjugate gradients. The log-posterior is concave and has a single
//! maximum, and the starting point is always the same: what was fitted before has no influence.

use super::games::{Game, Sorted};
use super::hessian::{Hessian, Lanes, Pattern};
use super::{PRIOR_DEVIATION, SEAT_PRIOR_DEVIATION};

/// The weight of each comparison of two players, by the number of players in the match. The
/// comparisons of one match are correlated, so each of them says less than a game of two (measured on
/// matches of Azul).
const COMPARISON_WEIGHTS: [f64; 5] = [0.0, 0.0, 1.0, 0.745, 0.597];

/// Limit on the steps of Newton's method. A fit needs far fewer.
const MAX_STEPS: usize = 200;

/// Newton's method stops after a step that changes no parameter by more than this. It converges
/// quadratically, so the error is then much smaller: far more accurate than what is shown.
const ENOUGH: f64 = 1e-8;

/// Conjugate gradients stop when the squared residual is reduced by this factor.
const ENOUGH_OF_A_STEP: f64 = 1e-20;

/// Two players of a match: the indexes of their parameters, the outcome, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) players: (u32, u32),
    pub(super) seats: (u32, u32),
    /// 1 if the first player was placed better, 1/2 if they were equal.
    score: f64,
    weight: f64,
    pub(super) block: u32,
}

/// A Bradley-Terry model of the results. Its parameters are the strengths of the players, followed by
/// the effects of the seats.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) comparisons: Vec<Comparison>,
    /// Hashes of the ids of the blocks, ascending.
    pub(super) blocks: Vec<u64>,
    pub(super) players: usize,
    seats: usize,
    pattern: Pattern,
}

/// The maximum of the log-posterior.
#[derive(Debug)]
pub(super) struct Maximum<'a> {
    pub(super) parameters: Vec<f64>,
    /// There.
    pub(super) derivatives: Derivatives<'a>,
}

/// Derivatives of the log-posterior.
#[derive(Debug)]
pub(super) struct Derivatives<'a> {
    gradient: Lanes<1>,
    /// How much each comparison adds to the gradient by its log-odds.
    pub(super) residuals: Vec<f64>,
    pub(super) hessian: Hessian<'a>,
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
        let pattern = Pattern::of(&comparisons, players, sorted.seats);
        Self { comparisons, blocks, players, seats: sorted.seats, pattern }
    }

    pub(super) const fn parameter_count(&self) -> usize {
        self.players + self.seats
    }

    /// The most probable parameters.
    pub(super) fn maximum(&self) -> Maximum<'_> {
        let mut parameters = vec![0.0; self.parameter_count()];
        let mut derivatives = self.derivatives(&parameters);
        for _ in 0..MAX_STEPS {
            let step = derivatives.hessian.solve(&derivatives.gradient, ENOUGH_OF_A_STEP);
            let largest = step.iter().fold(0.0, |most: f64, [part]| most.max(part.abs()));
            // Far from the maximum a full step may overshoot, so it is damped. A comparison depends
            // on four parameters, so no log-odds change by more than four times the largest one.
            let bound = 4.0 * largest;
            let damping = if bound > 0.0 { libm::log1p(bound) / bound } else { 1.0 };
            for (parameter, [step]) in parameters.iter_mut().zip(&step) {
                *parameter += damping * step;
            }
            derivatives = self.derivatives(&parameters);
            if largest < ENOUGH {
                break;
            }
        }
        Maximum { parameters, derivatives }
    }

    /// The log-odds that the first player is placed better.
    fn log_odds(&self, comparison: &Comparison, parameters: &[f64]) -> f64 {
        let [a, b, p, q] = self.terms(comparison).map(|(index, _)| parameters[index]);
        a - b + (p - q)
    }

    fn derivatives(&self, parameters: &[f64]) -> Derivatives<'_> {
        let prior = |index: usize| self.prior_precision(index);
        let mut gradient: Lanes<1> = (parameters.iter().enumerate())
            .map(|(index, parameter)| [-prior(index) * parameter])
            .collect();
        let mut hessian = Hessian::new(&self.pattern, (0..parameters.len()).map(prior).collect());
        let mut residuals = Vec::with_capacity(self.comparisons.len());
        for (number, comparison) in self.comparisons.iter().enumerate() {
            let probability = 1.0 / (1.0 + libm::exp(-self.log_odds(comparison, parameters)));
            let residual = comparison.weight * (comparison.score - probability);
            for (index, sign) in self.terms(comparison) {
                gradient[index][0] += sign * residual;
            }
            residuals.push(residual);
            let curvature = comparison.weight * probability * (1.0 - probability);
            hessian.add(number, comparison, curvature);
        }
        Derivatives { gradient, residuals, hessian }
    }

    /// The parameters in the log-odds of a comparison, with their signs.
    pub(super) fn terms(&self, comparison: &Comparison) -> [(usize, f64); 4] {
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
