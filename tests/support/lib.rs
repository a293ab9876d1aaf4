//! Shared by the suites: both games behind one trait, random players, processes, HTTP and gRPC
//! clients, waiting, PostgreSQL, certificates, the schema of records.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

mod azul;
mod certificates;
pub mod golden;
pub mod grpc;
pub mod http;
mod pavilion;
mod playable;
mod playing;
mod postgres;
pub mod process;
mod random;
mod record_schema;
pub mod waiting;

pub use certificates::certificates;
pub use playable::{Observed, Playable, Ways};
pub use playing::{Finished, Style, play_game};
pub use postgres::{Database, Postgres};
pub use random::Random;
pub use record_schema::{RECORD_SCHEMA, assert_valid_record, record_errors};
