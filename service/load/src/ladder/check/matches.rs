//! Every match of a store: its moves against the acknowledged ones, its record against the rules.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, Result};
use azulejo_arena::match_record::Replayed;
use azulejo_arena::record::{Event, Seat, SeatEnd};
use azulejo_arena::store::{Filter, SavedMatch, Store};
use azulejo_engine::Record;

use super::{PAGE, Problems, Verdict};
use crate::ladder::journal::{AckedMove, Journal};

pub(super) const LOST: &str = "an acknowledged move is not in the store: inspect `match_events` of that \
                               match, and the log for a failed commit";

/// Verdicts on the matches of a store.
pub(super) struct Matches {
    pub(super) moves: Verdict,
    pub(super) receipts: Verdict,
    pub(super) records: Verdict,
    pub(super) ended: Verdict,
    /// Matches that are over.
    pub(super) over: HashSet<String>,
    /// How each of them ended, if it has a result.
    pub(super) ends: HashMap<String, Vec<SeatEnd>>,
    /// Bots that must have received the end of a match.
    pub(super) expected_ends: Vec<(String, u32)>,
}

#[derive(Default)]
struct Reading<'a> {
    acked: HashMap<&'a str, Vec<&'a AckedMove>>,
    bots: HashMap<&'a str, u32>,
    lost: Problems,
    charged: Problems,
    defective: Problems,
    unended: Problems,
    records: u64,
    matches: u64,
    over: HashSet<String>,
    ends: HashMap<String, Vec<SeatEnd>>,
    expected_ends: Vec<(String, u32)>,
}

pub(super) async fn read(store: &dyn Store, journal: &Journal) -> Result<Matches> {
    let mut reading = Reading::default();
    for acked in &journal.moves {
        reading.acked.entry(journal.matches.text(acked.at)).or_default().push(acked);
    }
    let good = (0..).zip(&journal.bots).filter(|(_, bot)| !bot.bad);
    reading.bots = good.map(|(number, bot)| (&*bot.bot, number)).collect();
    let mut before = None;
    loop {
        let page = store.list(&Filter::default(), before, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        before = Some(*last);
        for (_, listed) in page {
            // Lists have no events of finished matches.
            let id = listed.spec.id.clone();
            let saved = match &listed.summary {
                Some(_) => store.find(&id).await?.with_context(|| format!("match {id} is lost"))?,
                None => listed,
            };
            reading.check_match(&saved, journal);
        }
    }
    let lost: Vec<(&str, usize)> =
        reading.acked.iter().map(|(id, moves)| (*id, moves.len())).collect();
    for (id, count) in lost {
        for _ in 0..count {
            reading.lost.add(|| format!("match {id} is not in the store"));
        }
    }
    Ok(reading.matches(journal))
}

impl Reading<'_> {
    fn check_match(&mut self, saved: &SavedMatch, journal: &Journal) {
        let id = saved.spec.id.as_str();
        self.matches += 1;
        for acked in self.acked.remove(id).unwrap_or_default() {
            self.check_move(acked, saved, journal);
        }
        let ends = |event: &&Event| matches!(event, Event::Ended { .. } | Event::Voided { .. });
        let count = saved.events.iter().filter(ends).count();
        if let Some(Event::Ended { seats, .. }) = saved.events.last() {
            self.ends.insert(id.to_owned(), seats.clone());
        }
        let ours = saved.spec.seats.iter().any(|seat| match seat {
            Seat::Remote(player) => self.bots.contains_key(player.bot.as_str()),
            Seat::House(_) => false,
        });
        if ours && (count, saved.ended.is_some()) != (1, true) {
            self.unended.add(|| format!("match {id} has ended {count} times"));
        }
        if saved.ended.is_some() {
            self.over.insert(id.to_owned());
            for seat in &saved.spec.seats {
                if let Seat::Remote(player) = seat
                    && let Some(&bot) = self.bots.get(player.bot.as_str())
                {
                    self.expected_ends.push((id.to_owned(), bot));
                }
            }
        }
        self.replay(saved);
    }

    fn check_move(&mut self, acked: &AckedMove, saved: &SavedMatch, journal: &Journal) {
        let id = &saved.spec.id;
        let stored = saved.events.iter().find_map(|event| match event {
            Event::Moved { turn, action, receipt, .. } if *turn == acked.turn => {
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
        let (turn, notation) = (acked.turn, journal.notations.text(acked.notation));
        match stored {
            None => self.lost.add(|| format!("turn {turn} of match {id} is missing")),
            Some((action, _)) if action != notation => {
                self.lost.add(|| format!("turn {turn} of match {id} is {action}, not {notation}"));
            }
            Some((_, receipt)) => {
                let charged = receipt.map(|receipt| receipt.charged.as_micros());
                if charged != Some(acked.charged.into()) {
                    self.charged.add(|| format!("turn {turn} of match {id}: {charged:?} us"));
                }
            }
        }
    }

    /// The events are consistent, and the public record verifies.
    fn replay(&mut self, saved: &SavedMatch) {
        let id = &saved.spec.id;
        let replayed = match Replayed::of(saved) {
            Ok(replayed) => replayed,
            Err(corrupt) => return self.defective.add(|| corrupt.to_string()),
        };
        if saved.ended.is_none() || replayed.run.table().is_none() {
            return;
        }
        self.records += 1;
        let record = replayed.record(saved).and_then(|text| Record::read(&text).ok());
        match record.map(|record| record.verify()) {
            Some(Ok(_)) => {}
            Some(Err(defect)) => self.defective.add(|| format!("match {id}: {defect}")),
            None => self.defective.add(|| format!("match {id} has no record")),
        }
    }

    fn matches(self, journal: &Journal) -> Matches {
        let count = journal.moves.len();
        let moves = format!("{count} acknowledged moves, all in the store");
        let receipts = format!("{count} receipts, equal to those in the store");
        let records = format!("{} records, replayed and verified", self.records);
        let ended = format!("{} matches, all over", self.matches);
        Matches {
            moves: Verdict::on("moves", moves, &self.lost, LOST),
            receipts: Verdict::on(
                "receipts",
                receipts,
                &self.charged,
                "a receipt in the store differs from the one that the bot received",
            ),
            records: Verdict::on(
                "records",
                records,
                &self.defective,
                "`azulejo export` and `azulejo verify` name the defect",
            ),
            ended: Verdict::on(
                "ended",
                ended,
                &self.unended,
                "a match hangs: inspect its last event and the log",
            ),
            over: self.over,
            ends: self.ends,
            expected_ends: self.expected_ends,
        }
    }
}
