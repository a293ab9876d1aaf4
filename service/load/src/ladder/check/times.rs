//! The time that the server charged, compared with the bots' own clocks.

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

use super::Verdict;
use crate::ladder::journal::Journal;

/// The bound for 999 of 1,000 turns, in microseconds.
const BOUND: u64 = 50_000;

/// Charged minus thought, in microseconds; 0 where less was charged.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::ladder) struct ChargedTimes {
    pub(in crate::ladder) turns: u64,
    pub(in crate::ladder) p50_us: u64,
    pub(in crate::ladder) p99_us: u64,
    pub(in crate::ladder) p999_us: u64,
    pub(in crate::ladder) max_us: u64,
    pub(in crate::ladder) above_50_ms: u64,
    /// Turns that were received more than once, measured from the first time.
    pub(in crate::ladder) repeated: u64,
    pub(in crate::ladder) repeated_max_us: u64,
}

impl ChargedTimes {
    pub(in crate::ladder) fn of(journal: &Journal) -> Result<Self> {
        let mut times = Histogram::<u64>::new_with_max(600_000_000, 3)?;
        let (mut above_50_ms, mut repeated, mut repeated_max_us) = (0, 0, 0);
        for acked in &journal.moves {
            let Some(over) = acked.overcharged() else { continue };
            above_50_ms += u64::from(over > BOUND);
            if acked.repeated {
                repeated += 1;
                repeated_max_us = over.max(repeated_max_us);
            } else {
                times.saturating_record(over);
            }
        }
        Ok(Self {
            turns: times.len(),
            p50_us: times.value_at_quantile(0.5),
            p99_us: times.value_at_quantile(0.99),
            p999_us: times.value_at_quantile(0.999),
            max_us: times.max(),
            above_50_ms,
            repeated,
            repeated_max_us,
        })
    }

    pub(in crate::ladder) fn verdict(&self) -> Verdict {
        let millis = |micros: u64| micros as f64 / 1_000.0;
        Verdict {
            item: "charged",
            holds: Some(self.p999_us <= BOUND && self.repeated_max_us <= BOUND),
            says: format!(
                "charged beyond the think time: 99.9 % {:.1} ms (bound {:.0} ms), maximum {:.1} \
                 ms, {} of {} turns above the bound",
                millis(self.p999_us),
                millis(BOUND),
                millis(self.max_us.max(self.repeated_max_us)),
                self.above_50_ms,
                self.turns + self.repeated
            ),
            next: "check the load of the machine first; then profile the arena under this load",
        }
    }
}
