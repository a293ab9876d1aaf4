//! One match, without an arena.

use std::time::Duration;

use azulejo_arena::match_run::{Answered, Change, Match, Presence, Refused, Submission};
use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::pool::Pool;
use azulejo_arena::record::{Bytes32, EndReason, Event, Origin, Receipt, Seat, Spec};
use azulejo_arena::time::{Now, Time, Wall};
use azulejo_engine::{EngineError, HouseBot, Move, Table};

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const fn at(millis: u64) -> Now {
    Now { time: Time(ms(millis)), wall: Wall(millis) }
}

pub(crate) const fn nonce(seat: usize) -> Bytes32 {
    #[expect(clippy::cast_possible_truncation, reason = "a handful of seats")]
    Bytes32([seat as u8 + 1; 32])
}

/// A match of remote seats.
pub(crate) struct Play {
    pub(crate) run: Match,
    pub(crate) events: Vec<Event>,
    pub(crate) round_trip: Duration,
}

impl Play {
    /// The seats are called at 0.
    pub(crate) fn call(pool: &str) -> Self {
        let pool: Pool = pool.parse().unwrap();
        let seat = |index: usize| {
            let bot = format!("owner{index}/bot").parse().unwrap();
            Seat::Remote(Player { bot, version: "1".parse().unwrap() })
        };
        let id = MatchId::from_random([7; 16]);
        let seats = (0..pool.players()).map(seat).collect();
        let (origin, called) = (Origin::Ladder, Wall(0));
        let spec = Spec {
            block: id.clone(),
            id,
            pool,
            seats,
            origin,
            called,
            why: String::new(),
            seat_reasons: Vec::new(),
            request: None,
        };
        let run = Match::call(spec, Bytes32([9; 32]), at(0).time);
        Self { run, events: Vec::new(), round_trip: Duration::ZERO }
    }

    /// Everyone is ready, and the first turn has left the server, all at 0.
    pub(crate) fn begun(pool: &str) -> Self {
        let mut play = Self::call(pool);
        for seat in 0..play.run.spec().seats.len() {
            play.ready(seat, nonce(seat), 0).unwrap();
        }
        play.turn_leaves(0);
        play
    }

    pub(crate) fn take(&mut self, changes: Vec<Change>) {
        self.events.extend(changes.into_iter().map(|change| change.event));
    }

    pub(crate) fn ready(&mut self, seat: usize, nonce: Bytes32, now: u64) -> Result<(), Refused> {
        let changes = self.run.ready(seat, nonce, at(now))?;
        self.take(changes);
        Ok(())
    }

    /// The turn that is due is sent and fetched.
    pub(crate) fn turn_leaves(&mut self, now: u64) {
        let turn = self.run.turn();
        self.run.turn_sent(turn, at(now).time);
        self.run.turn_fetched(turn, at(now).time);
    }

    pub(crate) fn due(&self) -> usize {
        self.run.due().unwrap()
    }

    /// A seat submits a decision for a turn.
    pub(crate) fn say(
        &mut self,
        seat: usize,
        turn: u32,
        read: impl FnOnce(&Table) -> Result<Move, EngineError>,
        now: u64,
    ) -> Result<Receipt, Refused> {
        let received = at(now).time;
        let submission = Submission { seat, turn, received, round_trip: self.round_trip };
        let mut changes = Vec::new();
        let read = |table: &Table| Answered {
            action: read(table),
            field: "move",
            sent: "sent".to_owned(),
        };
        let said = self.run.submit(submission, read, at(now), &mut changes);
        self.take(changes);
        said
    }

    /// The bot whose turn it is makes a legal move.
    pub(crate) fn moves(&mut self, now: u64) -> Result<Receipt, Refused> {
        let (seat, turn) = (self.due(), self.run.turn());
        self.say(seat, turn, legal, now)
    }

    /// The bot whose turn it is submits an illegal move.
    pub(crate) fn errs(&mut self, now: u64) -> Result<Receipt, Refused> {
        let (seat, turn) = (self.due(), self.run.turn());
        self.say(seat, turn, |table| table.action(u32::MAX), now)
    }

    pub(crate) fn resign(&mut self, seat: usize, now: u64) -> Result<(), Refused> {
        let changes = self.run.resign(seat, at(now))?;
        self.take(changes);
        Ok(())
    }

    /// A tick at this time; `heard` is when each seat last sent something.
    pub(crate) fn tick(&mut self, now: u64, heard: &[u64]) {
        let round_trip = self.round_trip;
        let presence =
            |&heard| Presence { heard: at(heard).time, round_trip, ..Presence::default() };
        let presence: Vec<Presence> = heard.iter().map(presence).collect();
        let changes = self.run.tick(at(now), &presence);
        self.take(changes);
    }

    pub(crate) fn reasons(&self) -> Vec<EndReason> {
        self.run.ends().iter().map(|end| end.reason).collect()
    }

    pub(crate) fn placements(&self) -> Vec<u8> {
        self.run.ends().iter().map(|end| end.placement).collect()
    }

    /// Plays greedily to the end; no time passes.
    pub(crate) fn finish(&mut self, now: u64) {
        while !self.run.is_over() {
            self.turn_leaves(now);
            self.moves(now).unwrap();
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a reader of decisions may fail")]
pub(crate) fn legal(table: &Table) -> Result<Move, EngineError> {
    Ok(table.choose(HouseBot::Greedy, 1).unwrap())
}
