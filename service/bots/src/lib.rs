//! The house bots: `random`, `greedy` and `strong`. They see only the position: no seed and no
//! order of tiles. Only a time budget reads the clock.
//!
//! # Layout
//!
//! - [`Game`]: what a bot needs of either game.
//! - `value/`: the heuristic value of a position for each seat.
//! - [`greedy`]: the move with the best next position.
//! - [`search`]: tree search that averages over unknown deals.
//! - [`Dice`]: a random number generator.
//! - [`clock`]: the clock of time budgets.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "heuristics need no more than the precision of an f32"
)]

pub mod clock;
mod dice;
mod game;
pub mod greedy;
mod house;
pub mod search;
mod value;

pub use dice::Dice;
pub use game::{Game, Points};
pub use house::{Budget, HouseBot, NoSuchBot};
