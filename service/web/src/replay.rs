//! A stored match as steps that can be looked at one by one.

use std::time::Duration;

use azulejo_arena::match_run::Match;
use azulejo_arena::record::{EndReason, Event, RefusedMove};
use azulejo_arena::store::SavedMatch;
use azulejo_engine::{Event as GameEvent, Move, Seat, Seed, Table, fairness, words};

/// A position, and how it came about. Moments are numbered from 1 like the steps of a record: every
/// deal of a display and every move is one.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) step: Step,
    pub(crate) table: Table,
    /// What the step caused besides what it says itself.
    pub(crate) news: Vec<String>,
    /// What happened in this position that is not a step: refused answers, and forfeits.
    pub(crate) notes: Vec<String>,
    /// What is left in each bank.
    pub(crate) clocks: Vec<Duration>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A display was filled.
    Deal,
    Move {
        seat: Seat,
        action: Move,
        /// What it cost; none if the house decided.
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

struct Reader<'a> {
    names: &'a [String],
    seed: Seed,
    table: Table,
    clocks: Vec<Duration>,
    moments: Vec<Moment>,
}

/// Every step of a match, as far as it is written down; none before the first deal.
pub(crate) fn moments(saved: &SavedMatch, run: &Match, names: &[String]) -> Vec<Moment> {
    let spec = &saved.spec;
    let mut reader = Reader {
        names,
        seed: fairness::seed(spec.id.as_str(), &saved.secret, &run.nonces()),
        table: Table::start(spec.pool.ruleset),
        clocks: vec![spec.pool.time_class.bank(); spec.seats.len()],
        moments: Vec::new(),
    };
    for event in &saved.events {
        reader.read(event);
    }
    reader.moments
}

impl Reader<'_> {
    fn read(&mut self, event: &Event) {
        match event {
            Event::Started { .. } => self.deal(),
            Event::Moved { seat, action, receipt, .. } => {
                let Some(due) = self.table.to_move() else { return };
                let Ok(action) = self.table.read_move(action) else { return };
                let Ok(events) = self.table.play(action) else { return };
                if let (Some(receipt), Some(clock)) = (receipt, self.clocks.get_mut(*seat)) {
                    *clock = receipt.left;
                }
                let cost = receipt.map(|receipt| receipt.charged);
                self.push(Step::Move { seat: due, action, cost }, &events);
                self.deal();
            }
            Event::Forfeited { seat, reason, .. } => {
                if let (EndReason::OutOfTime, Some(clock)) = (reason, self.clocks.get_mut(*seat)) {
                    *clock = Duration::ZERO;
                }
                self.note(format!("{} {}", self.name(*seat), crate::words::ending(*reason)));
            }
            Event::Refused(RefusedMove { seat, sent, message, .. }) => {
                self.note(format!("{} sent {sent:?}, refused: {message}", self.name(*seat)));
            }
            Event::Ready { .. } | Event::Ended { .. } | Event::Voided { .. } => {}
        }
    }

    fn deal(&mut self) {
        while self.table.awaits_deal() {
            let events = self.table.deal(&self.seed);
            self.push(Step::Deal, &events);
        }
    }

    fn name(&self, seat: usize) -> &str {
        self.names.get(seat).map_or("?", String::as_str)
    }

    fn note(&mut self, note: String) {
        if let Some(moment) = self.moments.last_mut() {
            moment.notes.push(note);
            moment.clocks.clone_from(&self.clocks);
        }
    }

    fn push(&mut self, step: Step, events: &[GameEvent]) {
        let news = events.iter().filter(|event| words::is_news(event));
        let news = news.map(|event| words::of_event(event, self.names)).collect();
        let clocks = self.clocks.clone();
        let notes = Vec::new();
        self.moments.push(Moment { step, table: self.table, news, notes, clocks });
    }
}
