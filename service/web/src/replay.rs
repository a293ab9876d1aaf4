//! A stored match as steps that can be looked at one by one.

use std::time::Duration;

use azulejo_arena::match_run::Match;
use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::SavedMatch;
use azulejo_engine::{Event as GameEvent, Move, Seat, Seed, Table, fairness, words};

/// A position, and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) step: Step,
    pub(crate) table: Table,
    /// What the step caused besides what it says itself.
    pub(crate) news: Vec<String>,
    /// What is left in each bank.
    pub(crate) clocks: Vec<Duration>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// So many displays were filled.
    Deal {
        displays: usize,
    },
    Move {
        seat: Seat,
        action: Move,
        /// What it cost; none if the house decided.
        cost: Option<Duration>,
    },
    Forfeit {
        seat: usize,
        reason: EndReason,
    },
}

impl Step {
    /// The step as a sentence.
    pub(crate) fn sentence(&self, names: &[String]) -> String {
        let name = |seat: usize| names.get(seat).map_or("?", String::as_str);
        match *self {
            Self::Deal { displays: 1 } => "One display is filled".to_owned(),
            Self::Deal { displays } => format!("{displays} displays are filled"),
            Self::Move { seat, action, .. } => {
                format!("{}: {}", name(seat.index()), words::of_move(action))
            }
            Self::Forfeit { seat, reason } => {
                format!("{} {}", name(seat), crate::words::ending(reason))
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
                self.push(Step::Forfeit { seat: *seat, reason: *reason }, &[]);
            }
            Event::Ready { .. } | Event::Ended { .. } | Event::Voided { .. } => {}
        }
    }

    /// Everything that is dealt at once is one step.
    fn deal(&mut self) {
        let mut events = Vec::new();
        while self.table.awaits_deal() {
            events.extend(self.table.deal(&self.seed));
        }
        let displays = events.iter().filter_map(GameEvent::as_deal).count();
        if displays > 0 {
            self.push(Step::Deal { displays }, &events);
        }
    }

    fn push(&mut self, step: Step, events: &[GameEvent]) {
        let news = events.iter().filter(|event| words::is_news(event));
        let news = news.map(|event| words::of_event(event, self.names)).collect();
        let clocks = self.clocks.clone();
        self.moments.push(Moment { step, table: self.table, news, clocks });
    }
}
