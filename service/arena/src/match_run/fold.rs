//! What an event makes of a match: the only place where its state changes.

use azulejo_engine::{Event as GameEvent, Move, Step, Table, fairness};
use thiserror::Error;

use super::{Game, Happening, Match, Phase, Played, TurnClock};
use crate::moment::Time;
use crate::record::{Event, Receipt};
use crate::store::SavedMatch;

/// Events that no match can have had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("match {id}, event {seq}: {problem}")]
pub struct Corrupt {
    pub id: crate::names::MatchId,
    pub seq: u32,
    pub problem: &'static str,
}

impl Match {
    /// A match as it was left. Whatever was due is due again; nobody is charged for the time
    /// between.
    pub fn replay(saved: &SavedMatch, now: Time) -> Result<Self, Corrupt> {
        let mut run = Self::call(saved.spec.clone(), saved.secret, now);
        for event in &saved.events {
            run.fold(event)?;
        }
        if let Some(game) = &mut run.game {
            game.known = Some(game.turn);
        }
        Ok(run)
    }

    /// Takes in an event; one that cannot have happened changes nothing.
    pub(super) fn fold(&mut self, event: &Event) -> Result<Option<Played>, Corrupt> {
        let folded = self.take_in(event);
        let folded = folded.map_err(|problem| Corrupt {
            id: self.spec.id.clone(),
            seq: self.seq,
            problem,
        })?;
        self.seq += 1;
        Ok(folded)
    }

    fn take_in(&mut self, event: &Event) -> Result<Option<Played>, &'static str> {
        if self.is_over() {
            return Err("the match is over");
        }
        match event {
            Event::Ready { seat, nonce } => {
                self.seats.get_mut(*seat).ok_or("there is no such seat")?.nonce = Some(*nonce);
            }
            Event::Started { deals } => {
                let (game, dealt) = self.first_deal();
                if dealt != *deals {
                    return Err("the seed deals something else");
                }
                (self.game, self.phase) = (Some(game), Phase::Playing);
            }
            Event::Moved { seat, turn, action, receipt, deals } => {
                return self.take_move(*seat, *turn, action, *receipt, deals).map(Some);
            }
            Event::Refused(refused) => {
                let due = self.due() == Some(refused.seat) && self.turn() == refused.turn;
                let game =
                    self.game.as_mut().filter(|_| due).ok_or("it is not this seat's turn")?;
                game.illegal_tries += 1;
                self.refused.push(refused.clone());
            }
            Event::Forfeited { seat, reason, .. } => {
                let due = self.due() == Some(*seat);
                self.seats.get_mut(*seat).ok_or("there is no such seat")?.out = Some(*reason);
                if let Some(game) = self.game.as_mut().filter(|_| due) {
                    game.illegal_tries = 0;
                }
            }
            Event::Ended { seats, .. } => self.phase = Phase::Ended(seats.clone()),
            Event::Voided { seats, why, .. } => {
                self.phase = Phase::Voided { reasons: seats.clone(), why: why.clone() };
            }
        }
        Ok(None)
    }

    /// The game with its first displays filled.
    pub(super) fn first_deal(&self) -> (Game, Vec<String>) {
        let seed = fairness::seed(self.spec.id.as_str(), &self.secret, &self.nonces());
        let mut table = Table::start(self.spec.pool.ruleset);
        let mut events = Vec::new();
        let deals = deal_all(&mut table, &seed, &mut events);
        let clock = TurnClock::Waiting;
        let steps = count(&deals);
        (Game { seed, table, turn: 0, clock, steps, illegal_tries: 0, known: None }, deals)
    }

    fn take_move(
        &mut self,
        seat: usize,
        turn: u32,
        action: &str,
        receipt: Option<Receipt>,
        deals: &[String],
    ) -> Result<Played, &'static str> {
        let Some(game) = &mut self.game else { return Err("nothing is dealt yet") };
        if game.turn != turn || game.table.to_move().map(azulejo_engine::Seat::index) != Some(seat)
        {
            return Err("it is not this seat's turn");
        }
        let (before, mut after) = (game.table, game.table);
        let action: Move = before.read_move(action).map_err(|_| "the move cannot be read")?;
        let mut events = after.play(action).map_err(|_| "the move is illegal")?;
        if deal_all(&mut after, &game.seed, &mut events) != deals {
            return Err("the seed deals something else");
        }
        let step = game.steps + 1;
        game.table = after;
        game.turn += 1;
        game.steps = step + count(deals);
        (game.clock, game.illegal_tries) = (TurnClock::Waiting, 0);
        if let Some(receipt) = receipt {
            self.seats[seat].clock.punch(&receipt);
            self.seats[seat].last = Some((turn, action, receipt));
        }
        Ok(Played { seat, turn, step, before, after, action, events, receipt })
    }

    /// Lets something happen: it is folded in, and to be written down. What does not fold could
    /// not have happened; it is left out.
    pub(super) fn happen(&mut self, event: Event, happenings: &mut Vec<Happening>) {
        let seq = self.seq;
        if let Ok(played) = self.fold(&event) {
            happenings.push(Happening { seq, event, played });
        }
    }
}

fn count(deals: &[String]) -> u32 {
    u32::try_from(deals.len()).unwrap_or(u32::MAX)
}

/// Fills every display that waits, and says how in the notation of the rules.
pub(super) fn deal_all(
    table: &mut Table,
    seed: &azulejo_engine::Seed,
    events: &mut Vec<GameEvent>,
) -> Vec<String> {
    let mut deals = Vec::new();
    while table.awaits_deal() {
        let dealt = table.deal(seed);
        deals
            .extend(dealt.iter().filter_map(GameEvent::as_deal).map(|step: Step| step.to_string()));
        events.extend(dealt);
    }
    deals
}
