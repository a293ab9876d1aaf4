//! The log of the proxy: what the bots of a run did.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use azulejo_arena::names::BotId;
use azulejo_wire::served::arena as pb;
use tokio::sync::watch;

/// An event, and the bot that it concerns.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) bot: BotId,
    pub(crate) event: JournalEvent,
}

#[derive(Clone, Debug)]
pub(crate) enum JournalEvent {
    /// It opened a session with this offer.
    Connected(pb::Offer),
    /// It was sent a turn that is over.
    StaleTurnSent,
    /// Its answer was accepted.
    AnswerAccepted { measured: Duration, left: Duration },
    /// Its answer was refused.
    AnswerRefused { turn: u32, reason: String, message: String },
    /// Its answer gets no reply.
    ReplyWithheld { turn: u32 },
    /// It resigned a match.
    Resigned,
}

/// Entries in order. A task can wait for the next one.
#[derive(Debug)]
pub(crate) struct Journal {
    entries: Mutex<Vec<Entry>>,
    changed: watch::Sender<usize>,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self { entries: Mutex::default(), changed: watch::Sender::new(0) }
    }

    pub(crate) fn record(&self, bot: &BotId, event: JournalEvent) {
        let mut entries = self.entries();
        entries.push(Entry { bot: bot.clone(), event });
        self.changed.send_replace(entries.len());
    }

    /// The number of entries, to pass to [`since`](Self::since) later.
    pub(crate) fn length(&self) -> usize {
        self.entries().len()
    }

    /// The entries after the first `from`.
    pub(crate) fn since(&self, from: usize) -> Vec<Entry> {
        self.entries().get(from..).unwrap_or_default().to_vec()
    }

    /// Waits for the first entry after `from` for which `matching` returns a value; `None` on timeout.
    pub(crate) async fn find<T>(
        &self,
        from: usize,
        timeout: Duration,
        mut matching: impl FnMut(&Entry) -> Option<T>,
    ) -> Option<T> {
        let mut changed = self.changed.subscribe();
        let end = Instant::now() + timeout;
        let mut next = from;
        loop {
            let fresh = self.since(next);
            next += fresh.len();
            if let Some(found) = fresh.iter().find_map(&mut matching) {
                return Some(found);
            }
            let wait = tokio::time::timeout_at(end.into(), changed.wait_for(|&all| all > next));
            // The channel cannot be closed: `self` owns the sender.
            wait.await.ok()?.ok()?;
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
