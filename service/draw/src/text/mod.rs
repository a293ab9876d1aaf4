//! The table for a terminal: at most 80 columns, two boards per row.

mod azul;
mod columns;
mod ink;
mod pavilion;

pub use azul::azul_text;
pub use pavilion::pavilion_text;
