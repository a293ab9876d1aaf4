//! What all bots of the swarm share: how long they think, and what they observe.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

use super::journal::{AckedMove, BotName, Journal};
use super::schedule::Phase;
use super::traffic::Traffic;

/// How long the bots of a swarm think.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThinkTime {
    pub(super) seed: u64,
    pub(super) think: Duration,
    /// The share by which a think time may be longer or shorter.
    pub(super) jitter: f64,
}

#[derive(Debug)]
pub(super) struct Swarm {
    pub(super) think_time: ThinkTime,
    observed: Mutex<Observed>,
}

/// Everything that the bots have observed.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) journal: Journal,
    pub(super) counts: Counts,
    /// Of all acknowledged moves.
    pub(super) times: MoveTimes,
    pub(super) phase: Phase,
    pub(super) quiet: MoveTimes,
    pub(super) disturbed: MoveTimes,
    pub(super) traffic: Traffic,
}

/// Times of acknowledged moves, in microseconds.
#[derive(Clone, Debug)]
pub(super) struct MoveTimes {
    /// From when an answer was sent to its receipt.
    pub(super) submit: Histogram<u64>,
    /// Charged beyond what the bot thought.
    pub(super) overcharged: Histogram<u64>,
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
    /// Because of an internal error, as reported by the server.
    pub(super) seats_server_error: u64,
    /// Resigned, out of time, illegal moves, gone, not ready.
    pub(super) seats_failed: u64,
    pub(super) time_outs: u64,
    /// The bot had thought for less time than it had.
    pub(super) time_outs_by_the_server: u64,
    pub(super) deals_checked: u64,
    pub(super) deals_unfair: u64,
    pub(super) paused: u64,
}

impl MoveTimes {
    fn new() -> Result<Self> {
        // Up to ten minutes, to three digits.
        let empty = Histogram::new_with_max(600_000_000, 3)?;
        Ok(Self { submit: empty.clone(), overcharged: empty })
    }

    fn record(&mut self, acked: &AckedMove, submit: Duration) {
        self.submit.saturating_record(submit.as_micros() as u64);
        if let Some(overcharged) = acked.overcharged().filter(|_| !acked.repeated) {
            self.overcharged.saturating_record(overcharged);
        }
    }
}

impl Observed {
    fn new(bots: Vec<BotName>) -> Result<Self> {
        Ok(Self {
            journal: Journal { bots, ..Journal::default() },
            counts: Counts::default(),
            times: MoveTimes::new()?,
            phase: Phase::Unmeasured,
            quiet: MoveTimes::new()?,
            disturbed: MoveTimes::new()?,
            traffic: Traffic::default(),
        })
    }

    pub(super) fn record(&mut self, acked: AckedMove, submit: Duration) {
        self.times.record(&acked, submit);
        match self.phase {
            Phase::Quiet => self.quiet.record(&acked, submit),
            Phase::Disturbed => self.disturbed.record(&acked, submit),
            Phase::Unmeasured => {}
        }
        self.journal.moves.push(acked);
    }
}

impl Swarm {
    pub(super) fn new(think_time: ThinkTime, bots: Vec<BotName>) -> Result<Self> {
        Ok(Self { think_time, observed: Mutex::new(Observed::new(bots)?) })
    }

    /// Takes everything at the end. What is observed later is lost.
    pub(super) fn take_observed(&self) -> Result<Observed> {
        Ok(std::mem::replace(&mut *self.observed(), Observed::new(Vec::new())?))
    }

    pub(super) fn observed(&self) -> MutexGuard<'_, Observed> {
        self.observed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Acknowledged moves so far.
    pub(super) fn moves(&self) -> usize {
        self.observed().journal.moves.len()
    }
}
