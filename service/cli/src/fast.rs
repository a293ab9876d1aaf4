//! A small fast generator for measuring: the cost of a playout must not be that of its chance.

use azulejo_rules::parts::{Chance, TileColor, Tiles};

/// A linear congruential generator whose upper half is used. Not for games that matter.
#[derive(Debug)]
pub(crate) struct Fast(u64);

impl Fast {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `n`.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = self.0 >> 32;
        ((word * u64::from(n)) >> 32) as u32
    }
}

impl<C: TileColor> Chance<C> for Fast {
    #[inline]
    fn draw(&mut self, bag: Tiles<C>, _drawn: u32) -> C {
        let number = self.below(u32::from(bag.total()));
        bag.nth(number).unwrap_or(C::ALL[0])
    }
}
