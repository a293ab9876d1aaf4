//! Counts what happened: a simulation that covers nothing proves nothing.

use std::collections::BTreeMap;

/// Each of these has to happen at least once.
const REQUIRED: &[&str] = &[
    "end: finished",
    "end: resigned",
    "end: out of time",
    "end: illegal moves",
    "end: gone",
    "end: no show",
    "end: called off",
    "match: rated",
    "match: challenge",
    "match: voided",
    "match: tie",
    "match: rotation",
    "match: went on after a restart",
    "table of 2",
    "table of 3",
    "table of 4",
    "game: azul",
    "game: summer pavilion",
    "clock: bullet",
    "clock: blitz",
    "clock: rapid",
    "forfeit: 2 seats, the end",
    "forfeit: 3-4 seats, the house plays on",
    "forfeit: the last one left wins",
    "fault: crash before the write",
    "fault: crash after the write",
    "fault: unknown, written",
    "fault: unknown, not written",
    "fault: crash in between",
    "fault: taken over",
    "fault: fenced at a commit",
    "fault: fenced at a renewal",
    "fault: slow commit",
    "fault: very slow commit",
    "fault: wall clock forward",
    "fault: wall clock back",
    "net: request lost",
    "net: request doubled",
    "net: answer lost",
    "net: connection cut",
    "bot: paused",
    "bot: resumed",
    "bot: vanished",
    "bot: new version",
    "session: resumed with a match",
    "session: resumed with a turn",
    "session: resumed with a start",
    "session: resumed with ends",
    "session: replaced",
    "answer: accepted",
    "answer: accepted again",
    "answer: STALE_TURN",
    "answer: NOT_YOUR_TURN",
    "answer: ILLEGAL_MOVE",
    "answer: OUT_OF_TIME",
    "answer: FORFEITED",
    "answer: MATCH_NOT_BEGUN",
    "answer: NO_SUCH_MATCH",
    "answer: NOT_SEATED",
    "answer: OTHER_NONCE",
    "answer: REPLACED",
    "clock: lag credited",
    "clock: fetched late",
    "clock: never fetched",
    "house: thought",
    "organiser: voided",
];

#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub(crate) fn add(&mut self, what: &str) {
        self.add_many(what, 1);
    }

    pub(crate) fn add_many(&mut self, what: &str, times: u64) {
        if let Some(count) = self.0.get_mut(what) {
            *count += times;
        } else {
            self.0.insert(what.to_owned(), times);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (what, count) in &other.0 {
            self.add_many(what, *count);
        }
    }

    /// What never happened.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        REQUIRED.iter().copied().filter(|what| !self.0.contains_key(*what)).collect()
    }

    pub(crate) fn table(&self) -> String {
        let line = |(what, count): (&String, &u64)| format!("{count:>10}  {what}");
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
