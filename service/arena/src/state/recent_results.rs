//! The last rated results. Ratings that were recomputed from the store, beside the loop, are brought up
//! to date with them.

use std::collections::VecDeque;

use crate::names::{MatchId, Player};
use crate::pool::Pool;
use crate::record::SeatEnd;
use crate::time::Time;

/// Results that are remembered: several minutes of a busy arena, and longer than a recomputation takes.
const REMEMBERED: usize = 10_000;

/// A rated result.
#[derive(Clone, Debug)]
pub(crate) struct RatedResult {
    pub(crate) id: MatchId,
    pub(crate) pool: Pool,
    pub(crate) seats: Vec<(Player, SeatEnd)>,
}

/// What recomputed ratings are based on. When it changes, they are out of date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RatingBasis {
    /// When the results were loaded from the store.
    loaded: Time,
    /// How many results were voided since.
    voided: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct RecentResults {
    pub(crate) basis: RatingBasis,
    results: VecDeque<RatedResult>,
    /// Whether older ones were forgotten.
    forgotten: bool,
}

impl RecentResults {
    pub(super) const fn new(loaded: Time) -> Self {
        let basis = RatingBasis { loaded, voided: 0 };
        Self { basis, results: VecDeque::new(), forgotten: false }
    }

    pub(super) fn add(&mut self, result: RatedResult) {
        if self.results.len() == REMEMBERED {
            self.results.pop_front();
            self.forgotten = true;
        }
        self.results.push_back(result);
    }

    pub(crate) fn void(&mut self, id: &MatchId) {
        self.results.retain(|result| result.id != *id);
        self.basis.voided += 1;
    }

    /// The results of a pool after this one (none: all). None if too many were rated since.
    pub(crate) fn after(&self, pool: Pool, last: Option<&MatchId>) -> Option<Vec<&RatedResult>> {
        let of_pool: Vec<_> = self.results.iter().filter(|result| result.pool == pool).collect();
        let known = of_pool.iter().position(|result| Some(&result.id) == last);
        match known {
            Some(index) => Some(of_pool[index + 1..].to_vec()),
            // It was rated before all that are remembered.
            None if !self.forgotten => Some(of_pool),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(number: u32, pool: &str) -> RatedResult {
        let mut random = [0; 16];
        random[..4].copy_from_slice(&number.to_le_bytes().map(|byte| byte % 32));
        let id = MatchId::from_random(random);
        RatedResult { id, pool: pool.parse().unwrap(), seats: Vec::new() }
    }

    const POOL: &str = "azul-colored-2-blitz";

    #[test]
    fn only_later_results_of_the_same_pool_are_returned() {
        let mut recent = RecentResults::new(Time::default());
        let (first, second, third) =
            (result(1, POOL), result(2, "azul-colored-2-bullet"), result(3, POOL));
        for result in [&first, &second, &third] {
            recent.add(result.clone());
        }
        let after = |recent: &RecentResults, last| -> Vec<MatchId> {
            let found = recent.after(first.pool, last).unwrap();
            found.into_iter().map(|result| result.id.clone()).collect()
        };
        assert_eq!(after(&recent, Some(&first.id)), std::slice::from_ref(&third.id));
        assert_eq!(after(&recent, Some(&third.id)), []);
        let older = result(9, POOL).id;
        assert_eq!(after(&recent, Some(&older)), [first.id.clone(), third.id.clone()]);
        let basis = recent.basis;
        recent.void(&first.id);
        assert_eq!(after(&recent, None), std::slice::from_ref(&third.id));
        assert_ne!(recent.basis, basis, "a recomputation that began before is out of date");
    }

    #[test]
    fn too_many_results_since_are_noticed() {
        let mut recent = RecentResults::new(Time::default());
        let last = result(0, POOL);
        recent.add(last.clone());
        for _ in 0..REMEMBERED {
            recent.add(result(1, POOL));
        }
        assert!(recent.after(last.pool, Some(&last.id)).is_none());
    }
}
