//! Observations: a position as numbers, for learning.

use alloc::string::String;
use alloc::vec::Vec;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::{Mixer, TileColor, Tiles};

/// The version of the layout. A changed layout gets a new name, so that old checkpoints are refused.
pub const OBSERVATION_VERSION: &str = "obs1";

/// Where each part of a position is in its observation.
///
/// An observation shows a position as one seat sees it: the boards begin with that of the viewer and
/// continue clockwise. It has no hidden part, and the position can be rebuilt from it. Each value is
/// one byte; divided by the scale of its section it becomes a number that is rarely above 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub sections: Vec<Section>,
    /// The number of values.
    pub size: usize,
}

/// A part of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub offset: usize,
    pub shape: ArrayVec<usize, 3>,
    /// The divisor of its values.
    pub scale: u8,
}

/// Values that are not an observation of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadObservation<E> {
    #[error("an observation has {size} values, not {found}")]
    Size { size: usize, found: usize },
    #[error("{section} has an impossible value")]
    Value { section: String },
    #[error("invalid position: {0}")]
    Position(E),
}

impl Section {
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// No section is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Layout {
    pub(crate) const fn new() -> Self {
        Self { sections: Vec::new(), size: 0 }
    }

    pub(crate) fn add(&mut self, name: impl Into<String>, shape: &[usize], scale: u8) {
        let shape = shape.iter().copied().take(3).collect();
        let section = Section { name: name.into(), offset: self.size, shape, scale };
        self.size += section.len();
        self.sections.push(section);
    }

    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The divisor of each value.
    pub fn scales(&self) -> impl Iterator<Item = u8> {
        self.sections.iter().flat_map(|section| core::iter::repeat_n(section.scale, section.len()))
    }

    /// A number that differs whenever the layout does, to be stored with a trained network.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Mixer::new(0).text(OBSERVATION_VERSION);
        for section in &self.sections {
            hash = hash.text(&section.name).word(section.offset as u64).word(section.scale.into());
            hash = section.shape.iter().fold(hash, |hash, &length| hash.word(length as u64));
        }
        hash.finish()
    }
}

/// Writes an observation from left to right.
pub(crate) struct Pen<'a> {
    rest: &'a mut [u8],
}

impl<'a> Pen<'a> {
    pub(crate) const fn new(values: &'a mut [u8]) -> Self {
        Self { rest: values }
    }

    /// The next values.
    #[inline]
    fn next(&mut self, count: usize) -> &'a mut [u8] {
        let (next, rest) = core::mem::take(&mut self.rest).split_at_mut(count);
        self.rest = rest;
        next
    }

    #[inline]
    pub(crate) fn byte(&mut self, value: u8) {
        self.next(1)[0] = value;
    }

    /// The low bytes of a word.
    #[inline]
    pub(crate) fn word(&mut self, bytes: usize, word: u64) {
        self.next(bytes).copy_from_slice(&word.to_le_bytes()[..bytes]);
    }

    /// All zero but one.
    #[inline]
    pub(crate) fn one_hot(&mut self, count: usize, index: usize) {
        self.word(count, 1 << (8 * index));
    }

    #[inline]
    pub(crate) fn tiles<C: TileColor>(&mut self, tiles: Tiles<C>) {
        self.word(C::ALL.len(), tiles.spread());
    }
}

/// A byte per bit, for at most seven bits.
#[inline]
pub(crate) const fn spread_bits(bits: u32) -> u64 {
    (bits as u64).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101
}

/// Reads the sections of an observation by name.
pub(crate) struct Reader<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) values: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn values(&self, name: &str) -> &'a [u8] {
        self.layout
            .section(name)
            .and_then(|section| self.values.get(section.offset..section.offset + section.len()))
            .unwrap_or_default()
    }

    pub(crate) fn byte(&self, name: &str) -> u8 {
        self.values(name).first().copied().unwrap_or_default()
    }

    /// The place of the only 1 among zeros; none if there is no 1.
    pub(crate) fn place<E>(&self, name: &str) -> Result<Option<usize>, BadObservation<E>> {
        let values = self.values(name);
        let place = values.iter().position(|&value| value == 1);
        let ones = usize::from(place.is_some());
        if values.iter().filter(|&&value| value != 0).count() == ones {
            Ok(place)
        } else {
            Err(bad(name))
        }
    }

    pub(crate) fn index<E>(&self, name: &str) -> Result<usize, BadObservation<E>> {
        self.place(name)?.ok_or_else(|| bad(name))
    }

    pub(crate) fn flag<E>(&self, name: &str) -> Result<bool, BadObservation<E>> {
        match self.byte(name) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(bad(name)),
        }
    }

    pub(crate) fn tiles<C: TileColor, E>(&self, name: &str) -> Result<Tiles<C>, BadObservation<E>> {
        tiles_of(self.values(name)).ok_or_else(|| bad(name))
    }
}

pub(crate) fn tiles_of<C: TileColor>(counts: &[u8]) -> Option<Tiles<C>> {
    let counts: ArrayVec<u32, 6> = counts.iter().map(|&count| count.into()).collect();
    Tiles::from_counts(&counts).ok()
}

pub(crate) fn bad<E>(section: &str) -> BadObservation<E> {
    BadObservation::Value { section: section.into() }
}

#[cfg(test)]
mod tests {
    use super::super::{PlayerCount, Side};
    use crate::{azul, pavilion};

    fn layouts() -> impl Iterator<Item = (super::Layout, usize)> {
        Side::ALL.into_iter().flat_map(|side| {
            PlayerCount::ALL.into_iter().flat_map(move |players| {
                let azul = azul::Rules::new(side, players).layout();
                let pavilion = pavilion::Rules { side, players }.layout();
                [
                    (azul, azul::observation_size(side, players)),
                    (pavilion, pavilion::observation_size(side, players)),
                ]
            })
        })
    }

    #[test]
    fn the_sections_of_a_layout_follow_each_other_without_gaps() {
        for (layout, size) in layouts() {
            let mut end = 0;
            for section in &layout.sections {
                assert_eq!(section.offset, end, "{}", section.name);
                end += section.len();
            }
            assert_eq!((layout.size, layout.scales().count()), (end, end));
            assert_eq!(size, end);
        }
    }

    /// Stored networks know their layout by this number: if it changes, so must the version.
    #[test]
    fn every_layout_has_a_hash_of_its_own_that_never_changes() {
        let hashes: alloc::vec::Vec<u64> = layouts().map(|(layout, _)| layout.hash()).collect();
        for (index, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..index].contains(hash), "{index}");
        }
        let known = [
            5_641_326_803_943_054_802,
            18_228_833_086_775_283_760,
            6_951_985_821_631_804_430,
            11_791_068_858_251_447_139,
            11_899_048_742_991_648_157,
            5_794_066_264_348_116_501,
            13_706_056_883_040_188_076,
            10_072_469_366_137_629_796,
            657_735_879_786_389_520,
            10_650_806_705_307_889_469,
            13_475_509_215_502_387_476,
            17_800_095_261_537_030_301,
        ];
        assert_eq!(hashes, known);
    }
}
