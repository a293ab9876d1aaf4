//! What bots say in a match, and what everyone is told.

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::watch_match_response::Event as Watched;

use super::{Action, Answer, Hall, Held, Note, Output, Refusal, Request, Ticket, messages};
use crate::match_run::{Match, Played, Refused, Submission};
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId};
use crate::record::{Bytes32, Event, Seat};

impl Hall {
    /// Somebody asks for something. The answer comes once everything before it is durable.
    pub fn handle(&mut self, ticket: Option<Ticket>, request: Request, now: Now) {
        let answer = self.answer(request, now);
        if let (Some(ticket), Some(answer)) = (ticket, answer) {
            self.held.push(Held::Out(Output::Answer(ticket, Box::new(answer))));
        }
    }

    fn answer(&mut self, request: Request, now: Now) -> Option<Result<Answer, Refusal>> {
        Some(match request {
            Request::Open { bot, key, hello } => self.open(&bot, key, hello, now),
            Request::Poll { bot, session, seen, hello } => {
                self.poll(&bot, session, seen, hello, now)
            }
            Request::Closed { bot, session } => {
                self.closed(&bot, session);
                return None;
            }
            Request::Ready { bot, id, nonce } => self.ready(&bot, &id, nonce, now),
            Request::Submit { bot, id, turn, action, received } => {
                self.submit(&bot, &id, turn, action, received, now)
            }
            Request::Heartbeat { bot, ping, ended, received } => {
                Ok(self.heartbeat(&bot, ping, &ended, received))
            }
            Request::Resign { bot, id } => self.resign(&bot, &id, now),
            Request::Fetched { id, turn, at } => {
                if let Some(run) = self.matches.get_mut(&id) {
                    run.fetched(turn, at);
                }
                return None;
            }
            Request::Thought { id, turn, action } => {
                self.thought(&id, turn, action, now);
                return None;
            }
            Request::Challenge { by, ruleset, time_class, opponents, seat, request } => {
                let pool = crate::pool::Pool { ruleset, time_class };
                self.challenge(&by, pool, opponents, seat, request, now)
            }
            Request::Void { id, note } => self.void(&id, &note, now),
            account @ (Request::Register { .. }
            | Request::CreateToken { .. }
            | Request::Revoke { .. }
            | Request::Resume { .. }
            | Request::Invite
            | Request::Pause { .. }) => self.account(account, now),
            read @ (Request::Bot { .. }
            | Request::Bots { .. }
            | Request::Pools
            | Request::Ladder { .. }
            | Request::Running { .. }
            | Request::AllRunning { .. }) => self.read(read, now),
        })
    }

    /// The match, and where the bot sits in it; also if it has just ended.
    fn seated(&mut self, bot: &BotId, id: &MatchId) -> Result<(&mut Match, usize), Refusal> {
        let over = self.finished.get_mut(id).map(|(run, _)| run);
        let run = self.matches.get_mut(id).or(over).ok_or(Refusal::NoSuchMatch)?;
        let seat = run.seat_of(bot).ok_or(Refusal::NotSeated)?;
        Ok((run, seat))
    }

    fn ready(
        &mut self,
        bot: &BotId,
        id: &MatchId,
        nonce: Bytes32,
        now: Now,
    ) -> Result<Answer, Refusal> {
        self.heard(bot, now.time);
        let (run, seat) = self.seated(bot, id)?;
        let happenings = run.ready(seat, nonce, now)?;
        self.happened(id, happenings, now);
        Ok(Answer::Ready)
    }

    fn submit(
        &mut self,
        bot: &BotId,
        id: &MatchId,
        turn: u32,
        action: Action,
        received: Time,
        now: Now,
    ) -> Result<Answer, Refusal> {
        self.heard(bot, received);
        let round_trip = self.sessions.get(bot).map(|session| session.round_trip);
        let (run, seat) = self.seated(bot, id)?;
        let submission =
            Submission { seat, turn, received, round_trip: round_trip.unwrap_or_default() };
        let mut happenings = Vec::new();
        let receipt = run.submit(submission, |table| action.read(table), now, &mut happenings);
        let not_counted = happenings.is_empty();
        // A refused answer is an event too, after which the turn is sent again.
        self.happened(id, happenings, now);
        if let Err(Refused::Illegal { .. }) = &receipt {
            self.note(Note::Illegal);
            // After a restart of the arena it is not counted, but the turn is sent again.
            if not_counted {
                self.held.push(Held::Turn { id: id.clone(), turn });
            }
        }
        let receipt = Some(messages::receipt(&receipt?));
        Ok(Answer::Submitted(pb::SubmitMoveResponse { receipt }))
    }

    fn resign(&mut self, bot: &BotId, id: &MatchId, now: Now) -> Result<Answer, Refusal> {
        self.heard(bot, now.time);
        let (run, seat) = self.seated(bot, id)?;
        let happenings = run.resign(seat, now)?;
        self.happened(id, happenings, now);
        Ok(Answer::Resigned)
    }

    fn thought(&mut self, id: &MatchId, turn: u32, action: Option<azulejo_engine::Move>, now: Now) {
        let Some(run) = self.matches.get_mut(id) else { return };
        let happenings = match action {
            Some(action) => run.house_decided(turn, action, now),
            // It could not think: nobody loses by that.
            None => run.void(crate::record::EndReason::ServerError, "the house bot failed", now),
        };
        self.happened(id, happenings, now);
    }

    /// A decision is due: its bot is told, and its clock starts.
    pub(super) fn announce_turn(
        &mut self,
        id: &MatchId,
        turn: u32,
        now: Time,
        outputs: &mut Vec<Output>,
    ) {
        let Some(run) = self.matches.get_mut(id) else { return };
        let (Some(seat), true) = (run.due(), run.turn() == turn) else { return };
        if let (Some(bot), Some(&table)) = (run.thinker(), run.table()) {
            outputs.push(Output::Think { id: id.clone(), turn, bot, table: Box::new(table) });
            return;
        }
        let Seat::Remote(player) = run.spec().seats[seat].clone() else { return };
        // After a restart of the arena, whoever is not back yet was not told: its clock stands until
        // its snapshot goes out, or until it is gone.
        let Some(session) = self.up_to_date(&player.bot) else { return };
        let Some(run) = self.matches.get_mut(id) else { return };
        run.told(turn, now);
        let Some(event) = messages::turn(run, seat, now) else { return };
        let event = pb::PlayEvent { seq: 0, event: Some(Told::Turn(event)) };
        self.tell(&player.bot, session, event, outputs);
    }

    /// Tells the seats and the watchers what happened.
    pub(super) fn announce(&mut self, id: &MatchId, event: &Event, played: Option<&Played>) {
        let Some(run) = self.matches.get(id) else { return };
        let (told, watched) = match event {
            Event::Started { .. } => {
                let Some(started) = messages::started(run) else { return };
                let state = started.state.clone();
                let watched = Watched::MatchStarted(pb::WatchedStart { state });
                (Some(Told::MatchStarted(started)), watched)
            }
            Event::Moved { .. } => {
                let Some(played) = played else { return };
                let made = messages::move_made(run, played);
                let watched = Watched::MoveMade(messages::watched_move(&made, played));
                (Some(Told::MoveMade(made)), watched)
            }
            Event::Refused(refused) => {
                (None, Watched::MoveRefused(messages::refused_move(refused)))
            }
            Event::Forfeited { seat, turn, reason } => {
                let forfeit = pb::WatchedForfeit {
                    seat: u32::try_from(*seat).unwrap_or_default(),
                    turn: *turn,
                    end_reason: messages::end_reason(*reason).into(),
                };
                (None, Watched::SeatForfeited(forfeit))
            }
            Event::Ready { .. } | Event::Ended { .. } | Event::Voided { .. } => return,
        };
        let bots: Vec<BotId> = messages::bots(run).cloned().collect();
        let (id, event) = (id.clone(), Box::new(watched));
        self.held.push(Held::Out(Output::Watch { id, event }));
        if let Some(told) = told {
            for bot in bots {
                self.say_to(&bot, told.clone());
            }
        }
    }
}
