//! The rules of **Azul** and **Azul: Summer Pavilion**, both sides of the boards, two to four
//! players: complete, pure and fast.
//!
//! # Layout
//!
//! - [`parts`]: what lies in both boxes. Seats, tiles, the bag, chance.
//! - [`azul`], [`pavilion`]: the games, one file per heading of their rulebooks. They share nothing else.
//!
//! # A game of each
//!
//! ```
//! use azulejo_rules::azul::{Position, Rules};
//! use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};
//!
//! let seed = Seed::from_number(1);
//! let mut position = Position::new(Rules::new(Side::Gray, PlayerCount::Three), Seat::First);
//! while position.end().is_none() {
//!     position.deal_all(&mut Seeded(&seed), &mut ());
//!     let action = position.legal_moves()[0];
//!     position.play(action, &mut ())?;
//! }
//! assert!(!position.score().winners.is_empty());
//! # Ok::<(), azulejo_rules::azul::IllegalMove>(())
//! ```
//!
//! ```
//! use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};
//! use azulejo_rules::pavilion::{Position, Rules};
//!
//! let seed = Seed::from_number(1);
//! let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
//! while position.end().is_none() {
//!     position.deal_all(&mut Seeded(&seed), &mut ());
//!     if let Some(&action) = position.legal_moves().last() {
//!         position.play(action, &mut ())?;
//!     }
//! }
//! assert_eq!(position.round(), 6);
//! # Ok::<(), azulejo_rules::pavilion::IllegalMove>(())
//! ```
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
