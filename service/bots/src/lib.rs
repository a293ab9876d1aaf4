//! The house bots: `random`, `greedy` and `strong`. They know a position and nothing else: no
//! seed and no order of tiles. Only a time budget looks at the clock.
//!
//! # Layout
//!
//! - [`Game`]: what a bot needs of a game, whichever it is.
//! - `value/`: what a position is worth to each seat, by rule of thumb.
//! - [`greedy`]: the move whose next position is worth most.
//! - [`search`]: looks ahead and averages over the deals it cannot know.
//! - [`Dice`]: a small generator for choices.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "rules of thumb need no more than the precision of an f32, and count to five"
)]

mod dice;
mod game;
pub mod greedy;
mod house;
pub mod search;
mod value;

pub use dice::Dice;
pub use game::{Game, Points};
pub use house::{Budget, HouseBot, NoSuchBot};
