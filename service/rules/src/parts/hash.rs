/// A hash that is the same on every machine and in every version: records and opening books
/// identify positions by it. Based on the finalizer of `SplitMix64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixer(u64);

impl Mixer {
    pub(crate) const fn new(domain: u64) -> Self {
        Self(mix(domain))
    }

    #[must_use]
    pub(crate) const fn word(self, word: u64) -> Self {
        Self(mix(self.0.rotate_left(23) ^ mix(word)))
    }

    #[must_use]
    pub(crate) fn text(self, text: &str) -> Self {
        text.bytes().fold(self.word(text.len() as u64), |hash, byte| hash.word(byte.into()))
    }

    /// Words whose order does not matter.
    #[must_use]
    pub(crate) fn unordered(self, words: impl Iterator<Item = u64>) -> Self {
        self.word(words.fold(0, |sum, word| sum.wrapping_add(mix(word))))
    }

    pub(crate) const fn finish(self) -> u64 {
        self.0
    }
}

const fn mix(word: u64) -> u64 {
    let mut word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
