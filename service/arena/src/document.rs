//! Finished matches as documents that anybody can verify.

use std::time::Duration;

use azulejo_engine::fairness::{self, Bytes32};
use azulejo_engine::{
    ArenaPart, Cost, Forfeit, Record, Seat as TableSeat, SeatOutcome, Step, Table,
};

use crate::match_run::{Match, Phase};
use crate::record::{Event, House, Receipt, RefusedMove, Seat};
use crate::store::SavedMatch;

/// The record of a match, one line of JSON; none if nothing was ever dealt, or it is not over.
#[must_use]
pub fn of(saved: &SavedMatch, run: &Match) -> Option<String> {
    let last = run.table()?;
    let seed = fairness::seed(saved.spec.id.as_str(), &saved.secret, &run.nonces());
    let names: Vec<String> = saved.spec.seats.iter().map(name).collect();
    let steps = steps(saved, &seed)?;
    let record = Record::of(&names, Some(&seed), TableSeat::First, &steps, last);
    serde_json::to_string(&record.of_arena(part(saved, run)?)).ok()
}

fn name(seat: &Seat) -> String {
    match seat {
        Seat::Remote(player) => player.to_string(),
        Seat::House(House(bot)) => format!("server/{bot}"),
    }
}

/// Every deal and every decision.
fn steps(saved: &SavedMatch, seed: &azulejo_engine::Seed) -> Option<Vec<Step>> {
    let mut table = Table::start(saved.spec.pool.ruleset);
    let mut steps = Vec::new();
    for event in &saved.events {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else moves a tile")]
        match event {
            Event::Started { .. } => {}
            Event::Moved { action, .. } => {
                let action = table.read_move(action).ok()?;
                table.play(action).ok()?;
                steps.push(Step::from(action));
            }
            _ => continue,
        }
        while table.awaits_deal() {
            let dealt = table.deal(seed);
            steps.extend(dealt.iter().filter_map(azulejo_engine::Event::as_deal));
        }
    }
    Some(steps)
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

/// What each decision cost; none if the house made it.
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

/// The word that stands for it in the store, too.
fn word(thing: &impl serde::Serialize) -> String {
    let word = serde_json::to_value(thing).ok();
    word.and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

#[expect(clippy::cast_possible_truncation, reason = "half a million years")]
const fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}
