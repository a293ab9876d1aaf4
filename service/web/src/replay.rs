//! A stored match as steps that can be looked at one by one.

use std::time::Duration;

use azulejo_arena::match_run::{Corrupt, MadeMove, Match, Observer};
use azulejo_arena::record::{EndReason, Event, RefusedMove};
use azulejo_arena::store::SavedMatch;
use azulejo_arena::time::Time;
use azulejo_engine::{Event as GameEvent, Move, Seat, Table, words};

/// A position, and how it came about. Moments are numbered from 1 like the steps of a record: each
/// filled display and each move is one step.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) step: Step,
    pub(crate) table: Table,
    /// Events that the step caused.
    pub(crate) news: Vec<String>,
    /// Refused answers and forfeits in this position. They are not steps.
    pub(crate) notes: Vec<String>,
    /// The time left on each seat's clock.
    pub(crate) clocks: Vec<Duration>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A display was filled.
    Deal,
    Move {
        seat: Seat,
        action: Move,
        /// Time spent on the move; none if the server chose it.
        cost: Option<Duration>,
    },
}

impl Step {
    /// The step as a sentence.
    pub(crate) fn sentence(&self, names: &[String]) -> String {
        let name = |seat: usize| names.get(seat).map_or("?", String::as_str);
        match *self {
            Self::Deal => "A display is filled".to_owned(),
            Self::Move { seat, action, .. } => {
                format!("{}: {}", name(seat.index()), words::of_move(action))
            }
        }
    }
}

/// Collects the steps of a match while it is replayed.
struct StepCollector<'a> {
    names: &'a [String],
    clocks: Vec<Duration>,
    moments: Vec<Moment>,
}

/// A stored match, and every step of it; there are none before the first deal.
pub(crate) fn moments(
    saved: &SavedMatch,
    names: &[String],
) -> Result<(Match, Vec<Moment>), Corrupt> {
    let spec = &saved.spec;
    let clocks = vec![spec.pool.time_class.bank(); spec.seats.len()];
    let mut observer = StepCollector { names, clocks, moments: Vec::new() };
    let run = Match::replay_observed(saved, Time::default(), &mut observer)?;
    Ok((run, observer.moments))
}

impl Observer for StepCollector<'_> {
    fn dealt(&mut self, table: &Table, events: &[GameEvent]) {
        self.push(Step::Deal, table, events);
    }

    fn moved(&mut self, made: MadeMove, table: &Table, events: &[GameEvent]) {
        if let (Some(receipt), Some(clock)) = (made.receipt, self.clocks.get_mut(made.seat)) {
            *clock = receipt.left;
        }
        let cost = made.receipt.map(|receipt| receipt.charged);
        let Some(seat) = table.players().iter().nth(made.seat) else { return };
        self.push(Step::Move { seat, action: made.action, cost }, table, events);
    }

    fn other(&mut self, event: &Event) {
        match event {
            Event::Forfeited { seat, reason, .. } => {
                if let (EndReason::OutOfTime, Some(clock)) = (reason, self.clocks.get_mut(*seat)) {
                    *clock = Duration::ZERO;
                }
                self.note(format!("{} {}", self.name(*seat), crate::describe::ending(*reason)));
            }
            Event::Refused(RefusedMove { seat, sent, message, .. }) => {
                self.note(format!("{} sent {sent:?}, refused: {message}", self.name(*seat)));
            }
            Event::Ready { .. }
            | Event::Started { .. }
            | Event::Moved { .. }
            | Event::Ended { .. }
            | Event::Voided { .. } => {}
        }
    }
}

impl StepCollector<'_> {
    fn name(&self, seat: usize) -> &str {
        self.names.get(seat).map_or("?", String::as_str)
    }

    fn note(&mut self, note: String) {
        if let Some(moment) = self.moments.last_mut() {
            moment.notes.push(note);
            moment.clocks.clone_from(&self.clocks);
        }
    }

    fn push(&mut self, step: Step, table: &Table, events: &[GameEvent]) {
        let news = events.iter().filter(|event| words::is_news(event));
        let news = news.map(|event| words::of_event(event, self.names)).collect();
        let clocks = self.clocks.clone();
        let notes = Vec::new();
        self.moments.push(Moment { step, table: *table, news, notes, clocks });
    }
}
