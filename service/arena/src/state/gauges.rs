//! What the arena reports about its own work. The core only reports; the loop counts.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ArenaState;
use crate::match_run::Match;
use crate::pool::Pool;
use crate::record::{EndReason, Event, Seat, SeatEnd};
use crate::time::Time;

/// Something to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// A bot was seated in a ladder match after waiting this long.
    Waited { pool: Pool, time: Duration },
    /// A move, and what the seat was charged for it.
    Moved { by: MovedBy, charged: Option<Duration> },
    /// An illegal move was submitted.
    IllegalMove,
    /// A seat ran out of time.
    TimedOut,
    /// A bot reconnected during a match.
    Resumed,
    /// Contact with all bots of a match was lost at the same moment.
    LostTogether,
    /// A match ended.
    Ended { pool: Pool, outcome: MatchOutcome },
}

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedBy {
    Bot,
    /// A house bot on its own seat.
    House,
    /// The server, for a bot that has forfeited.
    Automatic,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchOutcome {
    Finished,
    Forfeited,
    CalledOff,
}

/// Gauges of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolGauges {
    pub matches: u32,
    /// Bots that would play one more match.
    pub waiting: u32,
    pub longest_wait: Duration,
}

/// Gauges of the arena.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gauges {
    /// Bots with an open session.
    pub connected: usize,
    /// Pools with bots or matches, by name.
    pub pools: BTreeMap<String, PoolGauges>,
}

impl ArenaState {
    /// What happened since the last call.
    #[must_use]
    pub fn take_metrics(&mut self) -> Vec<Metric> {
        std::mem::take(&mut self.metrics)
    }

    #[must_use]
    pub fn gauges(&self, now: Time) -> Gauges {
        let connected = self.sessions.values().filter(|session| session.is_attentive(now)).count();
        let mut gauges = Gauges { connected, pools: BTreeMap::new() };
        for run in self.matches.values() {
            gauges.pools.entry(run.spec().pool.to_string()).or_default().matches += 1;
        }
        for candidate in self.candidates(now).into_iter().filter(|candidate| candidate.free > 0) {
            for pool in &candidate.pools {
                let of_pool = gauges.pools.entry(pool.to_string()).or_default();
                of_pool.waiting += 1;
                of_pool.longest_wait = of_pool.longest_wait.max(candidate.waited);
            }
        }
        gauges
    }
}

/// What to count for an event of a match.
pub(super) fn metric_of(run: &Match, event: &Event) -> Option<Metric> {
    match event {
        Event::Moved { seat, receipt, .. } => {
            let charged = receipt.map(|receipt| receipt.charged);
            let by = match (&run.spec().seats[*seat], charged) {
                (Seat::House(_), _) => MovedBy::House,
                (Seat::Remote(_), Some(_)) => MovedBy::Bot,
                (Seat::Remote(_), None) => MovedBy::Automatic,
            };
            Some(Metric::Moved { by, charged })
        }
        Event::Forfeited { reason: EndReason::OutOfTime, .. } => Some(Metric::TimedOut),
        Event::Ready { .. }
        | Event::Started { .. }
        | Event::Refused(_)
        | Event::Forfeited { .. }
        | Event::Ended { .. }
        | Event::Voided { .. } => None,
    }
}

pub(super) fn outcome(ends: &[SeatEnd]) -> MatchOutcome {
    let called_off = |reason: EndReason| match reason {
        EndReason::NoShow | EndReason::CalledOff | EndReason::ServerError => true,
        EndReason::Finished
        | EndReason::Resigned
        | EndReason::OutOfTime
        | EndReason::IllegalMoves
        | EndReason::Gone => false,
    };
    // Without a result there are no placements.
    if ends.iter().any(|end| end.placement == 0 || called_off(end.reason)) {
        MatchOutcome::CalledOff
    } else if ends.iter().any(|end| end.reason.is_forfeit()) {
        MatchOutcome::Forfeited
    } else {
        MatchOutcome::Finished
    }
}
