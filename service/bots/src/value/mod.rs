//! What a position is worth, by rule of thumb. The weights are a first guess: nobody has tuned them.

mod azul;
mod pavilion;

pub(crate) use azul::value as azul;
pub(crate) use pavilion::value as pavilion;
