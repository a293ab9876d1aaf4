//! The picture.

mod azul;
mod azul_board;
mod describe;
mod feature;
mod paper;
mod pavilion;
mod pavilion_board;
mod star;
mod table;
mod theme;
mod tiles;

pub use azul::azul_svg;
pub use pavilion::pavilion_svg;
