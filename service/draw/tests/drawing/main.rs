//! What is drawn is what lies on the table.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod azul_picture;
mod azul_terminal;
mod dress;
mod games;
mod pavilion_picture;
mod pavilion_terminal;
mod picture;
