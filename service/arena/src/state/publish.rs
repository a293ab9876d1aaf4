//! What readers see of running matches. The position of a turn is public only when its clock runs:
//! a bot gains no time by looking at its match before it fetches the turn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::{AfterCommit, ArenaState, Effect};
use crate::event::WatchEvent;
use crate::match_run::Match;
use crate::names::MatchId;
use crate::time::Time;

/// Running matches as readers see them.
#[derive(Debug)]
pub(super) struct PublicMatches {
    /// Each as it was when the clock of a turn last began to run.
    pub(super) matches: RedBlackTreeMapSync<MatchId, Arc<Match>>,
    /// Matches that changed, and are not published yet.
    changed: BTreeSet<MatchId>,
    /// Their events for watchers.
    events: BTreeMap<MatchId, Vec<WatchEvent>>,
}

impl PublicMatches {
    /// These matches are public as they are.
    pub(super) const fn of(matches: RedBlackTreeMapSync<MatchId, Arc<Match>>) -> Self {
        Self { matches, changed: BTreeSet::new(), events: BTreeMap::new() }
    }

    pub(super) fn changed(&mut self, id: &MatchId) {
        if !self.changed.contains(id) {
            self.changed.insert(id.clone());
        }
    }

    /// An event for the watchers of a match, sent when the match is published.
    pub(super) fn tell(&mut self, id: &MatchId, event: WatchEvent) {
        self.events.entry(id.clone()).or_default().push(event);
    }
}

impl ArenaState {
    /// Publishes the matches whose position may be seen. Everything is durable.
    pub fn publish(&mut self, now: Time) {
        let may_be_seen = |id: &MatchId| self.matches.get(id).is_none_or(|run| run.is_public(now));
        let public: Vec<MatchId> =
            self.published.changed.iter().filter(|id| may_be_seen(id)).cloned().collect();
        for id in public {
            self.published.changed.remove(&id);
            match self.matches.get(&id) {
                Some(run) => self.published.matches.insert_mut(id.clone(), Arc::clone(run)),
                // It is over: the store has it.
                None => {
                    self.published.matches.remove_mut(&id);
                }
            }
            for event in self.published.events.remove(&id).unwrap_or_default() {
                self.after_commit(AfterCommit::Effect(Effect::Watch { id: id.clone(), event }));
            }
        }
    }
}
