//! The clock of time budgets. It can be replaced where the standard library has none: in a
//! WebAssembly module, `Instant::now` panics.

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

/// The time since a fixed moment.
pub type Clock = fn() -> Duration;

static CLOCK: OnceLock<Clock> = OnceLock::new();
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Uses this clock from now on. The first call counts; later ones change nothing.
pub fn replace(clock: Clock) {
    let _earlier = CLOCK.set(clock);
}

pub(crate) fn now() -> Duration {
    CLOCK.get().map_or_else(|| BEGAN.elapsed(), |clock| clock())
}
