//! One test for each sentence that the contract says about a match.

mod clocks;
mod forfeits;
mod gathering;
mod hall;
mod house;
mod requests;
mod table;
