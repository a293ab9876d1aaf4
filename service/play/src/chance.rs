//! Who decides what is dealt.

use std::fmt;
use std::str::FromStr;

use azulejo_bots::Dice;
use azulejo_rules::parts::Seed;

use crate::PlayError;
use crate::position::Position;

/// Who decides what is dealt.
#[derive(Clone, Debug)]
pub enum Chance {
    /// A small, fast generator. The same start gives the same deals for the same moves.
    Auto(Dice),
    /// A seed, as in the arena: every tile is decided by the seed, and does not depend on the moves.
    Seed(Seed),
    /// The caller. The game stops wherever tiles are to be dealt.
    Explicit,
}

impl Chance {
    /// The fast generator, started with this number.
    #[must_use]
    pub const fn numbered(number: u64) -> Self {
        Self::Auto(Dice::new(number))
    }

    /// A seed of 64 hexadecimal digits, or a number.
    pub fn seed(text: &str) -> Result<Self, PlayError> {
        let seed = match text.parse::<u64>() {
            Ok(number) if text.len() < 64 => Seed::from_number(number),
            _ => text.parse().map_err(PlayError::BadSeed)?,
        };
        Ok(Self::Seed(seed))
    }

    /// Deals until a seat has to decide or the game is over.
    #[inline]
    pub(crate) fn deal<P: Position>(&mut self, position: &mut P) {
        match self {
            Self::Auto(dice) => position.deal(dice),
            Self::Seed(seed) => position.deal_by_seed(seed),
            Self::Explicit => {}
        }
    }
}

/// The exact state, so that a game that is stored continues with the same deals: `auto:` and 16
/// hexadecimal digits, `seed:` and 64, or `explicit`. It contains the seed: do not log it.
impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto(dice) => write!(f, "auto:{:016x}", dice.state()),
            Self::Seed(seed) => write!(f, "seed:{}", seed.to_hex()),
            Self::Explicit => f.write_str("explicit"),
        }
    }
}

impl FromStr for Chance {
    type Err = PlayError;

    fn from_str(text: &str) -> Result<Self, PlayError> {
        let unknown = || {
            PlayError::unknown(
                "chance",
                text,
                "auto: and 16 hexadecimal digits, seed: and 64, or explicit",
            )
        };
        match text.split_once(':') {
            // Also a sign would be read as a part of the number.
            Some(("auto", state)) if state.len() == 16 && !state.starts_with('+') => {
                u64::from_str_radix(state, 16).map(Self::numbered).map_err(|_| unknown())
            }
            Some(("seed", seed)) => seed.parse().map(Self::Seed).map_err(PlayError::BadSeed),
            None if text == "explicit" => Ok(Self::Explicit),
            None | Some(_) => Err(unknown()),
        }
    }
}
