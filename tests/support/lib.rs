//! What the tests share: both games behind one trait, players of several tempers, a generator.

mod azul;
pub mod golden;
mod pavilion;
mod playable;
mod playing;
mod random;

pub use playable::{Observed, Playable};
pub use playing::{Finished, Style, play_game};
pub use random::Random;
