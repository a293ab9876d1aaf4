//! Pools: bots that are compared with each other.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use azulejo_engine::Ruleset;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How much time a seat has: a bank, and an increment after each of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeClass {
    Bullet,
    Blitz,
    Rapid,
}

impl TimeClass {
    pub const ALL: [Self; 3] = [Self::Bullet, Self::Blitz, Self::Rapid];

    #[must_use]
    pub const fn bank(self) -> Duration {
        match self {
            Self::Bullet => Duration::from_secs(2),
            Self::Blitz => Duration::from_secs(10),
            Self::Rapid => Duration::from_mins(2),
        }
    }

    #[must_use]
    pub const fn increment(self) -> Duration {
        match self {
            Self::Bullet => Duration::from_millis(50),
            Self::Blitz => Duration::from_millis(100),
            Self::Rapid => Duration::from_secs(2),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
        }
    }
}

/// The same rules, the same number of players, the same clock: `azul-colored-2-blitz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pool {
    pub ruleset: Ruleset,
    pub time_class: TimeClass,
}

/// There is no pool with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unknown pool; pools have names like azul-colored-2-blitz or summer-pavilion-gray-4-rapid")]
pub struct NoSuchPool;

impl Pool {
    #[must_use]
    pub fn players(&self) -> usize {
        self.ruleset.players().seats()
    }

    /// All pools.
    pub fn all() -> impl Iterator<Item = Self> {
        let classes = TimeClass::ALL.into_iter();
        classes.flat_map(|time_class| {
            Ruleset::all().into_iter().map(move |ruleset| Self { ruleset, time_class })
        })
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ruleset.key(), self.time_class.name())
    }
}

impl FromStr for Pool {
    type Err = NoSuchPool;

    fn from_str(name: &str) -> Result<Self, NoSuchPool> {
        Self::all().find(|pool| pool.to_string() == name).ok_or(NoSuchPool)
    }
}

impl TryFrom<String> for Pool {
    type Error = NoSuchPool;

    fn try_from(name: String) -> Result<Self, NoSuchPool> {
        name.parse()
    }
}

impl From<Pool> for String {
    fn from(pool: Pool) -> Self {
        pool.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_has_a_different_name() {
        let names: std::collections::BTreeSet<String> =
            Pool::all().map(|pool| pool.to_string()).collect();
        assert_eq!(names.len(), 36);
        assert!(names.contains("azul-colored-2-blitz"));
        assert!(names.contains("summer-pavilion-gray-4-rapid"));
        for name in names {
            assert_eq!(name.parse::<Pool>().unwrap().to_string(), name);
        }
    }
}
