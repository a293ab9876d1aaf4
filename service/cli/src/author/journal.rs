//! What the bots of a run said and heard.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use azulejo_arena::names::BotId;
use azulejo_wire::served::arena as pb;
use tokio::sync::watch;

/// Something that a bot did, or that was done to it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) bot: BotId,
    pub(crate) what: Noted,
}

#[derive(Clone, Debug)]
pub(crate) enum Noted {
    /// It opened a session.
    Hello(pb::Offer),
    /// A turn that is over went out to it once more.
    AskedAgain,
    /// It answered, and the answer was taken.
    Answered { measured: Duration, left: Duration },
    /// It answered, and the answer was refused.
    Refused { turn: u32, reason: String, message: String },
    /// Its answer is held back: it gets no reply.
    Held { turn: u32 },
    /// It gave a match up.
    Resigned,
}

/// Entries in order; whoever waits for one is woken.
#[derive(Debug)]
pub(crate) struct Journal {
    entries: Mutex<Vec<Entry>>,
    changed: watch::Sender<usize>,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self { entries: Mutex::default(), changed: watch::Sender::new(0) }
    }

    pub(crate) fn note(&self, bot: &BotId, what: Noted) {
        let mut entries = self.entries();
        entries.push(Entry { bot: bot.clone(), what });
        self.changed.send_replace(entries.len());
    }

    /// How many entries there are: what comes later counts from here.
    pub(crate) fn length(&self) -> usize {
        self.entries().len()
    }

    /// The entries since then.
    pub(crate) fn since(&self, from: usize) -> Vec<Entry> {
        self.entries().get(from..).unwrap_or_default().to_vec()
    }

    /// Waits for an entry since then of which something can be made; none if the time is over.
    pub(crate) async fn find<T>(
        &self,
        from: usize,
        within: Duration,
        mut found: impl FnMut(&Entry) -> Option<T>,
    ) -> Option<T> {
        let mut changed = self.changed.subscribe();
        let end = Instant::now() + within;
        let mut next = from;
        loop {
            let fresh = self.since(next);
            next += fresh.len();
            if let Some(made) = fresh.iter().find_map(&mut found) {
                return Some(made);
            }
            let wait = tokio::time::timeout_at(end.into(), changed.wait_for(|&all| all > next));
            // The sender lives as long as this does.
            wait.await.ok()?.ok()?;
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
