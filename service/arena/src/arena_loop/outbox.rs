//! Events on their way to a bot. A bot that does not fetch them holds up nothing else: beyond a
//! limit they are dropped, and the bot has to begin again with a snapshot.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::event::PlayEvent;

/// Events that wait for a bot that does not fetch them.
const CAPACITY: usize = 1_024;

/// An event with its number in the session; 0 if it has none.
pub type Numbered = (u64, PlayEvent);

/// The events of one session.
#[derive(Debug)]
pub struct Outbox {
    session: u64,
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Numbered>,
    end: Option<SessionEnd>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// It was replaced, its token was revoked, or the arena restarts.
    Closed,
    /// Too many events waited.
    TooSlow,
}

impl Outbox {
    pub(super) fn new(session: u64) -> Self {
        Self { session, queue: Mutex::default(), changed: Notify::new() }
    }

    #[must_use]
    pub const fn session(&self) -> u64 {
        self.session
    }

    pub(super) fn push(&self, seq: u64, event: PlayEvent) {
        let mut queue = self.queue();
        if queue.end.is_some() {
            return;
        }
        queue.waiting.push_back((seq, event));
        if queue.waiting.len() > CAPACITY {
            queue.waiting.clear();
            queue.end = Some(SessionEnd::TooSlow);
        }
        drop(queue);
        self.notify();
    }

    pub(super) fn close(&self) {
        self.queue().end.get_or_insert(SessionEnd::Closed);
        self.notify();
    }

    fn notify(&self) {
        self.changed.notify_waiters();
        self.changed.notify_one();
    }

    /// Takes the next event.
    pub async fn next(&self) -> Result<Numbered, SessionEnd> {
        loop {
            let changed = self.changed.notified();
            {
                let mut queue = self.queue();
                if let Some(next) = queue.waiting.pop_front() {
                    return Ok(next);
                }
                if let Some(end) = queue.end {
                    return Err(end);
                }
            }
            changed.await;
        }
    }

    /// All events that wait, as soon as there is one; those up to `seen` are dropped.
    pub async fn all(&self, seen: u64) -> Result<Vec<Numbered>, SessionEnd> {
        loop {
            let changed = self.changed.notified();
            {
                let mut queue = self.queue();
                queue.waiting.retain(|(seq, _)| *seq > seen || *seq == 0);
                if !queue.waiting.is_empty() {
                    let all = queue.waiting.iter().cloned().collect();
                    // Without a number it can never be acknowledged: it is delivered once.
                    queue.waiting.retain(|(seq, _)| *seq > 0);
                    return Ok(all);
                }
                if let Some(end) = queue.end {
                    return Err(end);
                }
            }
            changed.await;
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn an_event_without_a_number_is_polled_once() {
        let outbox = Outbox::new(1);
        outbox.push(1, PlayEvent::Ping { number: 7 });
        outbox.push(0, PlayEvent::GoingAway { retry_delay: Duration::from_secs(1) });

        assert_eq!(outbox.all(0).await.unwrap().len(), 2);
        assert_eq!(outbox.all(0).await.unwrap().len(), 1, "what has a number waits");
        let again = tokio::time::timeout(Duration::from_millis(50), outbox.all(1)).await;
        assert!(again.is_err(), "nothing is left: {again:?}");
    }
}
