//! Limits on how often something may happen, for each bot or owner.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::time::Time;

/// How often something may happen within a period. Not stored: a restart begins with zero.
#[derive(Clone, Debug)]
pub(crate) struct RateLimit<K> {
    pub(crate) most: usize,
    period: Duration,
    times: BTreeMap<K, VecDeque<Time>>,
}

impl<K: Ord + Clone> RateLimit<K> {
    pub(crate) const fn new(most: usize, period: Duration) -> Self {
        Self { most, period, times: BTreeMap::new() }
    }

    /// Counts an event; the error says when the next one is allowed.
    pub(crate) fn count(&mut self, key: &K, now: Time) -> Result<(), Duration> {
        let times = self.times.entry(key.clone()).or_default();
        while times.front().is_some_and(|&first| now.since(first) >= self.period) {
            times.pop_front();
        }
        match times.front() {
            Some(&first) if times.len() >= self.most => {
                Err(self.period.saturating_sub(now.since(first)))
            }
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    /// Forgets keys without events in the period.
    pub(crate) fn clean_up(&mut self, now: Time) {
        let period = self.period;
        self.times.retain(|_, times| times.back().is_some_and(|&last| now.since(last) < period));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time(Duration::from_secs(seconds))
    }

    #[test]
    fn events_beyond_the_limit_are_refused_until_the_oldest_is_over() {
        let mut limit = RateLimit::new(2, Duration::from_mins(1));
        assert_eq!(limit.count(&"a", at(0)), Ok(()));
        assert_eq!(limit.count(&"a", at(10)), Ok(()));
        assert_eq!(limit.count(&"a", at(20)), Err(Duration::from_secs(40)));
        assert_eq!(limit.count(&"b", at(20)), Ok(()), "each key has its own");
        assert_eq!(limit.count(&"a", at(60)), Ok(()));
        limit.clean_up(at(200));
        assert!(limit.times.is_empty());
    }
}
