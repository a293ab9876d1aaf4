//! The game and its rules.

use std::fmt;

use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};

/// The game and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruleset {
    Azul(azul::Rules),
    SummerPavilion(pavilion::Rules),
}

impl Ruleset {
    /// Every ruleset, with default options.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let sides = [Side::Colored, Side::Gray].into_iter();
        let tables = sides.flat_map(|side| PlayerCount::ALL.map(|players| (side, players)));
        let azul =
            tables.clone().map(|(side, players)| Self::Azul(azul::Rules::new(side, players)));
        let pavilion =
            tables.map(|(side, players)| Self::SummerPavilion(pavilion::Rules::new(side, players)));
        azul.chain(pavilion).collect()
    }

    /// Its name for programs: `azul-colored-2`. Options are not part of it.
    #[must_use]
    pub fn key(&self) -> String {
        let game = match self {
            Self::Azul(_) => "azul",
            Self::SummerPavilion(_) => "summer-pavilion",
        };
        format!("{game}-{}-{}", self.side(), self.players().seats())
    }

    /// The ruleset with this key, with default options.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::all().into_iter().find(|ruleset| ruleset.key() == key)
    }

    #[must_use]
    pub const fn players(&self) -> PlayerCount {
        match self {
            Self::Azul(rules) => rules.players,
            Self::SummerPavilion(rules) => rules.players,
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn title(&self) -> String {
        let game = match self {
            Self::Azul(_) => "Azul",
            Self::SummerPavilion(_) => "Summer Pavilion",
        };
        let side = match self.side() {
            Side::Colored => "colored",
            Side::Gray => "gray",
        };
        format!("{game}, {side} side, {} players", self.players().seats())
    }

    #[must_use]
    pub const fn side(&self) -> Side {
        match self {
            Self::Azul(rules) => rules.side,
            Self::SummerPavilion(rules) => rules.side,
        }
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Azul(rules) => rules.fmt(f),
            Self::SummerPavilion(rules) => rules.fmt(f),
        }
    }
}
