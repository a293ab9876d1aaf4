//! Events on their way to a bot. Whoever does not fetch them holds up nobody: after so many they
//! are thrown away, and the bot has to begin again with a snapshot.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use azulejo_wire::served::arena as pb;
use tokio::sync::Notify;

use crate::names::MatchId;

/// Events that wait for a bot that does not fetch them.
const MOST: usize = 1_024;

/// The events of one session.
#[derive(Debug)]
pub struct Outbox {
    session: u64,
    inside: Mutex<Inside>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    waiting: VecDeque<(pb::PlayEvent, Vec<MatchId>)>,
    end: Option<Waited>,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// It is not the bot's newest, its token was revoked, or the arena begins again.
    Closed,
    /// Too many events waited.
    TooSlow,
}

impl Outbox {
    pub(super) fn new(session: u64) -> Self {
        Self { session, inside: Mutex::default(), news: Notify::new() }
    }

    #[must_use]
    pub const fn session(&self) -> u64 {
        self.session
    }

    pub(super) fn push(&self, event: pb::PlayEvent) {
        self.push_with(event, Vec::new());
    }

    pub(super) fn push_with(&self, event: pb::PlayEvent, ended: Vec<MatchId>) {
        let mut inside = self.inside();
        if inside.end.is_some() {
            return;
        }
        inside.waiting.push_back((event, ended));
        if inside.waiting.len() > MOST {
            inside.waiting.clear();
            inside.end = Some(Waited::TooSlow);
        }
        drop(inside);
        self.news.notify_waiters();
        self.news.notify_one();
    }

    pub(super) fn close(&self) {
        self.inside().end.get_or_insert(Waited::Closed);
        self.news.notify_waiters();
        self.news.notify_one();
    }

    /// The next event, taken out; it comes with the matches whose ends it has to tell of.
    pub async fn next(&self) -> Result<(pb::PlayEvent, Vec<MatchId>), Waited> {
        loop {
            let news = self.news.notified();
            {
                let mut inside = self.inside();
                if let Some(next) = inside.waiting.pop_front() {
                    return Ok(next);
                }
                if let Some(end) = inside.end {
                    return Err(end);
                }
            }
            news.await;
        }
    }

    /// All events that wait, once there is one; those up to `seen` are thrown away.
    pub async fn all(&self, seen: u64) -> Result<Vec<(pb::PlayEvent, Vec<MatchId>)>, Waited> {
        loop {
            let news = self.news.notified();
            {
                let mut inside = self.inside();
                inside.waiting.retain(|(event, _)| event.seq > seen || event.seq == 0);
                if !inside.waiting.is_empty() {
                    return Ok(inside.waiting.iter().cloned().collect());
                }
                if let Some(end) = inside.end {
                    return Err(end);
                }
            }
            news.await;
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
