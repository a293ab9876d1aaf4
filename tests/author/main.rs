//! The commands for bot authors: `play`, `match`, `new` and `check` with bots of each SDK, and
//! without an SDK; and bots with one defect each, which `check` has to find.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod check;
mod new;
mod play;
mod tool;
