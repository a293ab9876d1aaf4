//! The most likely strengths and seat terms: Newton's method, each step of it by conjugate
//! gradients. The likelihood has one maximum only, so every way there ends at the same place.

use super::games::{Game, Sorted};
use super::{BELIEF, SEAT_BELIEF};

/// Of a match with so many players, the results of its pairs hang together; so much does each of
/// them tell, compared with a game of two (measured on matches of Azul).
const WORTH: [f64; 5] = [0.0, 0.0, 1.0, 0.745, 0.597];

/// Far more than are ever needed.
const STEPS: usize = 200;

/// How exactly a fit is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    /// The last step moves nothing further than this, in units of the model; each step is about as
    /// much closer as the one before it was small.
    step: f64,
    /// What is left of the squared error of a step.
    rest: f64,
}

impl Precision {
    /// To far less than is shown.
    pub(super) const EXACT: Self = Self { step: 1e-8, rest: 1e-20 };
    /// To less than a point of Elo: for one of many that are only compared with each other.
    pub(super) const ROUGH: Self = Self { step: 0.01, rest: 1e-8 };
}

/// What a fit is made from, beside the results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// By block.
    pub(super) weights: &'a [f64],
    /// By parameter.
    pub(super) belief: &'a [f64],
    /// By parameter: where the search begins.
    pub(super) start: &'a [f64],
}

/// Two who met: where their parameters are, what came of it, and how much it counts.
#[derive(Clone, Copy, Debug)]
struct Pair {
    players: (u32, u32),
    seats: (u32, u32),
    /// 1 if the first was better, 1/2 if they were equal.
    score: f64,
    weight: f64,
    block: u32,
}

/// Everything that is fitted.
#[derive(Debug)]
pub(super) struct Problem {
    pairs: Vec<Pair>,
    /// Numbers of the blocks.
    pub(super) blocks: Vec<u64>,
    players: usize,
    seats: usize,
}

impl Problem {
    pub(super) fn of(sorted: &Sorted) -> Self {
        let mut blocks: Vec<u64> = sorted.games.iter().map(|game| game.block).collect();
        blocks.dedup();
        let players = sorted.players.len();
        let mut pairs = Vec::new();
        for game in &sorted.games {
            let block = blocks.binary_search(&game.block).unwrap_or_default();
            pairs_of(game, u32::try_from(block).unwrap_or(u32::MAX), players, &mut pairs);
        }
        Self { pairs, blocks, players, seats: sorted.seats }
    }

    pub(super) const fn unknowns(&self) -> usize {
        self.players + self.seats
    }

    /// The most likely parameters: players first, then seats. Each block counts as much as its
    /// weight; `belief` is what is believed of each parameter before the first result.
    pub(super) fn solve(&self, asked: &Asked<'_>, precision: Precision) -> Vec<f64> {
        let mut at = asked.start.to_vec();
        for _ in 0..STEPS {
            let slope = self.slope(asked, &at);
            let step = self.newton_step(&slope, precision);
            let largest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            // Far from the maximum a whole step may lead too far; so much of one never does, since
            // four parameters together move no comparison further than this.
            let furthest = 4.0 * largest;
            let share = if furthest > 0.0 { libm::log1p(furthest) / furthest } else { 1.0 };
            for (at, step) in at.iter_mut().zip(&step) {
                *at += share * step;
            }
            if largest < precision.step {
                break;
            }
        }
        at
    }

    fn strength(&self, pair: &Pair, at: &[f64]) -> f64 {
        let (a, b) = pair.players;
        let (p, q) = pair.seats;
        let seats = at[self.players + p as usize] - at[self.players + q as usize];
        at[a as usize] - at[b as usize] + seats
    }

    /// The derivatives of the likelihood's logarithm, and how much each pair bends it.
    fn slope(&self, asked: &Asked<'_>, at: &[f64]) -> Slope {
        let Asked { weights, belief, .. } = asked;
        let mut gradient: Vec<f64> = (at.iter().zip(*belief).enumerate())
            .map(|(index, (at, belief))| -self.precision(index) * (at - belief))
            .collect();
        let mut bends = Vec::with_capacity(self.pairs.len());
        let mut diagonal: Vec<f64> = (0..at.len()).map(|index| self.precision(index)).collect();
        for pair in &self.pairs {
            let chance = 1.0 / (1.0 + libm::exp(-self.strength(pair, at)));
            let weight = weights[pair.block as usize] * pair.weight;
            let pull = weight * (pair.score - chance);
            let bend = weight * chance * (1.0 - chance);
            for (index, sign) in self.places(pair) {
                gradient[index] += sign * pull;
                diagonal[index] += bend;
            }
            bends.push(bend);
        }
        Slope { gradient, bends, diagonal }
    }

    /// Conjugate gradients, preconditioned by the diagonal.
    fn newton_step(&self, slope: &Slope, precision: Precision) -> Vec<f64> {
        let Slope { gradient, diagonal, .. } = slope;
        let mut step = vec![0.0; gradient.len()];
        let mut rest = gradient.clone();
        let scaled = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(diagonal).map(|(rest, diagonal)| rest / diagonal).collect()
        };
        let mut towards = scaled(&rest);
        let mut size = dot(&rest, &towards);
        let enough = size * precision.rest;
        for _ in 0..2 * gradient.len() {
            if size <= enough || size == 0.0 {
                break;
            }
            let bent = self.bend(slope, &towards);
            let share = size / dot(&towards, &bent);
            for index in 0..step.len() {
                step[index] += share * towards[index];
                rest[index] -= share * bent[index];
            }
            let next = scaled(&rest);
            let next_size = dot(&rest, &next);
            let keep = next_size / size;
            for (towards, next) in towards.iter_mut().zip(&next) {
                *towards = next + keep * *towards;
            }
            size = next_size;
        }
        step
    }

    /// The (negative) second derivatives, applied to a direction.
    fn bend(&self, slope: &Slope, towards: &[f64]) -> Vec<f64> {
        let mut bent: Vec<f64> =
            towards.iter().enumerate().map(|(index, part)| self.precision(index) * part).collect();
        for (pair, bend) in self.pairs.iter().zip(&slope.bends) {
            let pull = bend * self.strength(pair, towards);
            for (index, sign) in self.places(pair) {
                bent[index] += sign * pull;
            }
        }
        bent
    }

    fn places(&self, pair: &Pair) -> [(usize, f64); 4] {
        let (a, b) = pair.players;
        let (p, q) = pair.seats;
        let seat = |seat: u32| self.players + seat as usize;
        [(a as usize, 1.0), (b as usize, -1.0), (seat(p), 1.0), (seat(q), -1.0)]
    }

    const fn precision(&self, index: usize) -> f64 {
        if index < self.players {
            1.0 / (BELIEF * BELIEF)
        } else {
            1.0 / (SEAT_BELIEF * SEAT_BELIEF)
        }
    }
}

struct Slope {
    gradient: Vec<f64>,
    bends: Vec<f64>,
    diagonal: Vec<f64>,
}

fn pairs_of(game: &Game, block: u32, players: usize, pairs: &mut Vec<Pair>) {
    let weight = WORTH.get(game.seats.len()).copied().unwrap_or(0.5);
    for (p, &(a, first)) in (0..).zip(&game.seats) {
        for (q, &(b, second)) in (0..).zip(&game.seats).skip(p as usize + 1) {
            // Nobody is stronger than himself.
            if a == b || a as usize >= players {
                continue;
            }
            let score = match first.cmp(&second) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            pairs.push(Pair { players: (a, b), seats: (p, q), score, weight, block });
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
