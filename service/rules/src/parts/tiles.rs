use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Add, AddAssign, Sub, SubAssign};

use thiserror::Error;

/// The colors of one game's tiles.
pub trait TileColor: Copy + Eq + fmt::Debug + 'static {
    /// Every color, in the order that the draw and the notation use.
    const ALL: &'static [Self];
    /// How many tiles of each color the box holds.
    const EACH: u8;

    /// Its number, counted from 0.
    fn index(self) -> usize;

    /// Its letter in the notation.
    fn letter(self) -> char;

    /// The color with this letter.
    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().copied().find(|color| color.letter() == letter)
    }
}

/// Some tiles, by color: a multiset.
///
/// Five bits a color in one word: neither game has more than 22 tiles of a color, so a heap of
/// tiles is added, taken away and compared in one instruction.
pub struct Tiles<C> {
    packed: u32,
    color: PhantomData<C>,
}

/// More tiles of one color than a heap can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{count} tiles of one color are more than the box holds")]
pub struct TooManyTiles {
    pub count: u32,
}

pub(super) const BITS: usize = 5;
const FIELD: u32 = (1 << BITS) - 1;
/// Every other field, so that a sum or a difference of fields has room to the left.
pub(super) const EVEN: u32 = FIELD | FIELD << 10 | FIELD << 20;
const GUARD: u32 = (1 << 5) | (1 << 15) | (1 << 25);
const LOW: u32 = 0b00001_00001_00001_00001_00001_00001;
const HIGH: u32 = LOW << 4;

impl<C: TileColor> Tiles<C> {
    pub const EMPTY: Self = Self::from_packed(0);
    /// The most tiles of one color that a heap can hold.
    pub const MOST: u8 = FIELD as u8;

    #[inline]
    const fn from_packed(packed: u32) -> Self {
        Self { packed, color: PhantomData }
    }

    /// `count` tiles of one color.
    ///
    /// # Panics
    /// In debug builds if `count` is more than [`Self::MOST`].
    #[must_use]
    #[inline]
    pub fn of(color: C, count: u8) -> Self {
        debug_assert!(count <= Self::MOST);
        Self::from_packed(u32::from(count) << (color.index() * BITS))
    }

    /// The tiles of a whole box.
    #[must_use]
    pub fn full_box() -> Self {
        C::ALL.iter().fold(Self::EMPTY, |all, &color| all + Self::of(color, C::EACH))
    }

    /// Tiles by count, in the order of [`TileColor::ALL`]; colors beyond the slice count 0.
    pub fn from_counts(counts: &[u32]) -> Result<Self, TooManyTiles> {
        C::ALL.iter().zip(counts).try_fold(
            Self::EMPTY,
            |tiles, (&color, &count)| match u8::try_from(count) {
                Ok(few) if few <= C::EACH => Ok(tiles + Self::of(color, few)),
                _ => Err(TooManyTiles { count }),
            },
        )
    }

    #[must_use]
    #[inline]
    pub fn count(self, color: C) -> u8 {
        (self.packed >> (color.index() * BITS) & FIELD) as u8
    }

    #[must_use]
    #[inline]
    pub const fn total(self) -> u8 {
        let pairs = (self.packed & EVEN) + (self.packed >> BITS & EVEN);
        ((pairs + (pairs >> 10) + (pairs >> 20)) & 0xff) as u8
    }

    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.packed == 0
    }

    #[must_use]
    #[inline]
    pub fn holds(self, color: C) -> bool {
        self.packed >> (color.index() * BITS) & FIELD != 0
    }

    /// Whether every tile of `other` is among these.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        let even = (self.packed & EVEN | GUARD) - (other.packed & EVEN);
        let odd = (self.packed >> BITS & EVEN | GUARD) - (other.packed >> BITS & EVEN);
        even & odd & GUARD == GUARD
    }

    #[inline]
    pub fn put(&mut self, color: C, count: u8) {
        *self += Self::of(color, count);
    }

    #[inline]
    pub fn remove(&mut self, color: C, count: u8) {
        *self -= Self::of(color, count);
    }

    /// Removes all tiles of one color and returns their number.
    #[must_use]
    #[inline]
    pub fn take_all(&mut self, color: C) -> u8 {
        let count = self.count(color);
        self.packed &= !(FIELD << (color.index() * BITS));
        count
    }

    /// Removes everything and returns it.
    #[must_use]
    #[inline]
    pub fn take(&mut self) -> Self {
        core::mem::replace(self, Self::EMPTY)
    }

    /// Tile number `index` when the tiles are laid out by color.
    #[must_use]
    #[inline]
    pub fn nth(self, index: u32) -> Option<C> {
        let mut left = index;
        let mut packed = self.packed;
        for &color in C::ALL {
            let here = packed & FIELD;
            if left < here {
                return Some(color);
            }
            left -= here;
            packed >>= BITS;
        }
        None
    }

    /// The colors present, with their counts, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (C, u8)> {
        C::ALL.iter().filter_map(move |&color| {
            let count = self.count(color);
            (count > 0).then_some((color, count))
        })
    }

    /// The colors present, in order.
    #[inline]
    pub fn present(self) -> impl Iterator<Item = C> {
        let mut left = self.presence().packed;
        core::iter::from_fn(move || {
            let first = NonZeroU32::new(left)?;
            left &= left - 1;
            C::ALL.get(first.trailing_zeros() as usize / BITS).copied()
        })
    }

    /// How many different colors are present.
    #[must_use]
    pub fn colors(self) -> usize {
        self.iter().count()
    }

    /// One tile of each color present: a tally, to be summed over many heaps.
    #[must_use]
    #[inline]
    pub(crate) const fn presence(self) -> Self {
        let nonzero = (((self.packed & !HIGH) + (HIGH - LOW)) | self.packed) & HIGH;
        Self::from_packed(nonzero >> 4)
    }

    /// One tile of each color.
    #[must_use]
    #[inline]
    pub(crate) const fn one_of_each() -> Self {
        Self::from_packed(LOW & ((1 << (C::ALL.len() * BITS)) - 1))
    }

    /// What two heaps with at most one tile of a color have in common.
    #[must_use]
    #[inline]
    pub(crate) const fn common(self, other: Self) -> Self {
        Self::from_packed(self.packed & other.packed)
    }

    /// Every way to take `size` of these tiles, in the order of the action ids: as many as
    /// possible of the first color first.
    pub fn multisets(self, size: u8) -> Multisets<C> {
        Multisets::new(self, size)
    }

    /// A byte per color, the first color in the lowest.
    #[must_use]
    #[inline]
    pub(crate) const fn spread(self) -> u64 {
        let packed = self.packed as u64;
        packed & 0x1f
            | (packed & 0x1f << 5) << 3
            | (packed & 0x1f << 10) << 6
            | (packed & 0x1f << 15) << 9
            | (packed & 0x1f << 20) << 12
            | (packed & 0x1f << 25) << 15
    }

    #[must_use]
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.packed
    }
}

/// See [`Tiles::multisets`].
#[derive(Clone, Debug)]
pub struct Multisets<C: TileColor> {
    pool: Tiles<C>,
    next: Option<Tiles<C>>,
}

impl<C: TileColor> Multisets<C> {
    fn new(pool: Tiles<C>, size: u8) -> Self {
        let next = (size <= pool.total()).then(|| Self::filled(Tiles::EMPTY, pool, 0, size));
        Self { pool, next }
    }

    /// `chosen`, with `size` more tiles from `pool`, colors from number `first` on, greedily.
    fn filled(chosen: Tiles<C>, pool: Tiles<C>, first: usize, size: u8) -> Tiles<C> {
        let mut tiles = chosen;
        let mut missing = size;
        for &color in C::ALL.iter().skip(first) {
            let count = missing.min(pool.count(color));
            tiles.put(color, count);
            missing -= count;
        }
        tiles
    }

    /// The next multiset of the same size: one tile fewer of the last color that can give one to
    /// the colors after it, and those filled greedily.
    fn after(&self, current: Tiles<C>) -> Option<Tiles<C>> {
        let mut behind_room = 0;
        let mut behind = 0;
        for (index, &color) in C::ALL.iter().enumerate().rev() {
            let count = current.count(color);
            if count > 0 && behind < behind_room {
                let mut kept = Tiles::EMPTY;
                for &before in &C::ALL[..index] {
                    kept.put(before, current.count(before));
                }
                kept.put(color, count - 1);
                return Some(Self::filled(kept, self.pool, index + 1, behind + 1));
            }
            behind += count;
            behind_room += self.pool.count(color);
        }
        None
    }
}

impl<C: TileColor> Iterator for Multisets<C> {
    type Item = Tiles<C>;

    fn next(&mut self) -> Option<Tiles<C>> {
        let current = self.next?;
        self.next = self.after(current);
        Some(current)
    }
}

impl<C> Clone for Tiles<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Tiles<C> {}

impl<C> PartialEq for Tiles<C> {
    fn eq(&self, other: &Self) -> bool {
        self.packed == other.packed
    }
}

impl<C> Eq for Tiles<C> {}

impl<C> Hash for Tiles<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.packed.hash(state);
    }
}

impl<C: TileColor> Default for Tiles<C> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<C: TileColor> Add for Tiles<C> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        debug_assert!(
            C::ALL.iter().all(|&color| self.count(color) + other.count(color) <= Self::MOST)
        );
        Self::from_packed(self.packed + other.packed)
    }
}

impl<C: TileColor> Sub for Tiles<C> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.contains(other));
        Self::from_packed(self.packed.wrapping_sub(other.packed))
    }
}

impl<C: TileColor> AddAssign for Tiles<C> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<C: TileColor> SubAssign for Tiles<C> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Letters with counts, `B17Y2`; nothing is `-`.
impl<C: TileColor> fmt::Display for Tiles<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (color, count) in self.iter() {
            write!(f, "{}", color.letter())?;
            if count > 1 {
                write!(f, "{count}")?;
            }
        }
        Ok(())
    }
}

impl<C: TileColor> fmt::Debug for Tiles<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
