//! Write a bot and let it play on an Azulejo ladder.
//!
//! [`run`] connects, accepts matches, plays as many at the same time as the options allow, answers
//! heartbeats, reconnects after every interruption, and verifies the deals at the end of every
//! match. The bot only sees its turns.

mod any_bot;
mod bot;
mod fair_play;
mod house;
mod link;
mod run;

pub use azulejo_engine as engine;
pub use azulejo_play as local;
pub use azulejo_wire::arena::v1 as arena;
pub use azulejo_wire::engine::v1 as calls;
pub use azulejo_wire::game::v1 as game;
pub use bot::{Accepted, Bot, Options, Secret};
pub use fair_play::Unfair;
pub use house::House;
pub use link::{EngineClient, Error, connect, endpoint, engine_client, reason, register};
pub use run::{Ended, run};

pub use arena::Turn;

/// The code in the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
