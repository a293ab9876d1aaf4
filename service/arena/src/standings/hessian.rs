//! The second derivatives of the log-posterior as a sparse matrix, and systems of equations with it.
//! Several systems with the same matrix are solved together, one in each lane, because reading the
//! matrix takes most of the time.

use super::fit::Comparison;

/// Limit on the steps of conjugate gradients, relative to the number of unknowns. Without rounding, one
/// step per unknown would do.
const MAX_STEPS_PER_UNKNOWN: usize = 2;

/// A vector for each of `L` systems of equations, by unknown.
pub(super) type Lanes<const L: usize> = Vec<[f64; L]>;

/// Which players were compared: the places of the matrix that are not 0, apart from the diagonal and
/// the seats.
#[derive(Debug)]
pub(super) struct Pattern {
    players: usize,
    seats: usize,
    /// By player: where its pairs begin. A pair belongs to the player with the smaller index.
    starts: Vec<u32>,
    /// By pair: the player with the larger index.
    others: Vec<u32>,
    /// By comparison: its pair.
    pairs: Vec<u32>,
}

/// The negative Hessian: symmetric and positive definite. The unknowns are the players, then the seats.
#[derive(Debug)]
pub(super) struct Hessian<'a> {
    pattern: &'a Pattern,
    pub(super) diagonal: Vec<f64>,
    /// By pair; to be subtracted.
    pairs: Vec<f64>,
    /// By player and seat.
    seated: Vec<f64>,
    /// By seat and seat; to be subtracted.
    seats: Vec<f64>,
}

impl Pattern {
    pub(super) fn of(comparisons: &[Comparison], players: usize, seats: usize) -> Self {
        let keys: Vec<u64> = comparisons.iter().map(key).collect();
        let mut pairs_by_key = keys.clone();
        pairs_by_key.sort_unstable();
        pairs_by_key.dedup();
        let first = |key: u64| (key >> 32) as usize;
        let mut starts = vec![0; players + 1];
        for &key in &pairs_by_key {
            starts[first(key) + 1] += 1;
        }
        for player in 0..players {
            starts[player + 1] += starts[player];
        }
        let others: Vec<u32> = pairs_by_key.iter().map(|&key| low(key)).collect();
        let place = |key: u64| {
            let begin = starts[first(key)];
            let row = &others[begin as usize..starts[first(key) + 1] as usize];
            begin + row.binary_search(&low(key)).map_or(0, index)
        };
        let pairs = keys.into_iter().map(place).collect();
        Self { players, seats, starts, others, pairs }
    }
}

impl<'a> Hessian<'a> {
    /// With only these values on the diagonal.
    pub(super) fn new(pattern: &'a Pattern, diagonal: Vec<f64>) -> Self {
        let Pattern { players, seats, others, .. } = pattern;
        Self {
            pattern,
            diagonal,
            pairs: vec![0.0; others.len()],
            seated: vec![0.0; players * seats],
            seats: vec![0.0; seats * seats],
        }
    }

    /// Adds the curvature of comparison `number`.
    pub(super) fn add(&mut self, number: usize, comparison: &Comparison, curvature: f64) {
        let Pattern { players, seats, pairs, .. } = self.pattern;
        let (a, b) = (comparison.players.0 as usize, comparison.players.1 as usize);
        let (p, q) = (comparison.seats.0 as usize, comparison.seats.1 as usize);
        for unknown in [a, b, players + p, players + q] {
            self.diagonal[unknown] += curvature;
        }
        self.pairs[pairs[number] as usize] += curvature;
        self.seated[a * seats + p] += curvature;
        self.seated[a * seats + q] -= curvature;
        self.seated[b * seats + p] -= curvature;
        self.seated[b * seats + q] += curvature;
        self.seats[p * seats + q] += curvature;
        self.seats[q * seats + p] += curvature;
    }

    /// Solves the systems with these right-hand sides by conjugate gradients, with the diagonal as the
    /// preconditioner, until each squared residual is reduced by the factor `enough`.
    pub(super) fn solve<const L: usize>(&self, sides: &Lanes<L>, enough: f64) -> Lanes<L> {
        let mut solution = vec![[0.0; L]; sides.len()];
        let mut residual = sides.clone();
        let mut direction = self.preconditioned(&residual);
        let mut product = solution.clone();
        let mut size = dot(&residual, &direction);
        let limit = size.map(|size| size * enough);
        for _ in 0..MAX_STEPS_PER_UNKNOWN * sides.len() {
            if (0..L).all(|lane| size[lane] <= limit[lane]) {
                break;
            }
            self.multiply(&direction, &mut product);
            let curvature = dot(&direction, &product);
            let length = ratios(&size, &curvature);
            let changed = solution.iter_mut().zip(&mut residual);
            for ((solution, residual), (along, bent)) in changed.zip(direction.iter().zip(&product))
            {
                *solution = std::array::from_fn(|lane| solution[lane] + length[lane] * along[lane]);
                *residual = std::array::from_fn(|lane| residual[lane] - length[lane] * bent[lane]);
            }
            let next = self.preconditioned(&residual);
            let next_size = dot(&residual, &next);
            let keep = ratios(&next_size, &size);
            for (direction, next) in direction.iter_mut().zip(&next) {
                *direction = std::array::from_fn(|lane| next[lane] + keep[lane] * direction[lane]);
            }
            size = next_size;
        }
        solution
    }

    fn preconditioned<const L: usize>(&self, residual: &Lanes<L>) -> Lanes<L> {
        let parts = residual.iter().zip(&self.diagonal);
        parts.map(|(residual, diagonal)| residual.map(|part| part / diagonal)).collect()
    }

    fn multiply<const L: usize>(&self, vectors: &Lanes<L>, product: &mut Lanes<L>) {
        let Pattern { players, seats, starts, others, .. } = self.pattern;
        for ((product, vector), diagonal) in product.iter_mut().zip(vectors).zip(&self.diagonal) {
            *product = vector.map(|part| diagonal * part);
        }
        for player in 0..*players {
            let own = vectors[player];
            let mut sum = [0.0; L];
            let row = starts[player] as usize..starts[player + 1] as usize;
            for (&other, &value) in others[row.clone()].iter().zip(&self.pairs[row]) {
                add(&mut sum, -value, &vectors[other as usize]);
                add(&mut product[other as usize], -value, &own);
            }
            for seat in 0..*seats {
                let value = self.seated[player * seats + seat];
                add(&mut sum, value, &vectors[players + seat]);
                add(&mut product[players + seat], value, &own);
            }
            add(&mut product[player], 1.0, &sum);
        }
        for seat in 0..*seats {
            for other in 0..*seats {
                let value = -self.seats[seat * seats + other];
                add(&mut product[players + seat], value, &vectors[players + other]);
            }
        }
    }
}

/// Both players of a comparison, the smaller index first.
fn key(comparison: &Comparison) -> u64 {
    let (a, b) = comparison.players;
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

/// The player with the larger index.
const fn low(key: u64) -> u32 {
    (key & 0xffff_ffff) as u32
}

fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// 0 for a system that is solved exactly.
fn ratios<const L: usize>(sizes: &[f64; L], by: &[f64; L]) -> [f64; L] {
    std::array::from_fn(|lane| if by[lane] > 0.0 { sizes[lane] / by[lane] } else { 0.0 })
}

/// Adds a multiple of a vector.
pub(super) fn add<const L: usize>(to: &mut [f64; L], times: f64, vector: &[f64; L]) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += times * part;
    }
}

fn dot<const L: usize>(a: &Lanes<L>, b: &Lanes<L>) -> [f64; L] {
    let mut sums = [0.0; L];
    for (a, b) in a.iter().zip(b) {
        sums = std::array::from_fn(|lane| sums[lane] + a[lane] * b[lane]);
    }
    sums
}
