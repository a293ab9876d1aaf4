//! The drawings show the table as it is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod azul_picture;
mod azul_terminal;
mod games;
mod pavilion_picture;
mod pavilion_terminal;
mod picture;
mod style;
