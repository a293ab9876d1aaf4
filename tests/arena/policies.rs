//! One test for each rule of the contract about matches and sessions.

mod arena;
mod clocks;
mod forfeits;
mod gathering;
mod let_down;
mod one_match;
mod requests;
mod secret_positions;
mod sessions;
mod together;
