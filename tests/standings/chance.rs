//! Randomness with a seed.

use azulejo_arena::pairing::Dice;

/// A small generator: the same numbers on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let (length, angle) = (1.0 - self.unit(), self.unit());
        (-2.0 * length.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
    }

    /// Bots ranked by strength plus such a number beat each other with logistic probabilities.
    pub(crate) fn gumbel(&mut self) -> f64 {
        -(-(1.0 - self.unit()).ln()).ln()
    }
}

impl Dice for Chance {
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }
}
