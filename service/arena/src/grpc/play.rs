//! Playing: a stream or polls for events, and unary calls for what the bot does.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Play;
use pb::play_service_server::PlayService;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::caller::token;
use super::{Answered, Services, message, read, status};
use crate::arena_loop::{Arena, CommandError, Outbox, SessionEnd};
use crate::command::{
    CloseSession, Heartbeat, OpenSession, PollEvents, Ready, Resign, SubmitMove, TurnFetched,
};
use crate::event::PlayEvent;
use crate::names::{BotId, MatchId};
use crate::record::Bytes32;
use crate::state::{Hello, Refusal};

/// The longest that a poll waits, and the default.
const LONGEST_POLL: Duration = Duration::from_secs(20);

/// An open stream of events. When it is dropped, the session is closed.
struct EventStream {
    arena: Arena,
    bot: BotId,
    outbox: Arc<Outbox>,
}

impl Drop for EventStream {
    fn drop(&mut self) {
        let (bot, session) = (self.bot.clone(), self.outbox.session());
        self.arena.notify(CloseSession { bot, session });
    }
}

/// What a session remembers of the token that opens it.
fn key<T>(request: &Request<T>) -> Bytes32 {
    Bytes32::hash_of(token(request).unwrap_or_default().as_bytes())
}

impl Services {
    /// Opens a session of the bot.
    async fn open(&self, bot: &BotId, key: Bytes32, hello: Hello) -> Result<Arc<Outbox>, Status> {
        self.count_session(bot)?;
        let session = self.call(OpenSession { bot: bot.clone(), key, hello }).await?;
        self.arena.outbox(bot, session).ok_or_else(status::closed)
    }

    /// The message of an event that leaves now: the clocks of its turns start. An error if ends of
    /// matches cannot be read from the store: a bot that got a snapshot without them would acknowledge
    /// what it never saw.
    async fn leave(
        &self,
        seq: u64,
        event: &PlayEvent,
        bot: &BotId,
    ) -> Result<pb::PlayEvent, Status> {
        let mut sent = message::play_event(seq, event);
        if let (PlayEvent::Snapshot(snapshot), Some(Play::Snapshot(sent))) =
            (event, &mut sent.event)
        {
            for id in &snapshot.ended {
                sent.ended.extend(self.end_for(id, bot).await?);
            }
        }
        for turn in event.turns() {
            let (id, turn, at) = (turn.match_id.clone(), turn.turn, self.arena.time());
            self.arena.notify(TurnFetched { id, turn, at });
        }
        Ok(sent)
    }

    async fn poll(
        &self,
        bot: &BotId,
        outbox: &Outbox,
        seen: u64,
        (wait, is_new): (Duration, bool),
    ) -> Result<Vec<pb::PlayEvent>, Status> {
        let waiting = match tokio::time::timeout(wait, outbox.all(seen)).await {
            Err(_nothing) => return Ok(Vec::new()),
            Ok(Ok(waiting)) => waiting,
            Ok(Err(SessionEnd::TooSlow)) => return Err(status::too_slow()),
            Ok(Err(SessionEnd::Closed)) => return Err(status::closed()),
        };
        // A snapshot that is fetched again costs as much as a new session.
        let has_snapshot = waiting.iter().any(|(_, event)| matches!(event, PlayEvent::Snapshot(_)));
        if has_snapshot && !is_new {
            self.count_session(bot)?;
        }
        let mut events = Vec::with_capacity(waiting.len());
        for (seq, event) in waiting {
            events.push(self.leave(seq, &event, bot).await?);
        }
        Ok(events)
    }
}

#[tonic::async_trait]
impl PlayService for Services {
    type PlayStream = Pin<Box<dyn Stream<Item = Result<pb::PlayResponse, Status>> + Send>>;

    async fn play(&self, request: Request<pb::PlayRequest>) -> Answered<Self::PlayStream> {
        let (bot, key) = (self.bot(&request)?, key(&request));
        let hello = read::hello(request.into_inner().hello)?;
        let outbox = self.open(&bot, key, hello).await?;
        let stream = EventStream { arena: self.arena.clone(), bot, outbox };
        let start = (Some(stream), self.clone());
        let events = futures_util::stream::unfold(start, |(stream, services)| async move {
            let stream = stream?;
            match stream.outbox.next().await {
                Ok((seq, event)) => match services.leave(seq, &event, &stream.bot).await {
                    Ok(event) => {
                        let response = pb::PlayResponse { event: Some(event) };
                        Some((Ok(response), (Some(stream), services)))
                    }
                    Err(status) => Some((Err(status), (None, services))),
                },
                // The bot has received the reason, or its token was revoked: the stream just ends.
                Err(SessionEnd::Closed) => None,
                Err(SessionEnd::TooSlow) => Some((Err(status::too_slow()), (None, services))),
            }
        });
        Ok(Response::new(Box::pin(events)))
    }

    async fn next_events(
        &self,
        request: Request<pb::NextEventsRequest>,
    ) -> Answered<pb::NextEventsResponse> {
        let (bot, key) = (self.bot(&request)?, key(&request));
        let pb::NextEventsRequest { hello, session, after_seq: seen, max_wait } =
            request.into_inner();
        let wait = max_wait.map_or(LONGEST_POLL, |wait| {
            Duration::try_from(wait).unwrap_or_default().min(LONGEST_POLL)
        });
        let is_new = session.is_empty();
        let outbox = if is_new {
            self.open(&bot, key, read::hello(hello)?).await?
        } else {
            let number = u64::from_str_radix(&session, 16);
            let problem = "use the session of the previous response";
            let session =
                number.map_err(|_| status::bad_field("BAD_SESSION", "session", problem))?;
            let hello = hello.map(|hello| read::hello(Some(hello))).transpose()?;
            self.call(PollEvents { bot: bot.clone(), session, seen, hello }).await?;
            self.arena.outbox(&bot, session).ok_or_else(status::closed)?
        };
        let events = self.poll(&bot, &outbox, seen, (wait.min(self.longest_poll), is_new)).await?;
        let session = format!("{:016x}", outbox.session());
        Ok(Response::new(pb::NextEventsResponse { session, events }))
    }

    async fn ready(&self, request: Request<pb::ReadyRequest>) -> Answered<pb::ReadyResponse> {
        let bot = self.bot(&request)?;
        let pb::ReadyRequest { match_id, nonce } = request.into_inner();
        let (id, nonce) = (read::name("match_id", &match_id)?, read::nonce(&nonce)?);
        self.call(Ready { bot, id, nonce }).await?;
        Ok(Response::new(pb::ReadyResponse {}))
    }

    async fn submit_move(
        &self,
        request: Request<pb::SubmitMoveRequest>,
    ) -> Answered<pb::SubmitMoveResponse> {
        let received = self.arena.time();
        let bot = self.bot(&request)?;
        let pb::SubmitMoveRequest { match_id, turn, action } = request.into_inner();
        let id: MatchId = read::name("match_id", &match_id)?;
        let turn = turn.ok_or_else(|| status::missing("turn"))?;
        let action = read::submitted_move(action)?;
        let submitted = SubmitMove { bot, id, turn, action, received };
        let receipt = match self.arena.call(submitted.clone()).await {
            Ok(receipt) => receipt,
            // The move may have ended a match that only the store remembers.
            Err(CommandError::Refused(Refusal::NoSuchMatch)) => {
                self.accepted_before(submitted).await?
            }
            Err(error) => return Err(status::failed(error)),
        };
        let receipt = Some(message::receipt(&receipt));
        Ok(Response::new(pb::SubmitMoveResponse { receipt }))
    }

    async fn heartbeat(
        &self,
        request: Request<pb::HeartbeatRequest>,
    ) -> Answered<pb::HeartbeatResponse> {
        let received = self.arena.time();
        let bot = self.bot(&request)?;
        let pb::HeartbeatRequest { ping, ended_match_ids } = request.into_inner();
        let ended = ended_match_ids.iter().map(|id| read::name("ended_match_ids", id));
        let ended = ended.collect::<Result<_, _>>()?;
        let round_trip = self.call(Heartbeat { bot, ping, ended, received }).await?;
        let round_trip_time = Some(message::duration(round_trip));
        Ok(Response::new(pb::HeartbeatResponse { round_trip_time }))
    }

    async fn resign(&self, request: Request<pb::ResignRequest>) -> Answered<pb::ResignResponse> {
        let bot = self.bot(&request)?;
        let id = read::name("match_id", &request.into_inner().match_id)?;
        self.call(Resign { bot, id }).await?;
        Ok(Response::new(pb::ResignResponse {}))
    }
}
