//! Time: when a turn begins, and when it is up.

use std::time::Duration;

use super::{ABSENCE, GATHERING, Happening, Match, Phase, TurnClock};
use crate::moment::{Now, Time};
use crate::record::{EndReason, Seat};

/// Bots that fell silent within this time were lost together.
const AT_ONCE: Duration = Duration::from_millis(500);

/// What the arena knows of the bot on a seat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presence {
    /// When it was last heard of.
    pub heard: Time,
    pub round_trip: Duration,
}

impl Match {
    /// The call of the seats is durable and goes out: from here on they have time to be ready.
    pub fn asked(&mut self, now: Time) {
        if let Phase::Gathering { until } = &mut self.phase {
            *until = now.after(GATHERING);
        }
    }

    /// The turn that is due is durable and waits to be fetched: its clock starts soon.
    pub fn told(&mut self, turn: u32, now: Time) {
        if let Some(game) = &mut self.game
            && game.turn == turn
            && game.clock == TurnClock::Waiting
        {
            game.clock = TurnClock::Told { at: now };
        }
    }

    /// The turn has left the server: its clock runs from here, unless it waited for too long.
    pub fn fetched(&mut self, turn: u32, now: Time) {
        if let Some(seat) = self.due()
            && let Some(game) = &mut self.game
            && game.turn == turn
            && let TurnClock::Told { at } = game.clock
        {
            let free = self.seats[seat].clock.waited(now.since(at));
            game.clock = TurnClock::Fetched { at: at.after(free) };
        }
    }

    /// What is left of the time of the seat that is to decide.
    #[must_use]
    pub fn left(&self, seat: usize, now: Time) -> Duration {
        let left = self.seats[seat].clock.left();
        match self.began() {
            Some(began) if self.due() == Some(seat) => left.saturating_sub(now.since(began)),
            Some(_) | None => left,
        }
    }

    /// What is left to say that one is ready.
    #[must_use]
    pub fn time_to_be_ready(&self, now: Time) -> Duration {
        match self.phase {
            Phase::Gathering { until } => until.since(now),
            Phase::Playing | Phase::Ended(_) | Phase::Voided { .. } => Duration::ZERO,
        }
    }

    /// Time has passed. `presence` tells of each seat; what it says of house seats is not looked
    /// at.
    pub fn tick(&mut self, now: Now, presence: &[Presence]) -> Vec<Happening> {
        let mut happenings = Vec::new();
        match self.phase {
            Phase::Gathering { until } if now.time > until => {
                let missing: Vec<usize> =
                    (0..self.seats.len()).filter(|&seat| !self.is_ready(seat)).collect();
                self.no_show(&missing, now, &mut happenings);
            }
            Phase::Playing => self.watch(now, presence, &mut happenings),
            Phase::Gathering { .. } | Phase::Ended(_) | Phase::Voided { .. } => {}
        }
        happenings
    }

    fn watch(&mut self, now: Now, presence: &[Presence], happenings: &mut Vec<Happening>) {
        if let (Some(seat), Some(began)) = (self.due(), self.began())
            && self.plays(seat)
        {
            let allowance = self.seats[seat].clock.allowance(presence[seat].round_trip);
            if now.time.since(began) > allowance {
                self.forfeit(seat, EndReason::OutOfTime, now, happenings);
            }
        }
        let mut silent: Vec<(Time, usize)> = (0..self.seats.len())
            .filter(|&seat| self.plays(seat))
            .filter(|&seat| now.time.since(presence[seat].heard) > ABSENCE)
            .map(|seat| (presence[seat].heard, seat))
            .collect();
        // Who has been away for longest goes first: the last one left has won.
        silent.sort_unstable();
        let playing = (0..self.seats.len()).filter(|&seat| self.plays(seat)).count();
        let all_at_once = match silent.as_slice() {
            [(first, _), .., (last, _)] => silent.len() == playing && last.since(*first) < AT_ONCE,
            [] | [_] => false,
        };
        if all_at_once && self.phase == Phase::Playing {
            // They were all lost at the same moment: that is not the fault of one of them.
            let why = "nothing was heard of any of the bots";
            happenings.extend(self.void(EndReason::ServerError, why, now));
            return;
        }
        for (_, seat) in silent {
            if self.phase == Phase::Playing && self.plays(seat) {
                self.forfeit(seat, EndReason::Gone, now, happenings);
            }
        }
    }

    /// Whether a bot still plays the seat itself.
    pub(super) fn plays(&self, seat: usize) -> bool {
        matches!(self.spec.seats[seat], Seat::Remote(_)) && self.seats[seat].out.is_none()
    }
}
