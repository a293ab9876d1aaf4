//! The arena: bots of any language play on a rated ladder.
//!
//! | module | what |
//! |---|---|
//! | [`command`] | what can be asked of the arena, one file per command |
//! | [`state`] | the core: bots, sessions, matches, ratings; no I/O, no clock |
//! | [`match_run`] | one match: turns, clocks, results |
//! | [`event`] | what leaves the core |
//! | [`view`] | what queries and pages read |
//! | [`arena_loop`] | the loop around the core: mailbox, commits, effects |
//! | [`store`] | SQLite and PostgreSQL |
//! | [`grpc`] | the services: requests in, messages out |
//! | [`pairing`], [`rating`], [`standings`] | who plays whom, and how good they are |
//! | [`pairs`] | which bots may collude |
//!
//! The rules of the games are used only through `azulejo-engine`, so the arena cannot break one.

pub mod arena_loop;
pub mod clock;
pub mod command;
pub mod cursor;
pub mod event;
pub mod grpc;
pub mod match_record;
pub mod match_run;
pub mod names;
pub mod pairing;
pub mod pairs;
pub mod pool;
pub mod rating;
pub mod record;
pub mod standings;
pub mod state;
pub mod store;
pub mod time;
pub mod view;
