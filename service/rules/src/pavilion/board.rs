//! The player board: seven stars, the tiles at hand, the score.

use crate::parts::{Side, Tiles};

use super::star::{Cells, FEATURES, STAR, cell, cost};
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

    /// The tiles beside the board; those that a passed player keeps in the corners, too.
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

    /// Loses points, but never falls below 1, and says how many were lost.
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

    /// How many natural tiles may pay for a space: the rest of its cost is paid with wild tiles.
    ///
    /// Rulebook: "Phase 2". At least one natural tile is needed, and it is the one laid; nothing
    /// stands in for the wild color itself.
    #[inline]
    pub(super) fn naturals(&self, wild: Color, color: Color, price: u8) -> (u8, u8) {
        let wilds = if color == wild { 0 } else { self.hand.count(wild) };
        (price.saturating_sub(wilds).max(1), price.min(self.hand.count(color)))
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let table = u64::from(self.hand.bits()) << 16 | u64::from(self.points);
        self.colors.into_iter().map(u64::from).chain([table])
    }
}

/// The spaces of a star that are free, with what they cost.
#[inline]
pub(super) fn free_spaces(
    board: &PlayerBoard,
    side: Side,
    star: Star,
) -> impl Iterator<Item = (Space, u8)> {
    let covered = board.star_cells(star);
    Space::ALL
        .iter()
        .filter(move |&&space| covered >> space.index() & 1 == 0)
        .map(move |&space| (space, cost(side, star, space)))
}
