//! What a seat says, and what comes of it.

use std::time::Duration;

use azulejo_engine::{EngineError, HouseBot, Move, Table};

use super::{Event, Happening, ILLEGAL_TRIES, Match, Phase, Refused, SeatState, TurnClock, fold};
use crate::moment::{Now, Time, Wall};
use crate::record::{Bytes32, EndReason, House, Receipt, RefusedMove, Seat};

/// What a seat answered: the move, if it can be read, and the answer as it was sent.
#[derive(Clone, Debug)]
pub struct Answered {
    pub action: Result<Move, EngineError>,
    /// The field that named the move.
    pub field: &'static str,
    pub sent: String,
}

/// A seat's decision.
#[derive(Clone, Copy, Debug)]
pub struct Submission {
    pub seat: usize,
    pub turn: u32,
    /// When it arrived.
    pub received: Time,
    pub round_trip: Duration,
}

impl Match {
    /// A seat will play. The last one starts the game.
    pub fn ready(
        &mut self,
        seat: usize,
        nonce: Bytes32,
        now: Now,
    ) -> Result<Vec<Happening>, Refused> {
        match (&self.phase, self.seats[seat].nonce) {
            (Phase::Ended(_) | Phase::Voided { .. }, _) => return Err(Refused::Over),
            (_, Some(said)) if said == nonce => return Ok(Vec::new()),
            (_, Some(_)) => return Err(Refused::OtherNonce),
            (Phase::Playing | Phase::Gathering { .. }, None) => {}
        }
        let mut happenings = Vec::new();
        self.happen(Event::Ready { seat, nonce }, &mut happenings);
        if (0..self.seats.len()).all(|seat| self.is_ready(seat)) {
            let (_, deals) = self.first_deal();
            self.happen(Event::Started { deals }, &mut happenings);
            self.go_on(now, &mut happenings);
        }
        Ok(happenings)
    }

    /// A seat decides. `read` makes a move out of the answer. A refusal may have consequences:
    /// what happened is in the list either way.
    pub fn submit(
        &mut self,
        submission: Submission,
        read: impl FnOnce(&Table) -> Answered,
        now: Now,
        happenings: &mut Vec<Happening>,
    ) -> Result<Receipt, Refused> {
        let Submission { seat, turn, received, round_trip } = submission;
        let table = *self.table().ok_or_else(|| self.without_game())?;
        let answered = read(&table);
        if let Some(receipt) = self.accepted_receipt(seat, turn, answered.action.as_ref().ok())? {
            return Ok(receipt);
        }
        self.check_turn(seat, turn)?;
        // Whoever answers a turn has it, however it came by it.
        self.fetched(turn, received);
        // Whoever knows the turn before it was told, as after a restart, decides at once.
        let began = self.began().unwrap_or(received);
        let measured = received.since(began);
        let mut clock = self.seats[seat].clock;
        let Some(receipt) = clock.charge(measured, round_trip) else {
            self.forfeit(seat, EndReason::OutOfTime, now, happenings);
            return Err(Refused::OutOfTime);
        };
        let Answered { action, field, sent } = answered;
        let action = match action.and_then(|action| table.allows(field, action)) {
            Ok(action) => action,
            Err(problem) => {
                let late = now.time.since(received).as_millis();
                let at = Wall(now.wall.0.saturating_sub(u64::try_from(late).unwrap_or_default()));
                let refused = self.refusal(seat, sent, &problem, at);
                return Err(self.refuse(refused, problem, now, happenings));
            }
        };
        self.decide(seat, action, Some(receipt), happenings);
        self.go_on(now, happenings);
        Ok(receipt)
    }

    /// Why nothing can be decided before the first deal.
    const fn without_game(&self) -> Refused {
        if self.is_over() { Refused::Over } else { Refused::NotBegun }
    }

    /// The receipt of a decision that was accepted before and is submitted again. Another move for
    /// the same turn is refused.
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

    /// Whether it is this turn, and this seat's, and the seat can know of it.
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
        happenings: &mut Vec<Happening>,
    ) -> Refused {
        let seat = refused.seat;
        if !self.is_counted_before(&refused) {
            self.happen(Event::Refused(refused), happenings);
        }
        let tries = self.illegal_tries();
        if tries >= ILLEGAL_TRIES {
            self.forfeit(seat, EndReason::IllegalMoves, now, happenings);
        }
        Refused::Illegal { problem: Box::new(problem), tries }
    }

    /// Whether an answer after a restart of the arena may be one that was counted before, and whose
    /// response was lost: any while the turn was not sent again, and then the same one once more.
    fn is_counted_before(&mut self, refused: &RefusedMove) -> bool {
        let Some(game) = &mut self.game else { return true };
        if game.clock == TurnClock::Waiting {
            return true;
        }
        let same = |last: &RefusedMove| last.turn == refused.turn && last.sent == refused.sent;
        game.known.take() == Some(refused.turn) && self.refused.last().is_some_and(same)
    }

    /// A seat gives up.
    pub fn resign(&mut self, seat: usize, now: Now) -> Result<Vec<Happening>, Refused> {
        if self.is_over() {
            return Err(Refused::Over);
        }
        if self.seats[seat].out.is_some() {
            return Ok(Vec::new());
        }
        let mut happenings = Vec::new();
        match self.phase {
            Phase::Gathering { .. } => self.no_show(&[seat], now, &mut happenings),
            Phase::Playing | Phase::Ended(_) | Phase::Voided { .. } => {
                self.forfeit(seat, EndReason::Resigned, now, &mut happenings);
            }
        }
        Ok(happenings)
    }

    /// A decision of the house for the turn that is due; nothing if it is no longer.
    pub fn house_decided(&mut self, turn: u32, action: Move, now: Now) -> Vec<Happening> {
        let mut happenings = Vec::new();
        if let (Some(seat), true) = (self.due(), self.turn() == turn)
            && self.is_house(seat)
        {
            self.decide(seat, action, None, &mut happenings);
            self.go_on(now, &mut happenings);
        }
        happenings
    }

    fn decide(
        &mut self,
        seat: usize,
        action: Move,
        receipt: Option<Receipt>,
        happenings: &mut Vec<Happening>,
    ) {
        let Some(game) = &self.game else { return };
        let mut after = game.table;
        if after.play(action).is_err() {
            return;
        }
        let deals = fold::deal_all(&mut after, &game.seed, &mut Vec::new());
        let (turn, action) = (game.turn, action.to_string());
        self.happen(Event::Moved { seat, turn, action, receipt, deals }, happenings);
    }

    /// Until a bot's decision is due, or thinking that takes time, or nothing: what the house
    /// decides at once, and the end.
    pub(super) fn go_on(&mut self, now: Now, happenings: &mut Vec<Happening>) {
        while self.phase == Phase::Playing {
            let Some(table) = self.table().copied() else { return };
            if table.is_over() {
                return self.end(now, happenings);
            }
            let Some(seat) = self.due() else { return };
            let Some(bot) = self.house_at_once(seat) else { return };
            let Some(action) = table.choose(bot, u64::from(self.turn())) else { return };
            let before = self.turn();
            self.decide(seat, action, None, happenings);
            if self.turn() == before {
                return;
            }
        }
    }

    /// Which house bot plays the seat, if it decides at once.
    fn house_at_once(&self, seat: usize) -> Option<HouseBot> {
        match &self.spec.seats[seat] {
            Seat::House(House(bot @ (HouseBot::Random | HouseBot::Greedy))) => Some(*bot),
            Seat::House(House(HouseBot::Strong { .. })) => None,
            // The house policy for those who are out: pinned, and the same on every machine.
            Seat::Remote(_) => self.seats[seat].out.map(|_| HouseBot::Greedy),
        }
    }

    /// Which house bot has to think about the turn that is due.
    #[must_use]
    pub fn thinker(&self) -> Option<HouseBot> {
        match &self.spec.seats[self.due()?] {
            Seat::House(House(bot @ HouseBot::Strong { .. })) => Some(*bot),
            Seat::House(House(HouseBot::Random | HouseBot::Greedy)) | Seat::Remote(_) => None,
        }
    }

    /// When the turn that is due began to cost time.
    pub(super) fn began(&self) -> Option<Time> {
        match self.game.as_ref()?.clock {
            TurnClock::Waiting => None,
            TurnClock::Told { at } => Some(at.after(self.seats[self.due()?].clock.patience())),
            TurnClock::Fetched { at } => Some(at),
        }
    }
}
