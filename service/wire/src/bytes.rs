//! A hand-written protobuf encoding for states only. Every call carries a state, and the general
//! decoder and encoder would cost more than the rules.
//!
//! The reader accepts what the writer writes: fields in ascending order, in their usual form. It
//! declines other valid messages and invalid ones; the general decoder handles those.

mod fields;

use azulejo_rules::parts::{TileColor, Tiles};

pub(crate) use fields::{Field, state_encoding};

const VARINT: u8 = 0;
const LENGTH: u8 = 2;

/// No state is larger: room for it is allocated once.
const ROOM: usize = 600;

/// The unread rest of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Number(u32),
    Nested(Reader<'a>),
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) const fn bytes(self) -> &'a [u8] {
        self.0
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number of at most two bytes: up to 16,383, which no field of a state exceeds.
    fn number(&mut self) -> Option<u32> {
        let low = self.byte()?;
        if low < 0x80 {
            return Some(low.into());
        }
        let high = self.byte().filter(|&high| high < 0x80)?;
        Some(u32::from(low & 0x7f) | u32::from(high) << 7)
    }

    /// The next field: its number, below 16, and its value.
    pub(crate) fn field(&mut self) -> Option<(u8, Value<'a>)> {
        let key = self.byte().filter(|&key| key < 0x80)?;
        let number = self.number()?;
        match key & 7 {
            VARINT => Some((key >> 3, Value::Number(number))),
            LENGTH => {
                let (nested, rest) = self.0.split_at_checked(number as usize)?;
                self.0 = rest;
                Some((key >> 3, Value::Nested(Reader(nested))))
            }
            _ => None,
        }
    }

    /// Small counts by field, from field 1; each at most once, in order.
    pub(crate) fn counts<const N: usize>(mut self) -> Option<[u32; N]> {
        let mut counts = [0; N];
        let mut last = 0;
        while let [key, count, rest @ ..] = self.0 {
            let field = usize::from(key >> 3);
            if key & 7 != VARINT || field <= last || field > N || *count >= 0x80 {
                return None;
            }
            counts[field - 1] = u32::from(*count);
            last = field;
            self.0 = rest;
        }
        self.is_empty().then_some(counts)
    }
}

impl Value<'_> {
    pub(crate) const fn number(self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(number),
            Self::Nested(_) => None,
        }
    }
}

impl<'a> Value<'a> {
    /// A heap of tiles: each color at most once, in order.
    pub(crate) fn tiles<C: TileColor>(self) -> Option<Tiles<C>> {
        let mut left = self.nested()?.bytes();
        let (mut tiles, mut last) = (Tiles::EMPTY, 0);
        while let [key, count, rest @ ..] = left {
            let field = usize::from(key >> 3);
            if key & 7 != VARINT || field <= last || *count > C::EACH {
                return None;
            }
            tiles.put(*C::ALL.get(field - 1)?, *count);
            (last, left) = (field, rest);
        }
        left.is_empty().then_some(tiles)
    }

    pub(crate) const fn nested(self) -> Option<Reader<'a>> {
        match self {
            Self::Nested(reader) => Some(reader),
            Self::Number(_) => None,
        }
    }
}

/// A message that is being written.
#[derive(Debug)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(ROOM))
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, number: u32) {
        let mut left = number;
        while left >= 0x80 {
            self.0.push(left as u8 | 0x80);
            left >>= 7;
        }
        self.0.push(left as u8);
    }

    /// A number; 0 is omitted.
    pub(crate) fn number(&mut self, field: u8, number: u32) {
        if number != 0 {
            self.present(field, number);
        }
    }

    /// A number that is written even if it is 0.
    pub(crate) fn present(&mut self, field: u8, number: u32) {
        self.0.push(field << 3 | VARINT);
        self.varint(number);
    }

    pub(crate) fn tiles<C: TileColor>(&mut self, field: u8, tiles: Tiles<C>) {
        self.0.extend_from_slice(&[field << 3 | LENGTH, 0]);
        let begin = self.0.len();
        for color in tiles.present() {
            let key = (color.index() as u8 + 1) << 3 | VARINT;
            self.0.extend_from_slice(&[key, tiles.count(color)]);
        }
        self.0[begin - 1] = (self.0.len() - begin) as u8;
    }

    /// A short packed list of small numbers, or a short encoded message.
    #[inline]
    pub(crate) fn bytes(&mut self, field: u8, bytes: &[u8]) {
        self.0.extend_from_slice(&[field << 3 | LENGTH, bytes.len() as u8]);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn nested(&mut self, field: u8, write: impl FnOnce(&mut Self)) {
        self.0.extend_from_slice(&[field << 3 | LENGTH, 0]);
        let begin = self.0.len();
        write(self);
        let length = self.0.len() - begin;
        if length < 0x80 {
            self.0[begin - 1] = length as u8;
        } else {
            // Rare: boards are shorter, and the length of the state is written elsewhere.
            self.0[begin - 1] = length as u8 | 0x80;
            self.0.insert(begin, (length >> 7) as u8);
        }
    }
}
