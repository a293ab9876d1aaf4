//! What the world asks of the arena, and what the hall's outputs become.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use azulejo_wire::served::arena as pb;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::{Answers, Arena, Fitted, Letter, Metrics, Outbox, Shared, Unanswered, Watched};
use crate::hall::{Answer, Output, Request};
use crate::moment::{Now, Time, Wall};
use crate::names::{BotId, MatchId};
use crate::pool::Pool;
use crate::record::Bytes32;
use crate::store::{Holder, Store};

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
        Time(self.shared.began.elapsed())
    }

    /// Asks, and waits for the answer: it comes when what it says is durable.
    pub async fn ask(&self, request: Request) -> Result<Answer, Unanswered> {
        let (answer, answered) = oneshot::channel();
        let letter = Letter { request, answer: Some(answer) };
        self.letters.try_send(letter).map_err(|unsent| match unsent {
            TrySendError::Full(_) => Unanswered::Busy,
            // Another arena has the store, or this one stops: whoever asks again finds out where.
            TrySendError::Closed(_) => Unanswered::Restarting,
        })?;
        Ok(answered.await.map_err(|_| Unanswered::Restarting)??)
    }

    /// Says something that needs no answer.
    pub fn mention(&self, request: Request) {
        // If the desk is full it will find out by itself.
        let _full = self.letters.try_send(Letter { request, answer: None });
    }

    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.shared.store
    }

    /// The official standings of a pool; none if nobody played there, or they are yet to be fitted.
    #[must_use]
    pub fn official(&self, pool: Pool) -> Option<Fitted> {
        self.shared.official.of(pool)
    }

    /// What it counts of its own work.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Whose token this is.
    #[must_use]
    pub fn holder(&self, token: &str) -> Option<Holder> {
        let hash = Bytes32::hash_of(token.as_bytes());
        let keys = self.shared.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(&hash).cloned()
    }

    /// The events of a session, if it is the bot's newest.
    #[must_use]
    pub fn outbox(&self, bot: &BotId, session: u64) -> Option<Arc<Outbox>> {
        let outboxes = self.shared.outboxes();
        outboxes.get(bot).filter(|outbox| outbox.session() == session).cloned()
    }

    #[must_use]
    pub fn watch(&self, id: &MatchId) -> Watched {
        self.shared.watchers.add(id)
    }

    /// The server stops: everyone who listens is told that it will be back.
    pub fn going_away(&self) {
        for outbox in self.shared.outboxes().values() {
            outbox.push(pb::PlayEvent {
                seq: 0,
                event: Some(pb::play_event::Event::GoingAway(pb::GoingAway {
                    retry_delay: Some(crate::hall::duration(Duration::from_millis(500))),
                })),
            });
        }
    }

    pub(super) fn carry_out(&self, output: Output, answers: &mut Answers) {
        match output {
            Output::Answer(ticket, answer) => {
                if let Some(waiting) = answers.waiting.remove(&ticket) {
                    // Whoever asked may have gone.
                    let _gone = waiting.send(*answer);
                }
            }
            Output::Tell { bot, session, event, ended } => self.tell(&bot, session, *event, ended),
            Output::Close { bot, session } => {
                if let Some(outbox) = self.outbox(&bot, session) {
                    outbox.close();
                }
            }
            Output::Watch { id, event } => self.shared.watchers.tell(&id, &event),
            Output::Think { id, turn, bot, table } => {
                let (arena, thinkers) = (self.clone(), Arc::clone(&self.shared.thinkers));
                tokio::spawn(async move {
                    let _place = thinkers.acquire_owned().await;
                    let seed = u64::from(turn);
                    let thought = tokio::task::spawn_blocking(move || table.choose(bot, seed));
                    let action = thought.await.ok().flatten();
                    arena.mention(Request::Thought { id, turn, action });
                });
            }
            Output::Key { hash, holder } => {
                self.shared.keys().insert(hash, holder);
            }
            Output::KeyGone { hash } => {
                self.shared.keys().remove(&hash);
            }
        }
    }

    fn tell(&self, bot: &BotId, session: u64, event: pb::PlayEvent, ended: Vec<MatchId>) {
        let is_first = matches!(event.event, Some(pb::play_event::Event::Snapshot(_)));
        let outbox = {
            let mut outboxes = self.shared.outboxes();
            let newest = outboxes.get(bot).filter(|outbox| outbox.session() == session);
            match newest {
                Some(outbox) => Arc::clone(outbox),
                None if is_first => {
                    let outbox = Arc::new(Outbox::new(session));
                    outboxes.insert(bot.clone(), Arc::clone(&outbox));
                    outbox
                }
                None => return,
            }
        };
        outbox.push_with(event, ended);
    }
}

impl Shared {
    pub(super) fn keys(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<Bytes32, Holder>> {
        self.keys.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn outboxes(&self) -> MutexGuard<'_, HashMap<BotId, Arc<Outbox>>> {
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn close_all(&self) {
        for (_, outbox) in self.outboxes().drain() {
            outbox.close();
        }
        self.watchers.close_all();
    }
}
