//! Time is passed in: nothing in the core reads a clock.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Monotonic time since an arbitrary start: for clocks and time-outs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Duration);

impl Time {
    /// The time since `earlier`; zero if that is in the future.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(wait))
    }
}

/// Wall-clock time in milliseconds since 1970: for people and records only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wall(pub u64);

/// Both clocks, read together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    pub time: Time,
    pub wall: Wall,
}
