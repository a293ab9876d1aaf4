use azulejo_rules::parts::{Chance, TileColor, Tiles};

/// A small, fast random number generator (`SplitMix64`). Same seed, same numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The number with which [`Dice::new`] continues from here.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.0
    }

    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A number below `n`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.word()) * n as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from 0 (included) to 1 (excluded).
    pub fn share(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// One of the items; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }
}

/// A random deal.
impl<C: TileColor> Chance<C> for Dice {
    #[inline]
    fn draw(&mut self, bag: Tiles<C>, _drawn: u32) -> C {
        let number = self.below(usize::from(bag.total()));
        u32::try_from(number).ok().and_then(|number| bag.nth(number)).unwrap_or(C::ALL[0])
    }
}
