use core::fmt;

use crate::parts::{TileColor, ordinal};

ordinal! {
    /// The six colors of the tiles, in the order of the outer stars, clockwise from upper left.
    pub enum Color { Orange, Red, Blue, Yellow, Green, Purple }
}

impl TileColor for Color {
    const ALL: &'static [Self] = &Color::ALL;
    const EACH: u8 = 22;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }

    fn letter(self) -> char {
        match self {
            Self::Orange => 'O',
            Self::Red => 'R',
            Self::Blue => 'B',
            Self::Yellow => 'Y',
            Self::Green => 'G',
            Self::Purple => 'P',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Orange => "orange",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Purple => "purple",
        })
    }
}
