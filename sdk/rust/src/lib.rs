//! Write a bot, let it play.
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
pub use azulejo_wire::engine::v1 as calls;
pub use azulejo_wire::game::v1 as game;
pub use bot::{Accepted, Bot, Options, Secret};
pub use fair_play::Unfair;
pub use house::House;
pub use link::{EngineClient, Error, endpoint, engine_client, reason, register};
pub use run::{Ended, run};

pub use arena::Turn;

/// The README's samples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
