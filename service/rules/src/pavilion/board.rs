//! The player board: seven stars, the tiles in hand, the score.

use core::num::NonZero;

use crate::parts::{Side, Tiles};

use super::star::{Cells, FEATURES, STAR, cell, cheap_spaces};
use super::{Color, Space, Star};

/// One player's board, and the tiles beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerBoard {
    pub(super) covered: Cells,
    /// The tiles of each star, by color.
    pub(super) laid: [Tiles<Color>; 7],
    /// A word for each star, three bits a space: 0, or the color's number + 1.
    pub(super) colors: [u32; 7],
    pub(super) hand: Tiles<Color>,
    pub(super) points: u16,
}

/// Points at the start. Rulebook: "Game setup".
pub const FIRST_POINTS: u16 = 5;
/// The score track has no lower space.
pub const FEWEST_POINTS: u16 = 1;

impl PlayerBoard {
    pub(super) const EMPTY: Self = Self {
        covered: 0,
        laid: [Tiles::EMPTY; 7],
        colors: [0; 7],
        hand: Tiles::EMPTY,
        points: FIRST_POINTS,
    };

    /// The tile on a space.
    #[must_use]
    pub const fn color_at(&self, star: Star, space: Space) -> Option<Color> {
        match self.colors[star as usize] >> (space as u32 * 3) & 7 {
            0 => None,
            number => Color::at(number as usize - 1),
        }
    }

    #[must_use]
    #[inline]
    pub const fn is_covered(&self, star: Star, space: Space) -> bool {
        self.covered >> cell(star, space) & 1 == 1
    }

    /// The tiles in hand, including those that a passed player keeps in the corners.
    #[must_use]
    pub const fn hand(&self) -> Tiles<Color> {
        self.hand
    }

    /// Points on the score track, without the bonuses of the end of the game.
    #[must_use]
    pub const fn points(&self) -> u16 {
        self.points
    }

    /// Every tile on the board and beside it.
    #[must_use]
    pub fn tiles(&self) -> Tiles<Color> {
        self.laid.iter().fold(self.hand, |all, &star| all + star)
    }

    #[inline]
    pub(super) const fn star_cells(&self, star: Star) -> Cells {
        self.covered >> (star as usize * 6) & STAR
    }

    /// The colors that a star still takes, one tile of each.
    ///
    /// Colored side: an outer star takes its own color, the center each color once. Gray side: any
    /// star may become a star of one color or of six colors; the second tile decides.
    #[inline]
    pub(super) fn open_colors(&self, side: Side, star: Star) -> Tiles<Color> {
        let shown = self.laid[star.index()].presence();
        match (side, star.color()) {
            (Side::Colored, Some(color)) => Tiles::of(color, 1),
            (Side::Colored, None) => Tiles::one_of_each() - shown,
            (Side::Gray, _) => match self.laid[star.index()].total() {
                0 | 1 => Tiles::one_of_each(),
                tiles if tiles == shown.total() => Tiles::one_of_each() - shown,
                _ if shown.total() == 1 => shown,
                _ => Tiles::EMPTY,
            },
        }
    }

    #[inline]
    pub(super) fn lay(&mut self, star: Star, space: Space, color: Color) {
        self.covered |= 1 << cell(star, space);
        self.laid[star.index()].put(color, 1);
        self.colors[star.index()] |= (color as u32 + 1) << (space as u32 * 3);
    }

    /// Loses points, but never drops below 1, and returns the number of points lost.
    ///
    /// Ruling E-15: the rulebook says so for the token only; the track has no lower space.
    #[inline]
    pub(super) fn lose(&mut self, points: u16) -> u16 {
        let lost = points.min(self.points - FEWEST_POINTS);
        self.points -= lost;
        lost
    }

    /// The most points that a board with these spaces covered can have: each star's tiles in one
    /// growing group, and nothing lost.
    pub(super) fn most_points(&self) -> u16 {
        let groups = Star::ALL.map(|star| self.star_cells(star).count_ones() as u16);
        groups.iter().fold(FIRST_POINTS, |points, tiles| points + tiles * (tiles + 1) / 2)
    }

    /// Bonus tiles of all features that are covered by now.
    pub(super) fn rewards(&self) -> u8 {
        FEATURES
            .iter()
            .filter(|feature| self.covered & feature.cells == feature.cells)
            .map(|feature| feature.reward)
            .sum()
    }

    /// The spaces of a star that are free and cost no more than this.
    #[inline]
    pub(super) fn free_spaces(
        &self,
        side: Side,
        star: Star,
        most: u8,
    ) -> impl Iterator<Item = Space> {
        let mut left = cheap_spaces(side, star, most) & !self.star_cells(star);
        core::iter::from_fn(move || {
            let first = NonZero::new(left)?;
            left &= left - 1;
            Space::at(first.trailing_zeros() as usize)
        })
    }

    /// What this player can pay with in one color.
    #[inline]
    pub(super) fn purse(&self, wild: Color, color: Color) -> Purse {
        // The wild color itself cannot be replaced.
        let wilds = if color == wild { 0 } else { self.hand.count(wild) };
        Purse { naturals: self.hand.count(color), wilds }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let table = u64::from(self.hand.bits()) << 16 | u64::from(self.points);
        self.colors.into_iter().map(u64::from).chain([table])
    }
}

/// Tiles of one color, and the wild tiles that may stand in for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    naturals: u8,
    wilds: u8,
}

impl Purse {
    /// The highest price that can be paid; there is none without a natural tile.
    #[inline]
    pub(super) const fn most(self) -> u8 {
        if self.naturals == 0 { 0 } else { self.naturals + self.wilds }
    }

    /// How many natural tiles may pay this price, least and most: wild tiles pay the rest.
    ///
    /// Rulebook: "Phase 2". At least one natural tile is needed, and it is the one laid.
    #[inline]
    pub(super) fn pay(self, price: u8) -> Option<(u8, u8)> {
        if self.most() < price {
            return None;
        }
        Some((price.saturating_sub(self.wilds).max(1), price.min(self.naturals)))
    }
}
