//! Write a bot, let it play.
//!
//! ```no_run
//! use azulejo_sdk::{Bot, Options, Turn, run};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&self, turn: &Turn) -> u32 {
//!         turn.legal_moves[0].action_id
//!     }
//! }
//!
//! # async fn play() -> Result<(), azulejo_sdk::Ended> {
//! run(First, Options::new("http://127.0.0.1:7700", "azb_…")).await
//! # }
//! ```
//!
//! [`run`] connects, says that it is ready, plays as many matches at once as it may, answers
//! heartbeats, comes back after every interruption, and checks at the end of every match that the
//! deals were not chosen. What the bot sees is its turns.

mod bot;
mod fair_play;
mod house;
mod link;
mod run;

pub use azulejo_engine as engine;
pub use azulejo_wire::arena::v1 as arena;
pub use azulejo_wire::game::v1 as game;
pub use bot::{Bot, Options};
pub use fair_play::Unfair;
pub use house::House;
pub use link::{Error, reason, register};
pub use run::{Ended, run};

pub use arena::Turn;
