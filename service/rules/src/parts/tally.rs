use core::marker::PhantomData;

use super::tiles::{BITS, EVEN};
use super::{TileColor, Tiles};

/// How many tiles of each color there are in many heaps together, more than the box holds or not.
///
/// Ten bits a color, every other color in a word of its own: a heap is added in two instructions.
/// There is room for 33 heaps of 31 tiles of a color. No table has more that can be so large: 17
/// at most, and stars, which have six spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<C> {
    words: [u32; 2],
    color: PhantomData<C>,
}

impl<C: TileColor> Tally<C> {
    pub(crate) fn count(self, color: C) -> u16 {
        let word = self.words[color.index() % 2] >> (color.index() / 2 * 2 * BITS);
        word as u16 & 0x3ff
    }
}

impl<C: TileColor> FromIterator<Tiles<C>> for Tally<C> {
    fn from_iter<I: IntoIterator<Item = Tiles<C>>>(heaps: I) -> Self {
        let words = heaps.into_iter().fold([0, 0], |[even, odd], heap| {
            [even + (heap.bits() & EVEN), odd + (heap.bits() >> BITS & EVEN)]
        });
        Self { words, color: PhantomData }
    }
}
