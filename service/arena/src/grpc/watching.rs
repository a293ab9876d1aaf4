//! Limits how many watch one match: a match that many like must not take the places of spectators
//! of all others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::names::MatchId;

/// Watchers of one match.
const MOST: usize = 512;

#[derive(Clone, Debug, Default)]
pub(super) struct Watching(Arc<Mutex<HashMap<MatchId, usize>>>);

/// A place among the watchers of a match, free again when dropped.
#[derive(Debug)]
pub(super) struct WatchPlace {
    watching: Watching,
    id: MatchId,
}

impl Watching {
    /// None if too many watch this match.
    pub(super) fn enter(&self, id: &MatchId) -> Option<WatchPlace> {
        let mut counts = self.counts();
        let count = counts.entry(id.clone()).or_default();
        if *count >= MOST {
            return None;
        }
        *count += 1;
        Some(WatchPlace { watching: self.clone(), id: id.clone() })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<MatchId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WatchPlace {
    fn drop(&mut self) {
        let mut counts = self.watching.counts();
        if let Some(count) = counts.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_has_so_many_watchers_and_no_more_and_others_are_not_affected() {
        let watching = Watching::default();
        let id = |text: &str| -> MatchId { text.parse().unwrap() };
        let (one, other) = (id("aaaaaaaaaaaaaaaa"), id("bbbbbbbbbbbbbbbb"));
        let mut places: Vec<_> = (0..MOST).map(|_| watching.enter(&one).unwrap()).collect();
        assert!(watching.enter(&one).is_none());
        assert!(watching.enter(&other).is_some());
        places.pop();
        assert!(watching.enter(&one).is_some());
        places.clear();
        assert!(watching.counts().is_empty());
    }
}
