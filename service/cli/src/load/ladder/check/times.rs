//! What the server charged against what the bots thought.

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

use super::Verdict;
use crate::load::ladder::journal::Journal;

/// The bound for 999 of 1,000 turns, in microseconds.
const BOUND: u64 = 50_000;

/// Charged minus thought, in microseconds; nothing where less was charged.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::load::ladder) struct Times {
    pub(in crate::load::ladder) turns: u64,
    pub(in crate::load::ladder) p50_us: u64,
    pub(in crate::load::ladder) p99_us: u64,
    pub(in crate::load::ladder) p999_us: u64,
    pub(in crate::load::ladder) max_us: u64,
    pub(in crate::load::ladder) above_50_ms: u64,
    /// Turns that were told more than once, measured from the first time.
    pub(in crate::load::ladder) told_again: u64,
    pub(in crate::load::ladder) told_again_max_us: u64,
}

impl Times {
    pub(in crate::load::ladder) fn of(journal: &Journal) -> Result<Self> {
        let mut times = Histogram::<u64>::new_with_max(600_000_000, 3)?;
        let (mut above_50_ms, mut told_again, mut told_again_max_us) = (0, 0, 0);
        for promise in &journal.promises {
            let Some(thought) = promise.thought else { continue };
            let over = u64::from(promise.charged.saturating_sub(thought));
            above_50_ms += u64::from(over > BOUND);
            if promise.again {
                told_again += 1;
                told_again_max_us = over.max(told_again_max_us);
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
            told_again,
            told_again_max_us,
        })
    }

    pub(in crate::load::ladder) fn verdict(&self) -> Verdict {
        let millis = |micros: u64| micros as f64 / 1_000.0;
        Verdict {
            item: "charged",
            holds: Some(self.p999_us <= BOUND && self.told_again_max_us <= BOUND),
            says: format!(
                "charged beyond what was thought: 99.9 % {:.1} ms (bound {:.0} ms), worst {:.1} \
                 ms, {} of {} turns above the bound",
                millis(self.p999_us),
                millis(BOUND),
                millis(self.max_us.max(self.told_again_max_us)),
                self.above_50_ms,
                self.turns + self.told_again
            ),
            next: "look at the load of the machine first; then profile the arena under this load",
        }
    }
}
