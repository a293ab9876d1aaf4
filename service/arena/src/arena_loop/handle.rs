//! What services and pages can ask of the arena without a command.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError, RwLockWriteGuard};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;

use super::{Arena, Metrics, Outbox, Shared, Watch};
use crate::event::PlayEvent;
use crate::names::{BotId, MatchId};
use crate::pool::Pool;
use crate::record::Bytes32;
use crate::standings::{Fitted, Published};
use crate::store::{Holder, Store};
use crate::time::{Now, Time, Wall};
use crate::view::View;

impl Arena {
    /// Both clocks, read together.
    #[must_use]
    pub fn now(&self) -> Now {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let wall = Wall(u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
        Now { time: self.time(), wall }
    }

    #[must_use]
    pub fn time(&self) -> Time {
        Time(self.shared.clock.now())
    }

    /// The arena as of the last commit.
    #[must_use]
    pub fn view(&self) -> Arc<View> {
        self.shared.view.load_full()
    }

    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.shared.store
    }

    /// The official standings of a pool; none before the first computation.
    #[must_use]
    pub fn standings(&self, pool: Pool) -> Option<Fitted> {
        self.official().of(pool).cloned()
    }

    /// The official standings of all pools. Everything that readers see is of the same moment.
    #[must_use]
    pub fn official(&self) -> Arc<Published> {
        Arc::clone(&self.view().official)
    }

    /// The official standings that were computed last, which become part of the view with the next
    /// tick.
    pub(super) fn computed_standings(&self) -> Arc<Published> {
        self.shared.standings.published()
    }

    /// To be called when a result has disappeared or changed in the store: within seconds, the official
    /// standings are computed from the stored results again.
    pub fn standings_changed(&self) {
        self.shared.standings.read_again();
    }

    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Whether the arena owns its store. While it does not, nothing can be played.
    #[must_use]
    pub fn holds_store(&self) -> watch::Receiver<bool> {
        self.shared.holds_store.subscribe()
    }

    /// Whose token this is.
    #[must_use]
    pub fn holder(&self, token: &str) -> Option<Holder> {
        let hash = Bytes32::hash_of(token.as_bytes());
        let tokens = self.shared.tokens.read().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&hash).cloned()
    }

    /// The events of a session, if it is the bot's newest.
    #[must_use]
    pub fn outbox(&self, bot: &BotId, session: u64) -> Option<Arc<Outbox>> {
        let outboxes = self.shared.outboxes();
        outboxes.get(bot).filter(|outbox| outbox.session() == session).cloned()
    }

    #[must_use]
    pub fn watch(&self, id: &MatchId) -> Watch {
        self.shared.watchers.add(id)
    }

    /// The server stops: connected bots get an event that says when to reconnect.
    pub fn going_away(&self) {
        let retry_delay = Duration::from_millis(500);
        for outbox in self.shared.outboxes().values() {
            outbox.push(0, PlayEvent::GoingAway { retry_delay });
        }
    }
}

impl Shared {
    pub(super) fn set_holds_store(&self, holds: bool) {
        self.metrics.holds_store(holds);
        self.holds_store.send_replace(holds);
    }

    pub(super) fn publish(&self, view: View) {
        self.view.store(Arc::new(view));
    }

    pub(super) fn tokens(&self) -> RwLockWriteGuard<'_, HashMap<Bytes32, Holder>> {
        self.tokens.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn outboxes(&self) -> MutexGuard<'_, HashMap<BotId, Arc<Outbox>>> {
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn close_all(&self) {
        for (_, outbox) in self.outboxes().drain() {
            outbox.close();
        }
        self.watchers.close_all();
    }
}
