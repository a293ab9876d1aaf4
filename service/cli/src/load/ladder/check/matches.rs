//! Every match of a store, once: its moves against the promises, its record against the rules.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use azulejo_arena::document;
use azulejo_arena::match_run::Match;
use azulejo_arena::moment::Time;
use azulejo_arena::record::{Event, Seat, SeatEnd};
use azulejo_arena::store::{Filter, SavedMatch, Store};
use azulejo_engine::Record;

use super::{PAGE, Verdict, Wrong};
use crate::load::ladder::journal::{Journal, Promise};

pub(super) const LOST: &str = "a move was acknowledged that the store does not have: look at \
                               `match_events` of that match, and at the log for a failed batch";

/// What the matches of a store say.
pub(super) struct Matches {
    pub(super) moves: Verdict,
    pub(super) receipts: Verdict,
    pub(super) records: Verdict,
    pub(super) ended: Verdict,
    /// Matches that are over.
    pub(super) over: HashSet<String>,
    /// How each of them ended, if it has a result.
    pub(super) ends: HashMap<String, Vec<SeatEnd>>,
    /// Members that have to hear of the end of a match.
    pub(super) to_be_told: Vec<(String, u32)>,
}

#[derive(Default)]
struct Reading<'a> {
    promises: HashMap<&'a str, Vec<&'a Promise>>,
    members: HashMap<&'a str, u32>,
    lost: Wrong,
    charged: Wrong,
    untrue: Wrong,
    unended: Wrong,
    records: u64,
    matches: u64,
    over: HashSet<String>,
    ends: HashMap<String, Vec<SeatEnd>>,
    to_be_told: Vec<(String, u32)>,
}

pub(super) async fn read(store: &dyn Store, journal: &Journal) -> Result<Matches> {
    let mut reading = Reading::default();
    for promise in &journal.promises {
        reading.promises.entry(journal.matches.text(promise.at)).or_default().push(promise);
    }
    let good = (0..).zip(&journal.members).filter(|(_, member)| !member.bad);
    reading.members = good.map(|(number, member)| (&*member.bot, number)).collect();
    let mut before = None;
    loop {
        let page = store.list(&Filter::default(), before, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        before = Some(*last);
        for (_, saved) in &page {
            reading.look_at(saved, journal);
        }
    }
    let lost: Vec<(&str, usize)> =
        reading.promises.iter().map(|(id, promises)| (*id, promises.len())).collect();
    for (id, count) in lost {
        for _ in 0..count {
            reading.lost.is(|| format!("match {id} is not in the store"));
        }
    }
    Ok(reading.matches(journal))
}

impl Reading<'_> {
    fn look_at(&mut self, saved: &SavedMatch, journal: &Journal) {
        let id = saved.spec.id.as_str();
        self.matches += 1;
        for promise in self.promises.remove(id).unwrap_or_default() {
            self.look_for(promise, saved, journal);
        }
        let ends = |event: &&Event| matches!(event, Event::Ended { .. } | Event::Voided { .. });
        let count = saved.events.iter().filter(ends).count();
        if let Some(Event::Ended { seats, .. }) = saved.events.last() {
            self.ends.insert(id.to_owned(), seats.clone());
        }
        let ours = saved.spec.seats.iter().any(|seat| match seat {
            Seat::Remote(player) => self.members.contains_key(player.bot.as_str()),
            Seat::House(_) => false,
        });
        if ours && (count, saved.ended.is_some()) != (1, true) {
            self.unended.is(|| format!("match {id} has ended {count} times"));
        }
        if saved.ended.is_some() {
            self.over.insert(id.to_owned());
            for seat in &saved.spec.seats {
                if let Seat::Remote(player) = seat
                    && let Some(&member) = self.members.get(player.bot.as_str())
                {
                    self.to_be_told.push((id.to_owned(), member));
                }
            }
        }
        self.replay(saved);
    }

    fn look_for(&mut self, promise: &Promise, saved: &SavedMatch, journal: &Journal) {
        let id = &saved.spec.id;
        let said = saved.events.iter().find_map(|event| match event {
            Event::Moved { turn, action, receipt, .. } if *turn == promise.turn => {
                Some((action, receipt))
            }
            Event::Moved { .. }
            | Event::Ready { .. }
            | Event::Started { .. }
            | Event::Refused(_)
            | Event::Forfeited { .. }
            | Event::Ended { .. }
            | Event::Voided { .. } => None,
        });
        let (turn, word) = (promise.turn, journal.words.text(promise.word));
        match said {
            None => self.lost.is(|| format!("turn {turn} of match {id} is not there")),
            Some((action, _)) if action != word => {
                self.lost.is(|| format!("turn {turn} of match {id} is {action}, not {word}"));
            }
            Some((_, receipt)) => {
                let charged = receipt.map(|receipt| receipt.charged.as_micros());
                if charged != Some(promise.charged.into()) {
                    self.charged.is(|| format!("turn {turn} of match {id}: {charged:?} us"));
                }
            }
        }
    }

    /// The events make sense, and the document that anybody can verify is true.
    fn replay(&mut self, saved: &SavedMatch) {
        let id = &saved.spec.id;
        let run = match Match::replay(saved, Time::default()) {
            Ok(run) => run,
            Err(corrupt) => return self.untrue.is(|| corrupt.to_string()),
        };
        if saved.ended.is_none() || run.table().is_none() {
            return;
        }
        self.records += 1;
        let document = document::of(saved, &run);
        let record = document.and_then(|document| Record::read(&document).ok());
        match record.map(|record| record.verify()) {
            Some(Ok(_)) => {}
            Some(Err(defect)) => self.untrue.is(|| format!("match {id}: {defect}")),
            None => self.untrue.is(|| format!("match {id} makes no record")),
        }
    }

    fn matches(self, journal: &Journal) -> Matches {
        let promised = journal.promises.len();
        let moves = format!("{promised} acknowledged moves, all in the store");
        let receipts = format!("{promised} receipts, as they were acknowledged");
        let records = format!("{} records, replayed and verified", self.records);
        let ended = format!("{} matches, all over", self.matches);
        Matches {
            moves: Verdict::on("moves", moves, &self.lost, LOST),
            receipts: Verdict::on(
                "receipts",
                receipts,
                &self.charged,
                "a receipt in the store is not the one that the bot got",
            ),
            records: Verdict::on(
                "records",
                records,
                &self.untrue,
                "`azulejo export` and `azulejo verify` name the defect",
            ),
            ended: Verdict::on(
                "ended",
                ended,
                &self.unended,
                "a match hangs: look at its last event, and at what its bots were told",
            ),
            over: self.over,
            ends: self.ends,
            to_be_told: self.to_be_told,
        }
    }
}
