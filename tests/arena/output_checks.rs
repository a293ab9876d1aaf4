//! Checks what an arena sends: only what is durable, in order, and no secrets.

use std::time::Duration;

use crate::edge::{Action, Answer, Output, Request, Ticket};
use crate::observed::Patience;
use azulejo_arena::clock::credit_per_move;
use azulejo_arena::match_run::Refused;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::{Event, Receipt};
use azulejo_arena::state::Refusal;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::watch_match_response::Event as Watched;
use prost::Message as _;

use crate::world::{At, World};

/// The last decisions of a match are remembered for this long after its end: ten seconds.
const REMEMBERED: At = 10_000_000;

impl World {
    pub(crate) fn check_outputs(&mut self, server: usize, outputs: &[Output]) {
        for output in outputs {
            match output {
                Output::Answer(Ticket(ticket), answer) => match &**answer {
                    Ok(answer) => self.check_answer(server, *ticket, answer),
                    Err(refusal) => self.check_refusal(server, *ticket, refusal),
                },
                Output::Tell { bot, session, event, ended } => {
                    self.check_order(server, bot, *session, event);
                    self.check_event(server, bot, event.event.as_ref().unwrap(), ended);
                    self.check_secrecy(event);
                }
                Output::Watch { id, event } => self.check_watched(id, event),
                Output::Close { .. } | Output::Think { .. } | Output::Token => {}
            }
        }
    }

    /// What the arena has accepted is in the store.
    fn check_answer(&mut self, server: usize, ticket: u64, answer: &Answer) {
        let call = &self.calls[&ticket];
        let bot = self.bots[call.bot].id.clone();
        match (answer, &call.request) {
            (Answer::Submitted(sent), Request::Submit { id, turn, .. }) => {
                let (id, turn) = (id.clone(), *turn);
                self.check_receipt(server, &bot, (&id, turn), sent);
            }
            (Answer::Ready, Request::Ready { id, nonce, .. }) => {
                let shadow = &self.checker.shadows[id];
                assert_eq!(shadow.nonces[shadow.seat_of(&bot).unwrap()], Some(*nonce));
            }
            (Answer::Resigned, Request::Resign { id, .. }) => {
                let shadow = &self.checker.shadows[id];
                let seat = shadow.seat_of(&bot).unwrap();
                assert!(shadow.over.is_some() || shadow.out[seat].is_some());
            }
            (Answer::Heartbeat(round_trip), _) => {
                assert!(
                    *round_trip <= Duration::from_secs(1),
                    "a round trip counts up to a second"
                );
                self.checker.observed[server].round_trips.insert(bot, *round_trip);
            }
            (Answer::Challenged(message), _) => self.assert_no_secrets(&message.encode_to_vec()),
            _ => {}
        }
    }

    /// A receipt equals the stored one, and credits the round trip.
    fn check_receipt(
        &mut self,
        server: usize,
        bot: &BotId,
        (id, turn): (&MatchId, u32),
        sent: &Receipt,
    ) {
        let shadow = &self.checker.shadows[id];
        let (seat, _, receipt) = &shadow.moves[turn as usize];
        let receipt = receipt.expect("the house asks for no receipt");
        assert_eq!(shadow.bot(*seat), Some(bot));
        assert_eq!(*sent, receipt);
        let observed = &mut self.checker.observed[server];
        let first = observed.accepted.insert((id.clone(), turn));
        if first && observed.decided.contains(&(id.clone(), turn)) {
            let round_trip = observed.round_trips.get(bot).copied().unwrap_or_default();
            let lag = credit_per_move(shadow.spec.pool.time_class);
            let due = round_trip.min(lag).min(shadow.credit[*seat] + receipt.credited);
            assert_eq!(receipt.credited, due.min(receipt.measured), "the credit for the lag");
            self.tally.add(if due.is_zero() { "clock: no lag" } else { "clock: lag credited" });
        }
        self.tally.add(if first { "answer: accepted" } else { "answer: accepted again" });
    }

    /// What was accepted is never refused: a nonce until the match ends, a decision while it is the
    /// last one of its seat and the match ended less than ten seconds ago. After that the server reads
    /// the store, which is not simulated here.
    fn check_refusal(&mut self, server: usize, ticket: u64, refusal: &Refusal) {
        self.tally.add(&format!("answer: {}", refusal.reason()));
        let call = &self.calls[&ticket];
        if let Request::Ready { bot, id, nonce } = &call.request
            && let Some(shadow) =
                self.checker.shadows.get(id).filter(|shadow| shadow.over.is_none())
            && let Some(seat) = shadow.seat_of(bot)
        {
            assert_ne!(
                shadow.nonces[seat],
                Some(*nonce),
                "the same Ready again succeeds: {refusal}"
            );
        }
        if let Refusal::Match(Refused::OtherMove { turn, accepted, action_id }) = refusal {
            self.check_other_move(&call.request, *turn, &accepted.to_string(), *action_id);
            return;
        }
        if let Request::Submit { bot, id, turn, .. } = &call.request
            && let Some(shadow) = self.checker.shadows.get(id).filter(|_| self.holds(server))
            && let Some(seat) = shadow.seat_of(bot)
            && let Some(last) = shadow.moves.iter().rposition(|made| made.0 == seat)
        {
            let key = (id.clone(), *turn);
            let known = self.checker.observed[server].accepted.contains(&key);
            let repeats = last == *turn as usize && shadow.moves[last].2.is_some();
            let over = self.checker.over.get(id).map_or(0, |since| self.now - since);
            assert!(
                !(known && repeats) || over > REMEMBERED,
                "{id}, over since {over} us, turn {turn} was accepted before: {refusal}"
            );
        }
    }

    /// Only a move that differs from the accepted one is refused, and the refusal names that one.
    fn check_other_move(&self, request: &Request, turn: u32, accepted: &str, action_id: u16) {
        let Request::Submit { id, turn: asked, action, .. } = request else {
            panic!("{request:?} is not a decision");
        };
        assert_eq!(turn, *asked);
        let same = match action {
            Action::Id(id) => *id == u32::from(action_id),
            Action::Notation(text) => text == accepted,
            Action::Typed(_) => false,
        };
        assert!(!same, "{id}: turn {turn} was answered with the same move, {accepted}");
        if let Some((_, made, _)) = self.checker.shadows[id].moves.get(turn as usize) {
            assert_eq!(made, accepted);
        }
    }

    fn check_watched(&self, id: &MatchId, event: &Watched) {
        let shadow = &self.checker.shadows[id];
        match event {
            Watched::MoveMade(made) => {
                let (seat, action, receipt) =
                    shadow.moves.get(made.turn as usize).expect("durable before it is announced");
                assert_eq!((*seat, receipt.is_none()), (made.seat as usize, made.by_house));
                assert_eq!(*action, made.r#move.as_ref().unwrap().notation);
                let after = shadow.tables[made.turn as usize + 1].state();
                assert_eq!(made.state.as_ref(), Some(&after), "the state after the move");
            }
            Watched::MatchStarted(started) => {
                assert_eq!(started.state.as_ref(), Some(&shadow.tables[0].state()));
            }
            Watched::MoveRefused(refused) => {
                let key = (refused.seat as usize, refused.turn);
                assert!(shadow.refused.contains(&key), "durable before it is announced");
            }
            Watched::SeatForfeited(forfeit) => assert!(shadow.out[forfeit.seat as usize].is_some()),
            Watched::MatchEnded(pb::WatchedEnd { r#match, reveal }) => {
                let (r#match, reveal) = (r#match.clone(), reveal.clone());
                self.check_ended(&pb::MatchEnded { r#match, reveal, seat: 0 });
            }
            Watched::Snapshot(_) => panic!("{id}: the service sends the snapshot"),
        }
    }

    /// The first event of a session is a snapshot; events are numbered from 1, without a gap. Only a
    /// session that was replaced before it received anything has no snapshot.
    fn check_order(&mut self, server: usize, bot: &BotId, session: u64, event: &pb::PlayEvent) {
        let last = self.checker.streams.entry((server, bot.clone(), session)).or_default();
        assert_eq!(event.seq, *last + 1, "an event to {bot}: {:?}", event.event);
        *last = event.seq;
        let is_snapshot = matches!(event.event, Some(Told::Snapshot(_)));
        let is_last = matches!(event.event, Some(Told::Replaced(_)));
        let fits = is_snapshot == (event.seq == 1) || is_last;
        assert!(fits, "a snapshot is the first event, and no other: {:?}", event.event);
    }

    fn check_event(&mut self, server: usize, bot: &BotId, event: &Told, ended: &[MatchId]) {
        match event {
            Told::Snapshot(snapshot) => self.check_snapshot(server, bot, snapshot, ended),
            Told::MatchStarting(starting) => self.check_starting(starting),
            Told::MatchStarted(started) => {
                let shadow = &self.checker.shadows[&id(&started.match_id)];
                assert_eq!(started.state.as_ref(), Some(&shadow.tables[0].state()));
                let nonces = shadow.nonces.iter().map(|nonce| nonce.map(|nonce| nonce.0.to_vec()));
                let nonces: Vec<_> = nonces.map(Option::unwrap_or_default).collect();
                assert_eq!(started.nonces, nonces);
            }
            Told::Turn(turn) => self.check_turn(server, bot, turn),
            Told::MoveMade(made) => self.check_move(made),
            Told::MatchEnded(ended) => {
                self.check_ended(ended);
                let shadow = &self.checker.shadows[&id(&ended.r#match.as_ref().unwrap().id)];
                assert_eq!(shadow.bot(ended.seat as usize), Some(bot));
            }
            Told::Replaced(_) => self.tally.add("session: replaced"),
            Told::Ping(_) | Told::GoingAway(_) | Told::Paused(_) => {}
        }
    }

    pub(crate) fn check_starting(&mut self, starting: &pb::MatchStarting) {
        let message = starting.r#match.as_ref().unwrap();
        let id = id(&message.id);
        let row = self.store.rows.matches.get(&id).expect("the secret is durable first");
        let commitment = azulejo_engine::fairness::commitment(id.as_str(), &row.secret);
        assert_eq!(message.commitment, commitment.0);
        self.checker.commitments.insert(id, message.commitment.clone());
    }

    /// A turn is the one that is due in the store, and is sent to the bot whose turn it is.
    pub(crate) fn check_turn(&mut self, server: usize, bot: &BotId, turn: &pb::Turn) {
        let id = id(&turn.match_id);
        let shadow = &self.checker.shadows[&id];
        let table = &shadow.tables[turn.turn as usize];
        if self.holds(server) {
            assert_eq!(turn.turn, shadow.turn(), "only what is due is announced");
            assert_eq!(shadow.due(), Some(turn.seat as usize));
            assert!(shadow.plays(turn.seat as usize));
        }
        assert_eq!(shadow.bot(turn.seat as usize), Some(bot));
        assert_eq!(turn.state.as_ref(), Some(&table.state()));
        assert_eq!(turn.legal_moves.len(), table.legal_moves().len());
        let patience = Patience::of(self.checker.shadows[&id].spec.pool.time_class);
        let due = (&id, turn.turn);
        self.checker.observed[server].announce(due, bot, patience, self.now);
    }

    fn check_move(&self, made: &pb::MoveMade) {
        let shadow = &self.checker.shadows[&id(&made.match_id)];
        let (seat, action, receipt) =
            shadow.moves.get(made.turn as usize).expect("a move is durable before it is announced");
        assert_eq!(*seat, made.seat as usize);
        assert_eq!(*action, made.r#move.as_ref().unwrap().notation);
        assert_eq!(receipt.is_none(), made.by_house);
    }

    fn check_ended(&self, ended: &pb::MatchEnded) {
        let message = ended.r#match.as_ref().unwrap();
        let id = id(&message.id);
        let row = &self.store.rows.matches[&id];
        let end = row.end.as_ref().expect("an end is durable before it is announced");
        assert_eq!(message.rated, end.rated);
        assert_eq!(ended.reveal.as_ref().unwrap().secret, row.secret.0);
        let seats = &message.result.as_ref().unwrap().seats;
        for (said, seat) in seats.iter().zip(&end.seats) {
            assert_eq!(said.placement, u32::from(seat.placement));
        }
        let last = row.events.last().unwrap();
        assert!(matches!(last, Event::Ended { .. } | Event::Voided { .. }));
    }

    /// No secret before the end. Moves and turns have no field for one: a sample of them is enough.
    fn check_secrecy(&mut self, event: &pb::PlayEvent) {
        self.checker.scanned += 1;
        let dull = matches!(event.event, Some(Told::Turn(_) | Told::MoveMade(_) | Told::Ping(_)));
        if dull && !self.checker.scanned.is_multiple_of(32) {
            return;
        }
        self.assert_no_secrets(&event.encode_to_vec());
    }

    fn assert_no_secrets(&self, bytes: &[u8]) {
        for shadow in self.checker.shadows.values().filter(|shadow| shadow.over.is_none()) {
            let found = bytes.windows(32).any(|window| *window == shadow.secret.0);
            assert!(!found, "the secret of {} was sent", shadow.spec.id);
        }
    }
}

pub(crate) fn id(text: &str) -> MatchId {
    text.parse().unwrap()
}
