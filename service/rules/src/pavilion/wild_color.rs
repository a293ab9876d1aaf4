//! The wild color of the round, whose tiles may replace others.

use super::{Color, Position};

pub const ROUNDS: u8 = 6;

/// The wild color of rounds 1 to 6. Rulebook: round marker board.
pub const WILD_COLORS: [Color; ROUNDS as usize] =
    [Color::Purple, Color::Green, Color::Orange, Color::Yellow, Color::Blue, Color::Red];

impl Position {
    #[must_use]
    #[inline]
    pub fn wild_color(&self) -> Color {
        WILD_COLORS[usize::from(self.round - 1) % WILD_COLORS.len()]
    }
}
