//! The rules of **Azul** and **Azul: Summer Pavilion**, both sides of the boards, two to four
//! players: complete, pure and fast.
//!
//! # Layout
//!
//! - [`parts`]: what lies in both boxes. Seats, tiles, the bag, chance.
//! - [`azul`], [`pavilion`]: the games, one file per heading of their rulebooks. They share nothing else.
//!
//! `RULES.md` beside this crate maps every rule to its heading or ruling, its function and its
//! tests.

#![no_std]
#![allow(
    clippy::cast_possible_truncation,
    reason = "every number here counts tiles, seats or spaces of one table, far below 256"
)]

extern crate alloc;

pub mod azul;
pub mod parts;
pub mod pavilion;

/// The samples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
