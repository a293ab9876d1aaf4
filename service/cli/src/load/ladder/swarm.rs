//! What all bots of the swarm share: how they behave, and what they note down.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

use super::journal::{Journal, MemberName};

/// How the bots of a swarm think.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    pub(super) seed: u64,
    pub(super) think: Duration,
    /// The share by which a think time may be longer or shorter.
    pub(super) jitter: f64,
}

#[derive(Debug)]
pub(super) struct Swarm {
    pub(super) habits: Habits,
    notes: Mutex<Notes>,
}

/// Everything that was noted down.
#[derive(Debug)]
pub(super) struct Notes {
    pub(super) journal: Journal,
    pub(super) counts: Counts,
    /// From when an answer was sent to its receipt, in microseconds.
    pub(super) round_trips: Histogram<u64>,
}

/// What happened to the bots that behave well.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Counts {
    /// Seats in matches that are not over.
    pub(super) seated: u64,
    /// Connections beyond the first of each bot.
    pub(super) resumes: u64,
    /// Answers that were given faster because the bank was nearly empty.
    pub(super) hurried: u64,
    pub(super) seats_finished: u64,
    pub(super) seats_called_off: u64,
    /// By the server's own fault, as it says itself.
    pub(super) seats_server_error: u64,
    /// Resigned, out of time, illegal moves, gone, not ready.
    pub(super) seats_failed: u64,
    pub(super) time_outs: u64,
    /// The bot had thought for less than it had.
    pub(super) time_outs_by_the_server: u64,
    pub(super) deals_checked: u64,
    pub(super) deals_unfair: u64,
    pub(super) paused: u64,
}

impl Swarm {
    pub(super) fn new(habits: Habits, members: Vec<MemberName>) -> Result<Self> {
        let journal = Journal { members, ..Journal::default() };
        let round_trips = Histogram::new_with_max(600_000_000, 3)?;
        let notes = Notes { journal, counts: Counts::default(), round_trips };
        Ok(Self { habits, notes: Mutex::new(notes) })
    }

    pub(super) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything, at the end; whoever still notes something down begins anew.
    pub(super) fn take_notes(&self) -> Notes {
        let mut notes = self.notes();
        let journal = std::mem::take(&mut notes.journal);
        Notes { journal, counts: notes.counts, round_trips: notes.round_trips.clone() }
    }

    /// Moves that were acknowledged so far.
    pub(super) fn moves(&self) -> usize {
        self.notes().journal.promises.len()
    }
}
