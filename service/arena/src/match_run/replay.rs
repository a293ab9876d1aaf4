//! A stored match, played again: the only place that does so. Records, pages and checks observe it.

use azulejo_engine::{Event as GameEvent, Move};
use thiserror::Error;

use super::{Match, Phase};
use crate::record::{Event, Receipt};
use crate::store::SavedMatch;
use crate::time::Time;

/// Stored events that no match can have had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("match {id}, event {seq}: {problem}")]
pub struct Corrupt {
    pub id: crate::names::MatchId,
    pub seq: u32,
    pub problem: &'static str,
}

/// A move that was made, and what its seat paid for it.
#[derive(Clone, Copy, Debug)]
pub struct MadeMove {
    pub seat: usize,
    pub action: Move,
    /// None if the server made the move.
    pub receipt: Option<Receipt>,
}

/// Sees every step of a match as it is played: each deal of a display and each move.
pub trait Observer {
    /// A display was filled.
    fn dealt(&mut self, _table: &azulejo_engine::Table, _events: &[GameEvent]) {}
    /// A move was made; the deals that follow it come next.
    fn moved(&mut self, _made: MadeMove, _table: &azulejo_engine::Table, _events: &[GameEvent]) {}
    /// A stored event that is not a step.
    fn other(&mut self, _event: &Event) {}
}

/// Ignores everything.
impl Observer for () {}

impl Match {
    /// Restores a match from its events. The turn that was due is due again; the time in between
    /// is not charged.
    pub fn replay(saved: &SavedMatch, now: Time) -> Result<Self, Corrupt> {
        Self::replay_observed(saved, now, &mut ())
    }

    /// The same, reporting every step to `observer`.
    pub fn replay_observed(
        saved: &SavedMatch,
        now: Time,
        observer: &mut impl Observer,
    ) -> Result<Self, Corrupt> {
        let mut run = Self::call(saved.spec.clone(), saved.secret, now);
        for event in &saved.events {
            run.replay_event(event, observer).map_err(|problem| Corrupt {
                id: run.spec.id.clone(),
                seq: run.seq,
                problem,
            })?;
            run.seq += 1;
        }
        if let Some(game) = &mut run.game {
            game.known = Some(game.turn);
        }
        Ok(run)
    }

    fn replay_event(
        &mut self,
        event: &Event,
        observer: &mut impl Observer,
    ) -> Result<(), &'static str> {
        // An organiser can void a result.
        let voids_result = matches!((&self.phase, event), (Phase::Ended(_), Event::Voided { .. }));
        if self.is_over() && !voids_result {
            return Err("the match is over");
        }
        match event {
            Event::Started { deals } => {
                if self.start(observer) != *deals {
                    return Err("the seed gives other deals");
                }
                return Ok(());
            }
            Event::Moved { seat, turn, action, receipt, deals } => {
                let Some(game) = &self.game else { return Err("no deal was made yet") };
                if game.turn != *turn || self.due() != Some(*seat) {
                    return Err("it is not this seat's turn");
                }
                let action = game.table.read_move(action);
                let action = action.map_err(|_| "the move cannot be read")?;
                let made = MadeMove { seat: *seat, action, receipt: *receipt };
                let played = self.make_move(made, observer).map_err(|_| "the move is illegal")?;
                if played.deals != *deals {
                    return Err("the seed gives other deals");
                }
                return Ok(());
            }
            Event::Ready { seat, .. } | Event::Forfeited { seat, .. } => {
                self.seats.get(*seat).ok_or("there is no such seat")?;
            }
            Event::Refused(refused) => {
                if self.due() != Some(refused.seat) || self.turn() != refused.turn {
                    return Err("it is not this seat's turn");
                }
            }
            Event::Ended { .. } | Event::Voided { .. } => {}
        }
        self.apply(event);
        observer.other(event);
        Ok(())
    }

    /// What an event that is not a step changes.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Ready { seat, nonce } => self.seats[*seat].nonce = Some(*nonce),
            Event::Refused(refused) => {
                if let Some(game) = &mut self.game {
                    game.illegal_tries += 1;
                }
                self.refused.push(refused.clone());
            }
            Event::Forfeited { seat, reason, .. } => {
                let due = self.due() == Some(*seat);
                self.seats[*seat].out = Some(*reason);
                if let Some(game) = self.game.as_mut().filter(|_| due) {
                    game.illegal_tries = 0;
                }
            }
            Event::Ended { seats, .. } => self.phase = Phase::Ended(seats.clone()),
            Event::Voided { seats, why, .. } => {
                self.phase = Phase::Voided { reasons: seats.clone(), why: why.clone() };
            }
            // Steps: `start` and `make_move` apply them.
            Event::Started { .. } | Event::Moved { .. } => {}
        }
    }
}
