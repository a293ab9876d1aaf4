//! What seats do: say that they are ready, submit moves, resign.

use std::time::Duration;

use azulejo_engine::{EngineError, HouseBot, Move, Table};

use super::{Change, Event, ILLEGAL_TRIES, MadeMove, Match, Phase, Refused, SeatState, TurnClock};
use crate::record::{Bytes32, EndReason, House, Receipt, RefusedMove, Seat};
use crate::time::{Now, Time, Wall};

/// A submitted move: the move, if it can be read, and the text as it was sent.
#[derive(Clone, Debug)]
pub struct Answered {
    pub action: Result<Move, EngineError>,
    /// The field that named the move.
    pub field: &'static str,
    pub sent: String,
}

/// Which turn of which seat a move was submitted for.
#[derive(Clone, Copy, Debug)]
pub struct Submission {
    pub seat: usize,
    pub turn: u32,
    /// When it arrived.
    pub received: Time,
    pub round_trip: Duration,
}

impl Match {
    /// A seat is ready. The last one starts the game.
    pub fn ready(&mut self, seat: usize, nonce: Bytes32, now: Now) -> Result<Vec<Change>, Refused> {
        match (&self.phase, self.seats[seat].nonce) {
            (Phase::Ended(_) | Phase::Voided { .. }, _) => return Err(Refused::Over),
            (_, Some(known)) if known == nonce => return Ok(Vec::new()),
            (_, Some(_)) => return Err(Refused::OtherNonce),
            (Phase::Playing | Phase::Gathering { .. }, None) => {}
        }
        let mut changes = Vec::new();
        self.record(Event::Ready { seat, nonce }, &mut changes);
        if (0..self.seats.len()).all(|seat| self.is_ready(seat)) {
            self.record_start(&mut changes);
            self.advance(now, &mut changes);
        }
        Ok(changes)
    }

    /// A seat submits a move, which `read` parses. A refusal may have consequences: `changes` has
    /// them either way.
    pub fn submit(
        &mut self,
        submission: Submission,
        read: impl FnOnce(&Table) -> Answered,
        now: Now,
        changes: &mut Vec<Change>,
    ) -> Result<Receipt, Refused> {
        let Submission { seat, turn, received, round_trip } = submission;
        let answered = read(self.table().ok_or_else(|| self.without_game())?);
        if let Some(receipt) = self.accepted_receipt(seat, turn, answered.action.as_ref().ok())? {
            return Ok(receipt);
        }
        self.check_turn(seat, turn)?;
        // A bot that answers a turn has received it.
        self.turn_fetched(turn, received);
        // The clock may not have started: the bot knows the turn from before a restart of the arena.
        let started = self.clock_started().unwrap_or(received);
        let measured = received.since(started);
        let mut clock = self.seats[seat].clock;
        let Some(receipt) = clock.charge(measured, round_trip) else {
            self.forfeit(seat, EndReason::OutOfTime, now, changes);
            return Err(Refused::OutOfTime);
        };
        let Answered { action, field, sent } = answered;
        let played = action.and_then(|action| {
            let made = MadeMove { seat, action, receipt: Some(receipt) };
            let played = self.record_move(made, changes);
            played.map_err(|refusal| EngineError::IllegalMove { by: field, refusal })
        });
        if let Err(problem) = played {
            let late = now.time.since(received).as_millis();
            let at = Wall(now.wall.0.saturating_sub(u64::try_from(late).unwrap_or_default()));
            let refused = self.refusal(seat, sent, &problem, at);
            return Err(self.refuse(refused, problem, now, changes));
        }
        self.advance(now, changes);
        Ok(receipt)
    }

    /// Why no move is possible before the first deal.
    const fn without_game(&self) -> Refused {
        if self.is_over() { Refused::Over } else { Refused::NotBegun }
    }

    /// The receipt of an accepted move that is submitted again. Another move for the same turn is
    /// refused.
    pub(crate) fn accepted_receipt(
        &self,
        seat: usize,
        turn: u32,
        action: Option<&Move>,
    ) -> Result<Option<Receipt>, Refused> {
        let SeatState { last, out, .. } = &self.seats[seat];
        if let Some((_, accepted, receipt)) = last.filter(|(known, ..)| *known == turn) {
            if action == Some(&accepted) {
                return Ok(Some(receipt));
            }
            let action_id = self.table().and_then(|table| table.action_id(accepted));
            let action_id = action_id.unwrap_or_default();
            return Err(Refused::OtherMove { turn, accepted, action_id });
        }
        match out {
            Some(EndReason::OutOfTime) => Err(Refused::OutOfTime),
            Some(_) => Err(Refused::Out),
            None if self.is_over() => Err(Refused::Over),
            None => Ok(None),
        }
    }

    /// Whether this turn is due, belongs to this seat, and was sent to it.
    fn check_turn(&self, seat: usize, turn: u32) -> Result<(), Refused> {
        let Some(game) = &self.game else { return Err(Refused::NotBegun) };
        let stale = Refused::StaleTurn { asked: turn, due: game.turn };
        if game.turn != turn {
            return Err(stale);
        }
        match self.due() {
            Some(due) if due == seat && game.known == Some(turn) => Ok(()),
            Some(due) if due == seat && game.clock == TurnClock::Waiting => Err(stale),
            Some(due) if due == seat => Ok(()),
            Some(due) => Err(Refused::NotYourTurn { due }),
            None => Err(Refused::Over),
        }
    }

    fn refusal(&self, seat: usize, sent: String, problem: &EngineError, at: Wall) -> RefusedMove {
        RefusedMove {
            seat,
            turn: self.turn(),
            sent,
            reason: problem.reason().to_owned(),
            rule: problem.rule().map(str::to_owned),
            message: problem.to_string(),
            at,
        }
    }

    fn refuse(
        &mut self,
        refused: RefusedMove,
        problem: EngineError,
        now: Now,
        changes: &mut Vec<Change>,
    ) -> Refused {
        let seat = refused.seat;
        if !self.is_counted_before(&refused) {
            self.record(Event::Refused(refused), changes);
        }
        let tries = self.illegal_tries();
        if tries >= ILLEGAL_TRIES {
            self.forfeit(seat, EndReason::IllegalMoves, now, changes);
        }
        Refused::Illegal { problem: Box::new(problem), tries }
    }

    /// Whether an illegal move after a restart of the arena may have been counted before, with its
    /// response lost: any until the turn is sent again, and then the same one once more.
    fn is_counted_before(&mut self, refused: &RefusedMove) -> bool {
        let Some(game) = &mut self.game else { return true };
        if game.clock == TurnClock::Waiting {
            return true;
        }
        let same = |last: &RefusedMove| last.turn == refused.turn && last.sent == refused.sent;
        game.known.take() == Some(refused.turn) && self.refused.last().is_some_and(same)
    }

    /// A seat resigns.
    pub fn resign(&mut self, seat: usize, now: Now) -> Result<Vec<Change>, Refused> {
        if self.is_over() {
            return Err(Refused::Over);
        }
        if self.seats[seat].out.is_some() {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        match self.phase {
            Phase::Gathering { .. } => self.no_show(&[seat], now, &mut changes),
            Phase::Playing | Phase::Ended(_) | Phase::Voided { .. } => {
                self.forfeit(seat, EndReason::Resigned, now, &mut changes);
            }
        }
        Ok(changes)
    }

    /// The server's move for a turn; ignored if that turn is no longer due.
    pub fn house_decided(&mut self, turn: u32, action: Move, now: Now) -> Vec<Change> {
        let mut changes = Vec::new();
        if let (Some(seat), true) = (self.due(), self.turn() == turn)
            && self.is_house(seat)
            && self.record_move(MadeMove { seat, action, receipt: None }, &mut changes).is_ok()
        {
            self.advance(now, &mut changes);
        }
        changes
    }

    /// Makes the server's moves that take no time, until it is a bot's turn, a search has to run, or
    /// the game is over.
    pub(super) fn advance(&mut self, now: Now, changes: &mut Vec<Change>) {
        while self.phase == Phase::Playing {
            let Some(table) = self.table() else { return };
            if table.is_over() {
                return self.end(now, changes);
            }
            let Some(seat) = self.due() else { return };
            let Some(bot) = self.instant_house_bot(seat) else { return };
            let Some(action) = table.choose(bot, u64::from(self.turn())) else { return };
            if self.record_move(MadeMove { seat, action, receipt: None }, changes).is_err() {
                return;
            }
        }
    }

    /// The house bot of a seat, if it needs no search.
    fn instant_house_bot(&self, seat: usize) -> Option<HouseBot> {
        match &self.spec.seats[seat] {
            Seat::House(House(bot @ (HouseBot::Random | HouseBot::Greedy))) => Some(*bot),
            Seat::House(House(HouseBot::Strong { .. })) => None,
            // For a seat that has forfeited the server plays on, always with the same bot.
            Seat::Remote(_) => self.seats[seat].out.map(|_| HouseBot::Greedy),
        }
    }

    /// The house bot that has to search for the turn that is due.
    #[must_use]
    pub fn searching_bot(&self) -> Option<HouseBot> {
        match &self.spec.seats[self.due()?] {
            Seat::House(House(bot @ HouseBot::Strong { .. })) => Some(*bot),
            Seat::House(House(HouseBot::Random | HouseBot::Greedy)) | Seat::Remote(_) => None,
        }
    }

    /// When the clock of the turn that is due started.
    pub(super) fn clock_started(&self) -> Option<Time> {
        match self.game.as_ref()?.clock {
            TurnClock::Waiting => None,
            TurnClock::Sent { at } => Some(at.after(self.seats[self.due()?].clock.free_wait())),
            TurnClock::Fetched { at } => Some(at),
        }
    }
}
