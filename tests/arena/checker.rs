//! Checks what an arena writes: whether it may, and whether it must.

use std::collections::BTreeMap;
use std::time::Duration;

use azulejo_arena::clock::credit_per_move;
use azulejo_arena::match_run::{ABSENCE, GATHERING, ILLEGAL_TRIES};
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::{EndReason, Event, Receipt};
use azulejo_arena::store::Write;

use crate::observed::{Announced, Observed, Said};
use crate::shadow::Shadow;
use crate::store::SimStore;
use crate::world::{At, MS};

/// How late a decision of the arena may be: a little more than two ticks.
const LATE: At = 101 * MS;

#[derive(Default)]
pub(crate) struct Checker {
    pub(crate) shadows: BTreeMap<MatchId, Shadow>,
    /// By arena.
    pub(crate) observed: Vec<Observed>,
    /// The last event of each session.
    pub(crate) streams: BTreeMap<(usize, BotId, u64), u64>,
    pub(crate) commitments: BTreeMap<MatchId, Vec<u8>>,
    /// When matches ended.
    pub(crate) over: BTreeMap<MatchId, At>,
    pub(crate) scanned: u64,
}

/// A decision to be checked.
struct Case<'a> {
    observed: &'a Observed,
    shadow: &'a Shadow,
    now: At,
    /// Refused answers to the turn that is due, this one included.
    refused: usize,
}

impl Checker {
    pub(crate) fn running(&self) -> impl Iterator<Item = &MatchId> {
        self.shadows.iter().filter(|(_, shadow)| shadow.over.is_none()).map(|(id, _)| id)
    }

    pub(crate) fn seat_of(&self, id: &MatchId, bot: &BotId) -> Option<usize> {
        self.shadows.get(id)?.seat_of(bot)
    }

    /// Checks the writes of the arena that owns the store.
    pub(crate) fn proposed(
        &self,
        server: usize,
        writes: &[Write],
        ticked: bool,
        now: At,
        store: &SimStore,
    ) {
        let observed = &self.observed[server];
        let mut touched: Vec<&MatchId> = Vec::new();
        let mut refused_here: BTreeMap<(&MatchId, u32), usize> = BTreeMap::new();
        for write in writes {
            if let Write::Event { id, event, .. } = write {
                touched.push(id);
                if let Event::Refused(refused) = event {
                    *refused_here.entry((id, refused.turn)).or_default() += 1;
                }
                if let Some(shadow) = self.shadows.get(id) {
                    let here = refused_here.get(&(id, shadow.turn())).copied();
                    let refused = shadow.refused_now() + here.unwrap_or_default();
                    Case { observed, shadow, now, refused }.check(event);
                }
            }
        }
        if writes.iter().any(|write| matches!(write, Write::Match { .. })) {
            self.tables(observed, writes, store);
        }
        let running = self.shadows.iter().filter(|(_, shadow)| shadow.over.is_none());
        for (_, shadow) in running.filter(|(id, _)| ticked && !touched.contains(id)) {
            let refused = shadow.refused_now();
            Case { observed, shadow, now, refused }.nothing_is_overdue();
        }
    }
}

impl Case<'_> {
    fn check(&self, event: &Event) {
        match event {
            Event::Moved { seat, turn, receipt: Some(receipt), .. } => {
                self.cost(*seat, *turn, receipt);
            }
            Event::Refused(refused) => {
                let wrong = self.said(refused.turn).iter().any(|said| !said.legal);
                assert!(wrong, "{refused:?}: nothing wrong was submitted");
            }
            Event::Forfeited { seat, turn, reason } => self.forfeit(*seat, *turn, *reason),
            Event::Voided { seats, .. } => self.void(seats),
            Event::Ready { .. }
            | Event::Started { .. }
            | Event::Moved { receipt: None, .. }
            | Event::Ended { .. } => {}
        }
    }

    fn announced(&self, turn: u32) -> Option<Announced> {
        self.observed.turns.get(&(self.shadow.spec.id.clone(), turn)).cloned()
    }

    /// Answers to the turn that is due, handled after it was announced. Answers of other bots do
    /// not count.
    fn said(&self, turn: u32) -> Vec<Said> {
        let Some(Announced { after, .. }) = self.announced(turn) else { return Vec::new() };
        let said = self.observed.said.get(&(self.shadow.spec.id.clone(), turn));
        let due = self.shadow.due().and_then(|seat| self.shadow.bot(seat));
        let counts = |said: &&Said| said.after > after && Some(&said.bot) == due;
        said.into_iter().flatten().filter(counts).cloned().collect()
    }

    /// A decision costs the time from sending the turn to receiving the decision, and nothing that
    /// the server did before or after.
    fn cost(&self, seat: usize, turn: u32, receipt: &Receipt) {
        let Some(announced) = self.announced(turn) else {
            assert_eq!(receipt.measured, Duration::ZERO, "a turn that was not announced is free");
            return;
        };
        let fits = |said: &Said| {
            let took = said.received.saturating_sub(announced.began());
            said.legal && Duration::from_micros(took) == receipt.measured
        };
        assert!(self.said(turn).iter().any(fits), "measured: {receipt:?}, {announced:?}");
        let lag = credit_per_move(self.shadow.spec.pool.time_class);
        let most = lag.min(self.shadow.credit[seat]).min(receipt.measured);
        assert!(receipt.credited <= most, "credited too much: {receipt:?}");
    }

    fn forfeit(&self, seat: usize, turn: u32, reason: EndReason) {
        let bot = self.shadow.bot(seat).unwrap();
        let who = format!("{bot} in {} at turn {turn}", self.shadow.spec.id);
        match reason {
            EndReason::OutOfTime => {
                let announced = self.announced(turn).expect("the turn was not announced");
                let had = Duration::from_micros(self.now.saturating_sub(announced.began()));
                let left = self.shadow.left[seat];
                assert!(had > left, "{who} still had time: {had:?} of {left:?}");
                let in_time = |said: &Said| {
                    let took = said.received.saturating_sub(announced.began());
                    said.legal && Duration::from_micros(took) <= left
                };
                assert!(!self.said(turn).iter().any(in_time), "{who} answered in time");
            }
            EndReason::IllegalMoves => {
                let wrong = self.refused;
                assert_eq!(wrong, ILLEGAL_TRIES as usize, "{who}: {wrong} wrong answers");
            }
            EndReason::Gone => {
                let heard = self.observed.heard.get(bot).map_or(0, |(surely, _)| *surely);
                let silent = Duration::from_micros(self.now - heard.max(self.observed.floor));
                assert!(silent > ABSENCE, "{who} sent something {silent:?} ago");
            }
            EndReason::Resigned => assert!(self.resigned(seat), "{who} never resigned"),
            EndReason::Finished
            | EndReason::NoShow
            | EndReason::CalledOff
            | EndReason::ServerError => panic!("{who}: {reason:?} is not a forfeit"),
        }
    }

    fn resigned(&self, seat: usize) -> bool {
        let bot = self.shadow.bot(seat).unwrap().clone();
        self.observed.resigned.contains(&(self.shadow.spec.id.clone(), bot))
    }

    fn void(&self, reasons: &[EndReason]) {
        let id = &self.shadow.spec.id;
        let called_off = self.observed.voided.contains(id);
        for (seat, reason) in reasons.iter().enumerate() {
            match reason {
                EndReason::NoShow => {
                    let bot = self.shadow.bot(seat).expect("the house is always there");
                    let waited = Duration::from_micros(self.now - self.observed.asked(id));
                    let ready = self.observed.ready.contains(&(id.clone(), bot.clone()));
                    let late = !ready && waited > GATHERING;
                    assert!(late || self.resigned(seat), "{bot} still had time to be ready");
                }
                EndReason::CalledOff => {
                    assert!(called_off || reasons.contains(&EndReason::NoShow));
                }
                other => panic!("a match was voided because of {other:?}"),
            }
        }
    }

    /// After a tick: every bot that had to forfeit has forfeited.
    fn nothing_is_overdue(&self) {
        let id = &self.shadow.spec.id;
        if self.shadow.is_gathering() {
            let waited = self.now - self.observed.asked(id);
            assert!(waited <= micros(GATHERING) + LATE, "{id} still waits");
            return;
        }
        if let Some(seat) = self.shadow.due().filter(|&seat| self.shadow.plays(seat))
            && let Some(announced) = self.announced(self.shadow.turn())
        {
            let had = self.now.saturating_sub(announced.began());
            let lag = credit_per_move(self.shadow.spec.pool.time_class);
            let most = micros(self.shadow.left[seat] + lag);
            assert!(had <= most + LATE, "{id}: seat {seat} should be out of time");
            let wrong = self.said(self.shadow.turn()).iter().filter(|said| !said.legal).count();
            assert!(wrong < ILLEGAL_TRIES as usize, "{id}: seat {seat} was wrong {wrong} times");
        }
        for seat in (0..self.shadow.out.len()).filter(|&seat| self.shadow.plays(seat)) {
            let bot = self.shadow.bot(seat).unwrap();
            let heard = self.observed.heard.get(bot).map_or(0, |(_, at_most)| *at_most);
            let silent = self.now - heard.max(self.observed.floor);
            assert!(silent <= micros(ABSENCE) + LATE, "{id}: {bot} should be gone");
        }
    }
}

fn micros(time: Duration) -> At {
    At::try_from(time.as_micros()).unwrap()
}
