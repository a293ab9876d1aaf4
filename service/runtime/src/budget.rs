//! A number of places, of which each caller may take only a share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Share;

#[derive(Debug)]
pub(crate) struct Budget {
    places: usize,
    /// Places of one caller.
    share: usize,
    taken: AtomicUsize,
    by_caller: Mutex<HashMap<Share, usize>>,
}

/// A place, free again when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    budget: Arc<Budget>,
    caller: Option<Share>,
}

impl Budget {
    pub(crate) fn new(places: usize, share: usize) -> Arc<Self> {
        Arc::new(Self { places, share, taken: AtomicUsize::new(0), by_caller: Mutex::default() })
    }

    /// None if all places are taken, or this caller's share of them.
    pub(crate) fn enter(self: &Arc<Self>, caller: Option<Share>) -> Option<Place> {
        // A caller that may take every place does not have to be counted.
        let caller = caller.filter(|_| self.share < self.places);
        if self.taken.fetch_add(1, Ordering::Relaxed) >= self.places {
            self.taken.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let place = Place { budget: Arc::clone(self), caller };
        let Some(caller) = caller else { return Some(place) };
        let mut by_caller = self.by_caller();
        let taken = by_caller.entry(caller).or_default();
        *taken += 1;
        let has_room = *taken <= self.share;
        drop(by_caller);
        has_room.then_some(place)
    }

    /// Places that are taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    fn by_caller(&self) -> MutexGuard<'_, HashMap<Share, usize>> {
        self.by_caller.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// From now on the place no longer counts against the caller's share.
    pub(crate) fn release_share(&mut self) {
        let Some(caller) = self.caller.take() else { return };
        let mut by_caller = self.budget.by_caller();
        if let Some(taken) = by_caller.get_mut(&caller) {
            *taken = taken.saturating_sub(1);
            if *taken == 0 {
                by_caller.remove(&caller);
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.release_share();
        self.budget.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_takes_at_most_its_share_and_all_together_at_most_all_places() {
        let budget = Budget::new(3, 2);
        let (one, two) = (Some(Share::Holder(1)), Some(Share::Holder(2)));
        let first = budget.enter(one).unwrap();
        let _second = budget.enter(one).unwrap();
        assert!(budget.enter(one).is_none(), "its share is used up");
        let _third = budget.enter(two).unwrap();
        assert!(budget.enter(two).is_none(), "all places are taken");
        drop(first);
        assert_eq!(budget.taken(), 2);
        let mut again = budget.enter(one).unwrap();
        again.release_share();
        drop(again);
        let _again = budget.enter(one).unwrap();
        assert!(budget.enter(one).is_none());
    }

    #[test]
    fn callers_are_forgotten_when_they_have_no_place() {
        let budget = Budget::new(10, 2);
        for number in 0..100 {
            drop(budget.enter(Some(Share::Holder(number))));
        }
        assert!(budget.by_caller().is_empty());
        assert_eq!(budget.taken(), 0);
    }
}
