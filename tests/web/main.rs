//! The web pages: the real program as a child process, over HTTP/1.1.
//!
//! The program is `target/release/azulejo` of this checkout, or the one in `AZULEJO_BIN`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod arena;
mod browser;
mod document;

mod front;
mod hostile;
mod links;
mod matches;
mod served;
