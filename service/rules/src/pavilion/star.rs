//! The geometry of the board: seven stars of six spaces, and the features between them.

use core::fmt;

use crate::parts::{Side, TileColor, ordinal};

use super::Color;

ordinal! {
    /// The stars: the outer ones clockwise from upper left, then the center.
    ///
    /// On the gray side the outer stars have no color of their own and keep these names as places.
    pub enum Star { Orange, Red, Blue, Yellow, Green, Purple, Center }
}

ordinal! {
    /// A space of a star, named by its number on the colored side, clockwise.
    pub enum Space { One, Two, Three, Four, Five, Six }
}

impl Star {
    pub const OUTER: [Self; 6] =
        [Self::Orange, Self::Red, Self::Blue, Self::Yellow, Self::Green, Self::Purple];

    /// The color of an outer star on the colored side.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Option<Color> {
        Color::at(self.index())
    }

    #[must_use]
    pub fn letter(self) -> char {
        self.color().map_or('C', TileColor::letter)
    }

    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|star| star.letter() == letter)
    }
}

impl fmt::Display for Star {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color() {
            Some(color) => write!(f, "{color} star"),
            None => f.write_str("center star"),
        }
    }
}

impl Space {
    /// 1 to 6: where it lies, and on the colored side what it costs.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// By side, star and space. Rulebook: the numbers printed on the boards.
const COSTS: [[[u8; 6]; 7]; 2] = {
    let colored = [1, 2, 3, 4, 5, 6];
    let gray = [3, 2, 1, 4, 5, 6];
    [[colored; 7], [gray, gray, gray, gray, gray, gray, [3; 6]]]
};

/// How many tiles a space costs: the number printed on it.
#[must_use]
#[inline]
pub const fn cost(side: Side, star: Star, space: Space) -> u8 {
    COSTS[side as usize][star as usize][space as usize]
}

/// The spaces of a star that cost no more than this, a bit each.
#[inline]
pub(super) fn cheap_spaces(side: Side, star: Star, most: u8) -> Cells {
    const CHEAP: [[[u8; 7]; 7]; 2] = {
        let mut table = [[[0; 7]; 7]; 2];
        let mut index = 0;
        while index < 2 * 7 * 7 * 6 {
            let (side, star, most, space) = (index / 294, index / 42 % 7, index / 6 % 7, index % 6);
            if COSTS[side][star][space] as usize <= most {
                table[side][star][most] |= 1 << space;
            }
            index += 1;
        }
        table
    };
    Cells::from(CHEAP[side.index()][star.index()][usize::from(most.min(6))])
}

/// Spaces of a board, a bit each: bit `6 * star + space`.
pub(super) type Cells = u64;

pub(super) const CELLS: usize = 42;
pub(super) const STAR: Cells = 0b11_1111;

#[inline]
pub(super) const fn cell(star: Star, space: Space) -> usize {
    star as usize * 6 + space as usize
}

/// A pillar, statue or window: the spaces round it, and the bonus tiles for covering them all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub(super) cells: Cells,
    pub(super) reward: u8,
}

const fn spaces(star: usize, first: usize, second: usize) -> Cells {
    1 << (star * 6 + first - 1) | 1 << (star * 6 + second - 1)
}

/// Rulebook: player board. Six pillars, six statues, six windows.
pub(super) const FEATURES: [Feature; 18] = {
    let center = Star::Center as usize;
    let mut features = [Feature { cells: 0, reward: 0 }; 18];
    let mut star = 0;
    while star < 6 {
        let next = (star + 1) % 6;
        let pillar = spaces(star, 2, 3) | spaces(center, (star + 5) % 6 + 1, star + 1);
        let statue = spaces(star, 1, 2) | spaces(next, 3, 4);
        features[star] = Feature { cells: pillar, reward: 1 };
        features[star + 6] = Feature { cells: statue, reward: 2 };
        features[star + 12] = Feature { cells: spaces(star, 5, 6), reward: 3 };
        star += 1;
    }
    features
};

/// The one or two features that each space belongs to.
const FEATURES_AT: [[Feature; 2]; CELLS] = {
    let mut table = [[Feature { cells: Cells::MAX, reward: 0 }; 2]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut found, mut feature) = (0, 0);
        while feature < FEATURES.len() {
            if FEATURES[feature].cells >> cell & 1 == 1 {
                table[cell][found] = FEATURES[feature];
                found += 1;
            }
            feature += 1;
        }
        cell += 1;
    }
    table
};

/// Bonus tiles earned by covering this space last.
#[inline]
pub(super) fn reward(covered: Cells, star: Star, space: Space) -> u8 {
    let [first, second] = FEATURES_AT[cell(star, space)];
    let earned = |feature: Feature| {
        if covered & feature.cells == feature.cells { feature.reward } else { 0 }
    };
    earned(first) + earned(second)
}

/// Every space with this number on it.
pub(super) const fn cells_with_cost(side: Side, number: u8) -> Cells {
    let mut cells = 0;
    let mut index = 0;
    while index < CELLS {
        if cost(side, Star::ALL[index / 6], Space::ALL[index % 6]) == number {
            cells |= 1 << index;
        }
        index += 1;
    }
    cells
}

/// Size of the group of covered spaces round this one, which is covered. A star is a ring.
#[inline]
pub(super) const fn group_size(star_cells: Cells, space: Space) -> u16 {
    let at = space as u32;
    let ring = star_cells & STAR;
    let turned = (ring >> at | ring << (6 - at)) & STAR;
    if turned == STAR {
        return 6;
    }
    let ahead = (!turned).trailing_zeros();
    let behind = (!(turned << (Cells::BITS - 6))).leading_zeros();
    (ahead + behind) as u16
}
