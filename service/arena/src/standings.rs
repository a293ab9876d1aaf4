//! The official standings of a pool: one fit over all its results, whatever their order. Strength
//! and the worth of a seat are found together, such that they explain who finished before whom best;
//! how sure that is, is found by weighing the blocks of matches anew many times over.
//!
//! The same results give the same standings to the last bit, on every machine: everything is summed
//! up in an order of its own, and nothing is left to chance or to the system's mathematics.

mod fit;
mod games;
mod groups;
mod lines;
mod pull;
mod replicas;

pub use games::Games;
pub use lines::{Line, Standings};

/// Points of Elo in one unit of the model, where a unit makes odds of e to 1.
const ELO: f64 = 173.717_792_761_248_7;

/// Where the scale has its middle: `house/greedy`, or the field where it does not play.
const MIDDLE: f64 = 1_500.0;

/// The bot that all pools have in common.
const ANCHOR: &str = "house/greedy";

/// What is believed of a bot before its first result: about 350 points around the middle. Weak, but
/// whoever has only ever won, or lost, gets a finite rating by it.
const BELIEF: f64 = 350.0 / ELO;

/// The same for what a seat is worth.
const SEAT_BELIEF: f64 = 100.0 / ELO;

/// So often the blocks are weighed anew.
const REPLICAS: u32 = 300;

/// Both sides of a chance of 95 %.
const TWO_SIDED: f64 = 1.959_963_984_540_054;
