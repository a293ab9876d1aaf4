//! The author's verbs, as an author uses them: `play`, `match`, `new` and `check` with bots of each
//! SDK, and without any; and bots with one defect each, which `check` has to find.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod check;
mod new;
#[path = "../server/patience.rs"]
#[allow(dead_code, reason = "shared with suites that wait for more")]
mod patience;
mod play;
mod tool;
