//! How a match ends.

use super::{Change, Event, Match, Phase};
use crate::record::{EndReason, Origin, Seat, SeatEnd};
use crate::time::Now;

/// Why a match does not count for the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnratedReason {
    Challenge,
    /// The server itself plays a seat.
    ServerSeat,
    Voided,
}

/// Why a match was voided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidReason {
    NoShow,
    Organiser,
    ServerError,
    /// Contact with all bots was lost at the same moment, while others were heard from.
    AllGone,
}

impl Match {
    /// A seat forfeits. With two seats, or when only one is left, that ends the match; otherwise the
    /// server plays on for the seat, so that the game of the others stays valid.
    pub(super) fn forfeit(
        &mut self,
        seat: usize,
        reason: EndReason,
        now: Now,
        changes: &mut Vec<Change>,
    ) {
        let turn = self.turn();
        self.record(Event::Forfeited { seat, turn, reason }, changes);
        let left = self.seats.iter().filter(|seat| seat.out.is_none()).count();
        let has_bots = (0..self.seats.len()).any(|seat| self.plays(seat));
        // The server does not play on by itself: no bot would see the rest.
        if left < 2 || !has_bots { self.end(now, changes) } else { self.advance(now, changes) }
    }

    /// Ends the match with a result.
    pub(super) fn end(&mut self, now: Now, changes: &mut Vec<Change>) {
        let seats = self.placements();
        self.record(Event::Ended { at: now.wall, seats }, changes);
    }

    /// Before the end of the game only one seat can be left; it wins.
    fn placements(&self) -> Vec<SeatEnd> {
        let Some(table) = self.table() else { return Vec::new() };
        let score = table.score();
        let stays: Vec<bool> = self.seats.iter().map(|seat| seat.out.is_none()).collect();
        let placed = azulejo_engine::placements(&score, &stays).into_iter().enumerate();
        placed
            .map(|(seat, placement)| SeatEnd {
                placement,
                reason: self.seats[seat].out.unwrap_or(EndReason::Finished),
                total: score.seats[seat].total,
            })
            .collect()
    }

    /// Voids the match because seats never said that they are ready.
    pub(super) fn no_show(&mut self, missing: &[usize], now: Now, changes: &mut Vec<Change>) {
        let reason = |seat: usize| {
            if missing.contains(&seat) { EndReason::NoShow } else { EndReason::CalledOff }
        };
        let seats = (0..self.seats.len()).map(reason).collect();
        let why = "not everyone was ready".to_owned();
        self.record(Event::Voided { at: now.wall, seats, why }, changes);
    }

    /// Voids the match, unless it is over.
    pub fn void(&mut self, reason: EndReason, why: &str, now: Now) -> Vec<Change> {
        let mut changes = Vec::new();
        if !self.is_over() {
            let seats = vec![reason; self.seats.len()];
            let event = Event::Voided { at: now.wall, seats, why: why.to_owned() };
            self.record(event, &mut changes);
        }
        changes
    }

    /// Voids the result of a match that has ended. None if it has no result.
    pub fn void_result(&mut self, why: &str, now: Now) -> Option<Change> {
        let Phase::Ended(_) = self.phase else { return None };
        let seats = vec![EndReason::CalledOff; self.seats.len()];
        let mut changes = Vec::new();
        self.record(Event::Voided { at: now.wall, seats, why: why.to_owned() }, &mut changes);
        changes.pop()
    }

    /// How it ended for each seat; empty before the end. Without a result the placements are 0.
    #[must_use]
    pub fn ends(&self) -> Vec<SeatEnd> {
        match &self.phase {
            Phase::Gathering { .. } | Phase::Playing => Vec::new(),
            Phase::Ended(seats) => seats.clone(),
            Phase::Voided { reasons, .. } => {
                reasons.iter().map(|&reason| SeatEnd { placement: 0, reason, total: 0 }).collect()
            }
        }
    }

    /// Why the match does not count for the ratings; none if it does.
    #[must_use]
    pub fn unrated_reason(&self) -> Option<UnratedReason> {
        let house = self.spec.seats.iter().any(|seat| matches!(seat, Seat::House(_)));
        match (self.spec.origin, &self.phase) {
            (_, Phase::Voided { .. }) => Some(UnratedReason::Voided),
            (Origin::Challenge, _) => Some(UnratedReason::Challenge),
            (Origin::Ladder, _) if house => Some(UnratedReason::ServerSeat),
            (Origin::Ladder, _) => None,
        }
    }

    /// Why the match was voided; none if it was not.
    #[must_use]
    pub fn void_reason(&self) -> Option<VoidReason> {
        let Phase::Voided { reasons, .. } = &self.phase else { return None };
        Some(if reasons.contains(&EndReason::NoShow) {
            VoidReason::NoShow
        } else if reasons.contains(&EndReason::ServerError) {
            VoidReason::ServerError
        } else if reasons.contains(&EndReason::Gone) {
            VoidReason::AllGone
        } else {
            VoidReason::Organiser
        })
    }
}
