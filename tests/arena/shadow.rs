//! A match computed a second time, from its durable events.

use std::time::Duration;

use azulejo_arena::clock::credit_per_match;
use azulejo_arena::names::BotId;
use azulejo_arena::record::{Bytes32, EndReason, Event, Receipt, Seat, SeatEnd, Spec};
use azulejo_engine::{Event as GameEvent, HouseBot, Seed, Table, fairness};

use crate::store::player_of;

#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    pub(crate) spec: Spec,
    pub(crate) secret: Bytes32,
    pub(crate) nonces: Vec<Option<Bytes32>>,
    seed: Option<Seed>,
    /// The position before each decision, and the last one.
    pub(crate) tables: Vec<Table>,
    /// The decisions: seat, notation, cost.
    pub(crate) moves: Vec<(usize, String, Option<Receipt>)>,
    /// Answers that were refused: seat and turn.
    pub(crate) refused: Vec<(usize, u32)>,
    pub(crate) left: Vec<Duration>,
    pub(crate) credit: Vec<Duration>,
    pub(crate) out: Vec<Option<EndReason>>,
    pub(crate) over: Option<Vec<SeatEnd>>,
}

impl Shadow {
    pub(crate) fn new(spec: &Spec, secret: &Bytes32) -> Self {
        let seats = spec.seats.len();
        assert_eq!(seats, spec.pool.players());
        Self {
            spec: spec.clone(),
            secret: *secret,
            nonces: vec![None; seats],
            seed: None,
            tables: Vec::new(),
            moves: Vec::new(),
            refused: Vec::new(),
            left: vec![spec.pool.time_class.bank(); seats],
            credit: vec![credit_per_match(spec.pool.time_class); seats],
            out: vec![None; seats],
            over: None,
        }
    }

    pub(crate) fn bot(&self, seat: usize) -> Option<&BotId> {
        player_of(&self.spec.seats[seat]).map(|player| &player.bot)
    }

    pub(crate) fn seat_of(&self, bot: &BotId) -> Option<usize> {
        (0..self.out.len()).find(|&seat| self.bot(seat) == Some(bot))
    }

    pub(crate) fn turn(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap()
    }

    /// Refused answers to the turn that is due.
    pub(crate) fn refused_now(&self) -> usize {
        self.refused.iter().filter(|(_, turn)| *turn == self.turn()).count()
    }

    pub(crate) const fn is_gathering(&self) -> bool {
        self.tables.is_empty() && self.over.is_none()
    }

    pub(crate) const fn is_playing(&self) -> bool {
        !self.tables.is_empty() && self.over.is_none()
    }

    /// Whether a bot plays the seat itself.
    pub(crate) fn plays(&self, seat: usize) -> bool {
        self.bot(seat).is_some() && self.out[seat].is_none()
    }

    /// The seat whose decision is due.
    pub(crate) fn due(&self) -> Option<usize> {
        let table = self.tables.last().filter(|_| self.over.is_none())?;
        table.to_move().map(azulejo_engine::Seat::index)
    }

    pub(crate) fn stays(&self) -> usize {
        self.out.iter().filter(|out| out.is_none()).count()
    }

    pub(crate) fn fold(&mut self, event: &Event) {
        assert!(self.over.is_none(), "nothing happens after the end");
        match event {
            Event::Ready { seat, nonce } => {
                assert!(self.is_gathering() && self.bot(*seat).is_some());
                assert_eq!(self.nonces[*seat].replace(*nonce), None, "ready once");
            }
            Event::Started { deals } => self.start(deals),
            Event::Moved { seat, turn, action, receipt, deals } => {
                assert_eq!(*turn, self.turn(), "decisions are counted without a gap");
                assert_eq!(Some(*seat), self.due(), "it is the turn of this seat");
                self.play(*seat, action, *receipt, deals);
            }
            Event::Refused(refused) => {
                assert!(self.is_playing() && self.plays(refused.seat));
                assert_eq!((Some(refused.seat), refused.turn), (self.due(), self.turn()));
                assert!(refused.sent.chars().count() <= 200 && !refused.reason.is_empty());
                self.refused.push((refused.seat, refused.turn));
            }
            Event::Forfeited { seat, turn, reason } => {
                assert!(self.is_playing() && self.plays(*seat) && reason.is_forfeit());
                assert_eq!(*turn, self.turn());
                self.out[*seat] = Some(*reason);
            }
            Event::Ended { seats, .. } => {
                let over = self.tables.last().unwrap().is_over();
                let alone = (0..self.out.len()).all(|seat| !self.plays(seat));
                assert!(over || alone || self.stays() < 2, "a game is played to its end");
                assert_eq!(*seats, self.placements());
                self.over = Some(seats.clone());
            }
            Event::Voided { seats, .. } => {
                let end = |&reason| SeatEnd { placement: 0, reason, total: 0 };
                self.over = Some(seats.iter().map(end).collect());
            }
        }
    }

    fn start(&mut self, deals: &[String]) {
        let all =
            (0..self.nonces.len()).all(|seat| self.plays(seat) == self.nonces[seat].is_some());
        assert!(all && self.is_gathering(), "every bot is ready, and house seats need not be");
        let seed = fairness::seed(self.spec.id.as_str(), &self.secret, &self.nonces);
        let mut table = Table::start(self.spec.pool.ruleset);
        assert_eq!(deal(&mut table, &seed), deals);
        (self.seed, self.tables) = (Some(seed), vec![table]);
    }

    fn play(&mut self, seat: usize, action: &str, receipt: Option<Receipt>, deals: &[String]) {
        assert_eq!(receipt.is_some(), self.plays(seat), "a bot pays for its own moves");
        let mut table = *self.tables.last().unwrap();
        if self.out[seat].is_some() {
            let policy = table.choose(HouseBot::Greedy, self.turn().into()).unwrap();
            assert_eq!(action, policy.to_string(), "the house policy is pinned");
        }
        if let Some(receipt) = receipt {
            let increment = self.spec.pool.time_class.increment();
            assert_eq!(receipt.charged + receipt.credited, receipt.measured);
            assert_eq!(receipt.left + receipt.charged, self.left[seat] + increment);
            self.left[seat] = receipt.left;
            self.credit[seat] = self.credit[seat].checked_sub(receipt.credited).unwrap();
        }
        table.play(table.read_move(action).unwrap()).unwrap();
        assert_eq!(deal(&mut table, self.seed.as_ref().unwrap()), deals);
        self.tables.push(table);
        self.moves.push((seat, action.to_owned(), receipt));
    }

    /// The seats that stayed are ranked by the game; all others share the last place.
    fn placements(&self) -> Vec<SeatEnd> {
        let score = self.tables.last().unwrap().score();
        let mut order: Vec<usize> = (0..self.out.len()).collect();
        order.retain(|&seat| self.out[seat].is_none());
        order.sort_by_key(|&seat| score.seats[seat].rank);
        let place = |seat: usize| {
            let rank = score.seats[seat].rank;
            let equal = order.iter().position(|&other| score.seats[other].rank == rank);
            if self.out[seat].is_none() { equal.unwrap() } else { order.len() }
        };
        let end = |seat: usize| SeatEnd {
            placement: u8::try_from(place(seat) + 1).unwrap(),
            reason: self.out[seat].unwrap_or(EndReason::Finished),
            total: score.seats[seat].total,
        };
        (0..self.out.len()).map(end).collect()
    }

    pub(crate) fn is_house(&self, seat: usize) -> bool {
        matches!(self.spec.seats[seat], Seat::House(_))
    }
}

fn deal(table: &mut Table, seed: &Seed) -> Vec<String> {
    let mut deals = Vec::new();
    while table.awaits_deal() {
        let dealt = table.deal(seed);
        deals.extend(dealt.iter().filter_map(GameEvent::as_deal).map(|step| step.to_string()));
    }
    deals
}
