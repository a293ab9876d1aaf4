use core::fmt;

use crate::parts::{TileColor, ordinal};

ordinal! {
    /// The five colors of the tiles, in the order of the wall's first row.
    pub enum Color { Blue, Yellow, Red, Black, White }
}

impl TileColor for Color {
    const ALL: &'static [Self] = &Color::ALL;
    const EACH: u8 = 20;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }

    fn letter(self) -> char {
        match self {
            Self::Blue => 'B',
            Self::Yellow => 'Y',
            Self::Red => 'R',
            Self::Black => 'K',
            Self::White => 'W',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Red => "red",
            Self::Black => "black",
            Self::White => "white",
        })
    }
}
