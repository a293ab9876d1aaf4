//! What the tests share: both games behind one trait, players of several tempers, a generator, a
//! database, the schema of records.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

mod azul;
pub mod golden;
mod pavilion;
mod playable;
mod playing;
mod postgres;
mod random;
mod record_schema;

pub use playable::{Observed, Playable, Ways};
pub use playing::{Finished, Style, play_game};
pub use postgres::{Database, Postgres};
pub use random::Random;
pub use record_schema::{RECORD_SCHEMA, assert_valid_record, record_errors};
