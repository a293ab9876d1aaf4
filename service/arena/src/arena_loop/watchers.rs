//! Watchers of matches. A watcher that does not keep up is dropped.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

use crate::event::WatchEvent;
use crate::names::MatchId;

/// Events that wait for a watcher.
const CAPACITY: usize = 256;

/// The events of a match from now on.
pub type Watch = mpsc::Receiver<WatchEvent>;

#[derive(Debug, Default)]
pub(super) struct Watchers {
    by_match: Mutex<HashMap<MatchId, Vec<mpsc::Sender<WatchEvent>>>>,
}

impl Watchers {
    pub(super) fn add(&self, id: &MatchId) -> Watch {
        let (sender, watch) = mpsc::channel(CAPACITY);
        let mut by_match = self.by_match();
        // Watchers that have left since are removed here.
        by_match.retain(|_, watchers| {
            watchers.retain(|watcher| !watcher.is_closed());
            !watchers.is_empty()
        });
        by_match.entry(id.clone()).or_default().push(sender);
        watch
    }

    pub(super) fn send(&self, id: &MatchId, event: &WatchEvent) {
        let mut by_match = self.by_match();
        let Some(watchers) = by_match.get_mut(id) else { return };
        watchers.retain(|watcher| watcher.try_send(event.clone()).is_ok());
        if matches!(event, WatchEvent::MatchEnded(_)) {
            by_match.remove(id);
        }
    }

    pub(super) fn close_all(&self) {
        self.by_match().clear();
    }

    fn by_match(&self) -> MutexGuard<'_, HashMap<MatchId, Vec<mpsc::Sender<WatchEvent>>>> {
        self.by_match.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
