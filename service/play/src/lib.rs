//! Both games inside a program, for search, learning and statistics: action ids go in, numbers come
//! out, and nothing is allocated on the way.
//!
//! # Layout
//!
//! - [`Game`]: one game, with legal actions, observations, chance and house bots.
//! - [`Batch`]: many games side by side, for learning.
//! - [`Search`]: many search trees side by side, with the network outside.
//! - [`playouts`]: statistics of many games.
//! - `position`: what all of them need of the position of either game.
//!
//! # A game
//!
//! ```
//! use azulejo_play::{Chance, Game, Start};
//!
//! let mut game = Game::new("azul-colored-2", Start { chance: Chance::numbered(7), ..Start::default() })?;
//! let mut actions = Vec::new();
//! while !game.is_terminal() {
//!     game.legal_actions(&mut actions);
//!     game.apply(actions[0])?;
//! }
//! assert_eq!(game.scores().len(), 2);
//! # Ok::<(), azulejo_play::PlayError>(())
//! ```

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "seats, actions and values of a game: small numbers"
)]

mod batch;
mod chance;
mod error;
mod game;
mod playouts;
mod position;
mod returns;
mod search;

pub use azulejo_bots::clock;
pub use azulejo_engine::{HouseBot, Record, Ruleset, Unreadable};
pub use azulejo_rules::parts::{Layout, OBSERVATION_VERSION, Section};
pub use batch::{Arrays, Batch, BatchOptions, Learner, Observations, StartSeat, View};
pub use chance::Chance;
pub use error::PlayError;
pub use game::{Game, Start};
pub use playouts::{Statistics, playouts, playouts_in};
pub use position::{MOST_IDS, Outcome};
pub use returns::Returns;
pub use search::{Search, SearchOptions};
