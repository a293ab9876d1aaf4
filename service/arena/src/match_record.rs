//! Records of finished matches: JSON documents that can be verified without trusting the server.

use std::time::Duration;

use azulejo_engine::fairness::{self, Bytes32};
use azulejo_engine::{
    ArenaPart, Cost, Event as GameEvent, Forfeit, Record, Seat as TableSeat, SeatOutcome, Step,
    Table,
};

use crate::match_run::{Corrupt, MadeMove, Match, Observer, Phase};
use crate::record::{Event, Receipt, RefusedMove, Seat};
use crate::store::SavedMatch;
use crate::time::Time;

/// A stored match, played again with all its steps.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub run: Match,
    steps: Vec<Step>,
}

/// Collects every deal and every move.
struct Steps(Vec<Step>);

impl Observer for Steps {
    fn dealt(&mut self, _table: &Table, events: &[GameEvent]) {
        self.0.extend(events.iter().filter_map(GameEvent::as_deal));
    }

    fn moved(&mut self, made: MadeMove, _table: &Table, _events: &[GameEvent]) {
        self.0.push(Step::from(made.action));
    }
}

impl Replayed {
    pub fn of(saved: &SavedMatch) -> Result<Self, Corrupt> {
        let mut steps = Steps(Vec::new());
        let run = Match::replay_observed(saved, Time::default(), &mut steps)?;
        Ok(Self { run, steps: steps.0 })
    }

    /// The record, one line of JSON; none if no deal was made, or the match is not over.
    #[must_use]
    pub fn record(&self, saved: &SavedMatch) -> Option<String> {
        let last = self.run.table()?;
        let spec = &saved.spec;
        let seed = fairness::seed(spec.id.as_str(), &saved.secret, &self.run.nonces());
        let names: Vec<String> = spec.seats.iter().map(full_name).collect();
        let record = Record::of(&names, Some(&seed), TableSeat::First, &self.steps, last);
        serde_json::to_string(&record.of_arena(part(saved, &self.run)?)).ok()
    }
}

fn full_name(seat: &Seat) -> String {
    seat.player().map_or_else(|| seat.name(), ToString::to_string)
}

fn part(saved: &SavedMatch, run: &Match) -> Option<ArenaPart> {
    let spec = &saved.spec;
    let class = spec.pool.time_class;
    let voided = match run.phase() {
        Phase::Voided { why, .. } => Some(why.clone()),
        Phase::Gathering { .. } | Phase::Playing | Phase::Ended(_) => None,
    };
    let seats = run.ends().into_iter().map(|end| SeatOutcome {
        placement: end.placement,
        reason: word(&end.reason),
        total: end.total,
    });
    Some(ArenaPart {
        match_id: spec.id.to_string(),
        pool: spec.pool.to_string(),
        origin: word(&spec.origin),
        block: spec.block.to_string(),
        called: spec.called.0,
        ended: saved.ended?.0,
        commitment: fairness::commitment(spec.id.as_str(), &saved.secret),
        secret: saved.secret,
        nonces: run.nonces(),
        bank: micros(class.bank()),
        increment: micros(class.increment()),
        costs: costs(&saved.events),
        forfeits: saved.events.iter().filter_map(forfeit).collect(),
        refused: run.refused().iter().map(refused).collect(),
        seats: seats.collect(),
        rated: saved.rated,
        voided,
        digest: Bytes32([0; 32]),
    })
}

/// What each move cost; none if the server made it.
fn costs(events: &[Event]) -> Vec<Option<Cost>> {
    let mut costs = Vec::new();
    for event in events {
        if let Event::Moved { receipt, .. } = event {
            costs.push(receipt.map(|Receipt { measured, credited, charged, left }| {
                Cost(micros(measured), micros(credited), micros(charged), micros(left))
            }));
        }
    }
    costs
}

fn forfeit(event: &Event) -> Option<Forfeit> {
    let Event::Forfeited { seat, turn, reason } = event else { return None };
    Some(Forfeit { seat: *seat, turn: *turn, reason: word(reason) })
}

fn refused(refused: &RefusedMove) -> azulejo_engine::RefusedMove {
    let RefusedMove { seat, turn, sent, reason, rule, message, at } = refused.clone();
    azulejo_engine::RefusedMove { seat, turn, sent, reason, rule, message, at: at.0 }
}

/// The name of an enum value, as in the store.
fn word(thing: &impl serde::Serialize) -> String {
    let word = serde_json::to_value(thing).ok();
    word.and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "half a million years")]
const fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}
