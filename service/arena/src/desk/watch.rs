//! Those who watch a match. Whoever does not keep up is let go.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use azulejo_wire::served::arena::watch_match_response::Event;
use tokio::sync::mpsc;

use crate::names::MatchId;

/// Events that wait for somebody who watches.
const MOST: usize = 256;

/// What happens in a match, from now on.
pub type Watched = mpsc::Receiver<Event>;

#[derive(Debug, Default)]
pub(super) struct Watchers {
    by_match: Mutex<HashMap<MatchId, Vec<mpsc::Sender<Event>>>>,
}

impl Watchers {
    pub(super) fn add(&self, id: &MatchId) -> Watched {
        let (sender, watched) = mpsc::channel(MOST);
        let mut by_match = self.by_match();
        // Those who have gone since are forgotten here.
        by_match.retain(|_, watchers| {
            watchers.retain(|watcher| !watcher.is_closed());
            !watchers.is_empty()
        });
        by_match.entry(id.clone()).or_default().push(sender);
        watched
    }

    pub(super) fn tell(&self, id: &MatchId, event: &Event) {
        let mut by_match = self.by_match();
        let Some(watchers) = by_match.get_mut(id) else { return };
        watchers.retain(|watcher| watcher.try_send(event.clone()).is_ok());
        if matches!(event, Event::MatchEnded(_)) {
            by_match.remove(id);
        }
    }

    pub(super) fn close_all(&self) {
        self.by_match().clear();
    }

    fn by_match(&self) -> MutexGuard<'_, HashMap<MatchId, Vec<mpsc::Sender<Event>>>> {
        self.by_match.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
