//! The engine inside a program: games, batches and searches, and the same transcripts as everywhere.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "figures for the log")]

mod batches;
mod errors;
mod games;
mod network;
mod playouts;
mod search;
mod transcript;
mod transcripts;
