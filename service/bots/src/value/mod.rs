//! The heuristic value of a position. The weights are a first guess and have not been tuned.

mod azul;
mod pavilion;

pub(crate) use azul::value as azul;
pub(crate) use pavilion::value as pavilion;
