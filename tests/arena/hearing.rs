//! Judges what an arena says: only what is durable, in order, and no secrets.

use std::time::Duration;

use azulejo_arena::clock::CREDIT_A_MOVE;
use azulejo_arena::hall::{Action, Answer, Output, Refusal, Request, Ticket};
use azulejo_arena::match_run::Refused;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::Event;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::watch_match_response::Event as Watched;
use prost::Message as _;

use crate::world::{At, World};

/// So long after a match its last decisions may be said again: a minute.
const REMEMBERED: At = 60_000_000;

impl World {
    pub(crate) fn judge_outputs(&mut self, server: usize, outputs: &[Output]) {
        for output in outputs {
            match output {
                Output::Answer(Ticket(ticket), answer) => match &**answer {
                    Ok(answer) => self.judge_answer(server, *ticket, answer),
                    Err(refusal) => self.judge_refusal(server, *ticket, refusal),
                },
                Output::Tell { bot, session, event, ended } => {
                    self.judge_order(server, bot, *session, event);
                    self.judge_event(server, bot, event.event.as_ref().unwrap(), ended);
                    self.judge_secrecy(event);
                }
                Output::Watch { id, event } => self.judge_watched(id, event),
                Output::Close { .. }
                | Output::Think { .. }
                | Output::Key { .. }
                | Output::KeyGone { .. } => {}
            }
        }
    }

    /// Whatever is answered with yes is in the store.
    fn judge_answer(&mut self, server: usize, ticket: u64, answer: &Answer) {
        let call = &self.calls[&ticket];
        let bot = self.bots[call.bot].id.clone();
        match (answer, &call.request) {
            (Answer::Submitted(response), Request::Submit { id, turn, .. }) => {
                let (id, turn) = (id.clone(), *turn);
                self.judge_receipt(server, &bot, (&id, turn), response);
            }
            (Answer::Ready, Request::Ready { id, nonce, .. }) => {
                let shadow = &self.judge.shadows[id];
                assert_eq!(shadow.nonces[shadow.seat_of(&bot).unwrap()], Some(*nonce));
            }
            (Answer::Resigned, Request::Resign { id, .. }) => {
                let shadow = &self.judge.shadows[id];
                let seat = shadow.seat_of(&bot).unwrap();
                assert!(shadow.over.is_some() || shadow.out[seat].is_some());
            }
            (Answer::Heartbeat(response), _) => {
                let round_trip: Duration = response.round_trip_time.unwrap().try_into().unwrap();
                assert!(round_trip <= Duration::from_secs(1), "no more than that is believed");
                self.judge.ledgers[server].round_trips.insert(bot, round_trip);
            }
            (Answer::Challenged(message), _) => self.keeps_secrets(&message.encode_to_vec()),
            _ => {}
        }
    }

    /// A receipt is what the store has, and what the round trip is worth.
    fn judge_receipt(
        &mut self,
        server: usize,
        bot: &BotId,
        (id, turn): (&MatchId, u32),
        response: &pb::SubmitMoveResponse,
    ) {
        let shadow = &self.judge.shadows[id];
        let (seat, _, receipt) = &shadow.moves[turn as usize];
        let receipt = receipt.expect("the house asks for no receipt");
        assert_eq!(shadow.bot(*seat), Some(bot));
        let paper = response.receipt.as_ref().unwrap();
        let time =
            |time: &Option<prost_types::Duration>| Duration::try_from(time.unwrap()).unwrap();
        assert_eq!(
            (time(&paper.elapsed_time), time(&paper.credited_time)),
            (receipt.measured, receipt.credited)
        );
        let charged = (time(&paper.charged_time), time(&paper.time_left));
        assert_eq!(charged, (receipt.charged, receipt.left));
        let ledger = &mut self.judge.ledgers[server];
        let first = ledger.accepted.insert((id.clone(), turn));
        if first && ledger.decided.contains(&(id.clone(), turn)) {
            let round_trip = ledger.round_trips.get(bot).copied().unwrap_or_default();
            let due = round_trip.min(CREDIT_A_MOVE).min(shadow.credit[*seat] + receipt.credited);
            assert_eq!(receipt.credited, due.min(receipt.measured), "what the lag is worth");
            self.tally.add(if due.is_zero() { "clock: no lag" } else { "clock: lag credited" });
        }
        self.tally.add(if first { "answer: accepted" } else { "answer: accepted again" });
    }

    /// What was accepted is never refused: a nonce as long as the match goes on, a decision as long
    /// as it is the last one of its seat and the match is not long over; after that the store is
    /// asked, which is not played here.
    fn judge_refusal(&mut self, server: usize, ticket: u64, refusal: &Refusal) {
        self.tally.add(&format!("answer: {}", refusal.reason()));
        let call = &self.calls[&ticket];
        if let Request::Ready { bot, id, nonce } = &call.request
            && let Some(shadow) = self.judge.shadows.get(id).filter(|shadow| shadow.over.is_none())
            && let Some(seat) = shadow.seat_of(bot)
        {
            assert_ne!(shadow.nonces[seat], Some(*nonce), "ready twice is ready: {refusal}");
        }
        if let Refusal::Match(Refused::OtherMove { turn, accepted, action_id }) = refusal {
            self.judge_other_move(&call.request, *turn, &accepted.to_string(), *action_id);
            return;
        }
        if let Request::Submit { bot, id, turn, .. } = &call.request
            && let Some(shadow) = self.judge.shadows.get(id).filter(|_| self.holds(server))
            && let Some(seat) = shadow.seat_of(bot)
            && let Some(last) = shadow.moves.iter().rposition(|made| made.0 == seat)
        {
            let key = (id.clone(), *turn);
            let known = self.judge.ledgers[server].accepted.contains(&key);
            let repeats = last == *turn as usize && shadow.moves[last].2.is_some();
            let over = self.judge.over.get(id).map_or(0, |since| self.now - since);
            assert!(
                !(known && repeats) || over > REMEMBERED,
                "{id}, over since {over} us, turn {turn} was accepted before: {refusal}"
            );
        }
    }

    /// Only a move that differs from the accepted one is refused, and with that one.
    fn judge_other_move(&self, request: &Request, turn: u32, accepted: &str, action_id: u16) {
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
        if let Some((_, made, _)) = self.judge.shadows[id].moves.get(turn as usize) {
            assert_eq!(made, accepted);
        }
    }

    fn judge_watched(&self, id: &MatchId, event: &Watched) {
        let shadow = &self.judge.shadows[id];
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
                self.judge_ended(&pb::MatchEnded { r#match, reveal, seat: 0 });
            }
            Watched::Snapshot(_) => panic!("{id}: the first event comes from the service"),
        }
    }

    /// The first event of a session is a snapshot; they are counted from 1, without a gap. Only a
    /// session that was replaced before it heard anything hears no more than that.
    fn judge_order(&mut self, server: usize, bot: &BotId, session: u64, event: &pb::PlayEvent) {
        let last = self.judge.streams.entry((server, bot.clone(), session)).or_default();
        assert_eq!(event.seq, *last + 1, "an event to {bot}: {:?}", event.event);
        *last = event.seq;
        let is_snapshot = matches!(event.event, Some(Told::Snapshot(_)));
        let is_last = matches!(event.event, Some(Told::Replaced(_)));
        let fits = is_snapshot == (event.seq == 1) || is_last;
        assert!(fits, "a snapshot comes first, and only then: {:?}", event.event);
    }

    fn judge_event(&mut self, server: usize, bot: &BotId, event: &Told, ended: &[MatchId]) {
        match event {
            Told::Snapshot(snapshot) => self.judge_snapshot(server, bot, snapshot, ended),
            Told::MatchStarting(starting) => self.judge_starting(starting),
            Told::MatchStarted(started) => {
                let shadow = &self.judge.shadows[&id(&started.match_id)];
                assert_eq!(started.state.as_ref(), Some(&shadow.tables[0].state()));
                let nonces = shadow.nonces.iter().map(|nonce| nonce.map(|nonce| nonce.0.to_vec()));
                let nonces: Vec<_> = nonces.map(Option::unwrap_or_default).collect();
                assert_eq!(started.nonces, nonces);
            }
            Told::Turn(turn) => self.judge_turn(server, bot, turn),
            Told::MoveMade(made) => self.judge_move(made),
            Told::MatchEnded(ended) => {
                self.judge_ended(ended);
                let shadow = &self.judge.shadows[&id(&ended.r#match.as_ref().unwrap().id)];
                assert_eq!(shadow.bot(ended.seat as usize), Some(bot));
            }
            Told::Replaced(_) => self.tally.add("session: replaced"),
            Told::Ping(_) | Told::GoingAway(_) | Told::Paused(_) => {}
        }
    }

    pub(crate) fn judge_starting(&mut self, starting: &pb::MatchStarting) {
        let message = starting.r#match.as_ref().unwrap();
        let id = id(&message.id);
        let row = self.store.rows.matches.get(&id).expect("the secret is durable first");
        let commitment = azulejo_engine::fairness::commitment(id.as_str(), &row.secret);
        assert_eq!(message.commitment, commitment.0);
        self.judge.commitments.insert(id, message.commitment.clone());
    }

    /// A turn is the one that is due, as the store has it, to the bot whose turn it is.
    pub(crate) fn judge_turn(&mut self, server: usize, bot: &BotId, turn: &pb::Turn) {
        let id = id(&turn.match_id);
        let shadow = &self.judge.shadows[&id];
        let table = &shadow.tables[turn.turn as usize];
        if self.holds(server) {
            assert_eq!(turn.turn, shadow.turn(), "only what is due is announced");
            assert_eq!(shadow.due(), Some(turn.seat as usize));
            assert!(shadow.plays(turn.seat as usize));
        }
        assert_eq!(shadow.bot(turn.seat as usize), Some(bot));
        assert_eq!(turn.state.as_ref(), Some(&table.state()));
        assert_eq!(turn.legal_moves.len(), table.legal_moves().len());
        self.judge.ledgers[server].tells(&id, turn.turn, bot, self.now);
    }

    fn judge_move(&self, made: &pb::MoveMade) {
        let shadow = &self.judge.shadows[&id(&made.match_id)];
        let (seat, action, receipt) =
            shadow.moves.get(made.turn as usize).expect("a move is durable before it is announced");
        assert_eq!(*seat, made.seat as usize);
        assert_eq!(*action, made.r#move.as_ref().unwrap().notation);
        assert_eq!(receipt.is_none(), made.by_house);
    }

    fn judge_ended(&self, ended: &pb::MatchEnded) {
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

    /// No secret before the end. Moves and turns have no place for one: now and then is enough.
    fn judge_secrecy(&mut self, event: &pb::PlayEvent) {
        self.judge.scanned += 1;
        let dull = matches!(event.event, Some(Told::Turn(_) | Told::MoveMade(_) | Told::Ping(_)));
        if dull && !self.judge.scanned.is_multiple_of(32) {
            return;
        }
        self.keeps_secrets(&event.encode_to_vec());
    }

    fn keeps_secrets(&self, bytes: &[u8]) {
        for shadow in self.judge.shadows.values().filter(|shadow| shadow.over.is_none()) {
            let told = bytes.windows(32).any(|window| *window == shadow.secret.0);
            assert!(!told, "the secret of {} is out", shadow.spec.id);
        }
    }
}

pub(crate) fn id(text: &str) -> MatchId {
    text.parse().unwrap()
}
