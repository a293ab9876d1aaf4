use core::fmt;

use super::{PlayerCount, Tiles, ordinal};

/// Tiles on a full factory display.
pub const TILES_PER_FACTORY: u8 = 4;
/// Factory displays at a table of four.
pub const MAX_FACTORIES: usize = 9;

ordinal! {
    /// A factory display, numbered in the order in which they are filled.
    pub enum Factory { F1, F2, F3, F4, F5, F6, F7, F8, F9 }
}

/// The tiles of every source, the center first; sources that the table does not have stay empty.
pub type Offer<C> = [Tiles<C>; Source::COUNT];

impl Factory {
    /// The factory displays of a table: 5, 7 or 9.
    #[inline]
    pub fn of(players: PlayerCount) -> &'static [Self] {
        match players {
            PlayerCount::Two => &Self::ALL[..5],
            PlayerCount::Three => &Self::ALL[..7],
            PlayerCount::Four => &Self::ALL[..9],
        }
    }
}

/// Counted from 1, as people count them.
impl fmt::Display for Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index() + 1)
    }
}

/// Where tiles are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    Center,
    Factory(Factory),
}

impl Source {
    /// Sources of a table of four: the center and nine factory displays.
    pub const COUNT: usize = MAX_FACTORIES + 1;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Center; Self::COUNT];
        let mut factory = 0;
        while factory < MAX_FACTORIES {
            all[factory + 1] = Self::Factory(Factory::ALL[factory]);
            factory += 1;
        }
        all
    };

    /// The sources of a table: the center and 5, 7 or 9 factory displays.
    #[must_use]
    #[inline]
    pub fn of(players: PlayerCount) -> &'static [Self] {
        const ALL: &[Source] = &Source::ALL;
        match players {
            PlayerCount::Two => &ALL[..6],
            PlayerCount::Three => &ALL[..8],
            PlayerCount::Four => ALL,
        }
    }

    /// 0 for the center, then the factory displays: so the sources of a small table are the first
    /// ones of a large table.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Center => 0,
            Self::Factory(factory) => factory.index() + 1,
        }
    }

    #[must_use]
    pub const fn at(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'c' => Some(Self::Center),
            '1'..='9' => Self::at(letter.to_digit(10)? as usize),
            _ => None,
        }
    }
}

/// `c` for the center, `1` to `9` for a factory display.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Center => f.write_str("c"),
            Self::Factory(factory) => factory.fmt(f),
        }
    }
}
