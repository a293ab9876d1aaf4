//! What the arena notes of its own work, for those who watch over it: what happened, and how things
//! stand. It does not count; whoever runs it does.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Hall;
use crate::match_run::Match;
use crate::moment::Time;
use crate::pool::Pool;
use crate::record::{EndReason, Event, Seat, SeatEnd};

/// Something that is worth counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A bot got a place at a table of the ladder after this time.
    Waited { pool: Pool, time: Duration },
    /// A decision, and what it cost the seat.
    Moved { by: By, charged: Option<Duration> },
    /// An answer that is no legal move.
    Illegal,
    /// A seat whose time was up.
    TimedOut,
    /// A bot came back to a match that runs.
    Resumed,
    /// A match is over.
    Ended { pool: Pool, how: How },
}

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Bot,
    /// A house bot on a seat of its own.
    House,
    /// The house, for a bot that is out.
    Automatic,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Finished,
    Forfeited,
    CalledOff,
}

/// How things stand in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub matches: u32,
    /// Bots that would play one more match, and how long the first of them has waited.
    pub waiting: u32,
    pub longest_wait: Duration,
}

/// How things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Bots that listen.
    pub connected: usize,
    /// Pools in which there is somebody, by name.
    pub pools: BTreeMap<String, Standing>,
}

impl Hall {
    /// What happened since it was last asked.
    #[must_use]
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// How things stand now.
    #[must_use]
    pub fn census(&self, now: Time) -> Census {
        let connected = self.sessions.values().filter(|session| session.is_attentive(now)).count();
        let mut census = Census { connected, pools: BTreeMap::new() };
        for run in self.matches.values() {
            census.pools.entry(run.spec().pool.to_string()).or_default().matches += 1;
        }
        for candidate in self.candidates(now).into_iter().filter(|candidate| candidate.free > 0) {
            for pool in &candidate.pools {
                let standing = census.pools.entry(pool.to_string()).or_default();
                standing.waiting += 1;
                standing.longest_wait = standing.longest_wait.max(candidate.waited);
            }
        }
        census
    }

    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }
}

/// What there is to note of an event of a match.
pub(super) fn of_event(run: &Match, event: &Event) -> Option<Note> {
    match event {
        Event::Moved { seat, receipt, .. } => {
            let charged = receipt.map(|receipt| receipt.charged);
            let by = match (&run.spec().seats[*seat], charged) {
                (Seat::House(_), _) => By::House,
                (Seat::Remote(_), Some(_)) => By::Bot,
                (Seat::Remote(_), None) => By::Automatic,
            };
            Some(Note::Moved { by, charged })
        }
        Event::Forfeited { reason: EndReason::OutOfTime, .. } => Some(Note::TimedOut),
        Event::Ready { .. }
        | Event::Started { .. }
        | Event::Refused(_)
        | Event::Forfeited { .. }
        | Event::Ended { .. }
        | Event::Voided { .. } => None,
    }
}

pub(super) fn how(ends: &[SeatEnd]) -> How {
    let called_off = |reason: EndReason| match reason {
        EndReason::NoShow | EndReason::CalledOff | EndReason::ServerError => true,
        EndReason::Finished
        | EndReason::Resigned
        | EndReason::OutOfTime
        | EndReason::IllegalMoves
        | EndReason::Gone => false,
    };
    if ends.iter().any(|end| called_off(end.reason)) {
        How::CalledOff
    } else if ends.iter().any(|end| end.reason.is_forfeit()) {
        How::Forfeited
    } else {
        How::Finished
    }
}
