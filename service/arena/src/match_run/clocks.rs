//! When the clock of a turn starts, and when it runs out.

use std::time::Duration;

use super::{ABSENCE, Change, GATHERING, Match, Phase, TurnClock};
use crate::record::{EndReason, Seat};
use crate::time::{Now, Time};

/// Bots that fall silent within this time count as lost at the same moment.
const SAME_MOMENT: Duration = Duration::from_millis(500);

/// What the arena knows about the bot of a seat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presence {
    /// When it was last heard from.
    pub heard: Time,
    pub round_trip: Duration,
    /// Whether bots of other owners were heard from since: the server had no problem.
    pub others_heard: bool,
}

impl Match {
    /// The match was announced to its seats: their time to be ready starts.
    pub fn announced(&mut self, now: Time) {
        if let Phase::Gathering { until } = &mut self.phase {
            *until = now.after(GATHERING);
        }
    }

    /// The turn that is due was queued for its bot: its clock starts when it is fetched.
    pub fn turn_sent(&mut self, turn: u32, now: Time) {
        if let Some(game) = &mut self.game
            && game.turn == turn
            && game.clock == TurnClock::Waiting
        {
            game.clock = TurnClock::Sent { at: now };
        }
    }

    /// The turn has left the server: its clock starts now, or earlier if it waited too long.
    pub fn turn_fetched(&mut self, turn: u32, now: Time) {
        if let Some(seat) = self.due()
            && let Some(game) = &mut self.game
            && game.turn == turn
            && let TurnClock::Sent { at } = game.clock
        {
            let free = self.seats[seat].clock.use_free_wait(now.since(at));
            game.clock = TurnClock::Fetched { at: at.after(free) };
        }
    }

    /// Whether readers may see the position: the clock of the bot whose turn it is runs, or
    /// the server has to move.
    #[must_use]
    pub fn is_public(&self, now: Time) -> bool {
        let waits = self.due().is_some_and(|seat| self.plays(seat));
        !waits || self.clock_started().is_some_and(|started| started <= now)
    }

    /// The time that a seat has left.
    #[must_use]
    pub fn left(&self, seat: usize, now: Time) -> Duration {
        let left = self.seats[seat].clock.left();
        match self.clock_started() {
            Some(started) if self.due() == Some(seat) => left.saturating_sub(now.since(started)),
            Some(_) | None => left,
        }
    }

    /// The time left to be ready.
    #[must_use]
    pub fn time_to_be_ready(&self, now: Time) -> Duration {
        match self.phase {
            Phase::Gathering { until } => until.since(now),
            Phase::Playing | Phase::Ended(_) | Phase::Voided { .. } => Duration::ZERO,
        }
    }

    /// Whether [`Self::tick`] would change anything: a cheap check, since this is called often for
    /// hundreds of matches, and hardly ever anything is due.
    #[must_use]
    pub fn needs_tick(&self, now: Time, presence: &[Presence]) -> bool {
        match self.phase {
            Phase::Gathering { until } => now > until,
            Phase::Playing => {
                self.out_of_time(now, presence).is_some()
                    || (0..self.seats.len()).any(|seat| self.is_silent(seat, now, presence))
            }
            Phase::Ended(_) | Phase::Voided { .. } => false,
        }
    }

    /// The seat whose turn it is, if its time is up.
    fn out_of_time(&self, now: Time, presence: &[Presence]) -> Option<usize> {
        let seat = self.due().filter(|&seat| self.plays(seat))?;
        let allowance = self.seats[seat].clock.allowance(presence[seat].round_trip);
        (now.since(self.clock_started()?) > allowance).then_some(seat)
    }

    fn is_silent(&self, seat: usize, now: Time, presence: &[Presence]) -> bool {
        self.plays(seat) && now.since(presence[seat].heard) > ABSENCE
    }

    /// Applies what is due by now. `presence` is by seat; server seats are ignored.
    pub fn tick(&mut self, now: Now, presence: &[Presence]) -> Vec<Change> {
        let mut changes = Vec::new();
        match self.phase {
            Phase::Gathering { until } if now.time > until => {
                let missing: Vec<usize> =
                    (0..self.seats.len()).filter(|&seat| !self.is_ready(seat)).collect();
                self.no_show(&missing, now, &mut changes);
            }
            Phase::Playing => self.tick_playing(now, presence, &mut changes),
            Phase::Gathering { .. } | Phase::Ended(_) | Phase::Voided { .. } => {}
        }
        changes
    }

    fn tick_playing(&mut self, now: Now, presence: &[Presence], changes: &mut Vec<Change>) {
        if let Some(seat) = self.out_of_time(now.time, presence) {
            self.forfeit(seat, EndReason::OutOfTime, now, changes);
        }
        let mut silent: Vec<(Time, usize)> = (0..self.seats.len())
            .filter(|&seat| self.is_silent(seat, now.time, presence))
            .map(|seat| (presence[seat].heard, seat))
            .collect();
        // The bot that has been away for longest forfeits first: the last one left wins.
        silent.sort_unstable();
        let playing = (0..self.seats.len()).filter(|&seat| self.plays(seat)).count();
        let all_at_once = match silent.as_slice() {
            [(first, _), .., (last, _)] => {
                silent.len() == playing && last.since(*first) < SAME_MOMENT
            }
            [] | [_] => false,
        };
        if all_at_once && self.phase == Phase::Playing {
            // If all bots are lost at the same moment, none of them is at fault, unless others were not
            // lost: then two could agree to do without a result.
            let others_heard = silent.iter().all(|(_, seat)| presence[*seat].others_heard);
            let reason = if others_heard { EndReason::Gone } else { EndReason::ServerError };
            let why = "all bots were lost at the same time";
            changes.extend(self.void(reason, why, now));
            return;
        }
        for (_, seat) in silent {
            if self.phase == Phase::Playing && self.plays(seat) {
                self.forfeit(seat, EndReason::Gone, now, changes);
            }
        }
    }

    /// Whether a bot plays the seat itself.
    pub(super) fn plays(&self, seat: usize) -> bool {
        matches!(self.spec.seats[seat], Seat::Remote(_)) && self.seats[seat].out.is_none()
    }
}
