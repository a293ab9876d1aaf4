//! Time, as it is told to the arena: it never looks at a clock itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Time since some beginning, which never goes back: for clocks and waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Duration);

impl Time {
    /// How long ago `earlier` was; nothing if it was not.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(wait))
    }
}

/// The calendar's time in milliseconds since 1970: for people and documents only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wall(pub u64);

/// Both, as one reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    pub time: Time,
    pub wall: Wall,
}
