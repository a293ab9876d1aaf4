use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// The secret that decides every draw of a game.
///
/// It is never part of a position, and `Debug` does not show it: a log must not leak it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

/// A text that is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadSeed {
    #[error("a seed is 64 hexadecimal digits, not {found}")]
    Length { found: usize },
    #[error("character {at} of the seed is not a hexadecimal digit")]
    Digit { at: usize },
}

impl Seed {
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A seed from a small number, for tests and benchmarks: its bytes, little-endian, then zeros.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }

    /// 64 hexadecimal digits. Never log it.
    #[must_use]
    pub fn to_hex(&self) -> String {
        let digits = self.0.iter().flat_map(|&byte| [byte >> 4, byte & 15]);
        digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
    }

    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for Seed {
    type Err = BadSeed;

    fn from_str(text: &str) -> Result<Self, BadSeed> {
        let found = text.chars().count();
        if found != 64 {
            return Err(BadSeed::Length { found });
        }
        let mut bytes = [0; 32];
        for (index, digit) in text.chars().enumerate() {
            let value = digit.to_digit(16).ok_or(BadSeed::Digit { at: index + 1 })?;
            bytes[index / 2] = bytes[index / 2] << 4 | value as u8;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}
