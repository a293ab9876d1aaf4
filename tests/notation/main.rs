//! NOTATION.md is checked against the engine: its tables, its formulas and its examples. So is the
//! schema of records.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod action_ids;
mod broken_records;
mod document;
mod formula;
mod games;
mod layout;
mod moves;
mod multisets;
mod positions;
mod records;
mod schema;
