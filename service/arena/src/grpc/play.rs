//! Playing: a stream or polls for what happens, and unary calls for what the bot says.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::play_service_server::PlayService;
use tokio_stream::Stream;
use tonic::{Request as Call, Response, Status};

use super::caller::token;
use super::{Answered, Services, matches, read, status};
use crate::desk::{Arena, Outbox, Unanswered, Waited};
use crate::hall::{Action, Answer, Hello, Refusal, Request};
use crate::names::{BotId, MatchId};
use crate::record::Bytes32;

/// The longest that a poll waits, and what it waits unless told otherwise.
const LONGEST_POLL: Duration = Duration::from_secs(20);

/// Ends of matches that one heartbeat may acknowledge.
const MOST_ENDS: usize = 200;

/// A stream of events; when it is dropped, nobody listens any more.
struct Listening {
    arena: Arena,
    bot: BotId,
    outbox: Arc<Outbox>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let (bot, session) = (self.bot.clone(), self.outbox.session());
        self.arena.mention(Request::Closed { bot, session });
    }
}

/// What a session remembers of the token that opens it.
fn key<T>(call: &Call<T>) -> Bytes32 {
    Bytes32::hash_of(token(call).unwrap_or_default().as_bytes())
}

impl Services {
    /// A new session of the bot, and where its events come in.
    async fn open(&self, bot: &BotId, key: Bytes32, hello: Hello) -> Result<Arc<Outbox>, Status> {
        let request = Request::Open { bot: bot.clone(), key, hello };
        let Answer::Opened { session } = self.ask(request).await? else {
            return Err(status::confused());
        };
        self.arena.outbox(bot, session).ok_or_else(status::closed)
    }

    /// The event as it leaves: with the ends that it tells of, and the clock of its turns running.
    async fn leave(
        &self,
        mut event: pb::PlayEvent,
        ended: &[MatchId],
        bot: &BotId,
    ) -> pb::PlayEvent {
        if let Some(Told::Snapshot(snapshot)) = &mut event.event {
            for id in ended {
                if let Some(end) = matches::end_for(&self.arena, id, bot).await {
                    snapshot.ended.push(end);
                }
            }
        }
        let turns: Vec<&pb::Turn> = match &event.event {
            Some(Told::Turn(turn)) => vec![turn],
            Some(Told::Snapshot(snapshot)) => {
                snapshot.seatings.iter().filter_map(|seating| seating.turn.as_ref()).collect()
            }
            _ => Vec::new(),
        };
        for pb::Turn { match_id, turn, .. } in turns {
            if let Ok(id) = match_id.parse() {
                self.arena.mention(Request::Fetched { id, turn: *turn, at: self.arena.time() });
            }
        }
        event
    }

    async fn poll(
        &self,
        bot: &BotId,
        outbox: &Outbox,
        seen: u64,
        wait: Duration,
    ) -> Result<Vec<pb::PlayEvent>, Status> {
        let waiting = match tokio::time::timeout(wait, outbox.all(seen)).await {
            Err(_nothing) => return Ok(Vec::new()),
            Ok(Ok(waiting)) => waiting,
            Ok(Err(Waited::TooSlow)) => return Err(status::too_slow()),
            Ok(Err(Waited::Closed)) => return Err(status::closed()),
        };
        let mut events = Vec::with_capacity(waiting.len());
        for (event, ended) in waiting {
            events.push(self.leave(event, &ended, bot).await);
        }
        Ok(events)
    }
}

#[tonic::async_trait]
impl PlayService for Services {
    type PlayStream = Pin<Box<dyn Stream<Item = Result<pb::PlayResponse, Status>> + Send>>;

    async fn play(&self, call: Call<pb::PlayRequest>) -> Answered<Self::PlayStream> {
        let (bot, key) = (self.bot(&call)?, key(&call));
        let hello = read::hello(call.into_inner().hello)?;
        let outbox = self.open(&bot, key, hello).await?;
        let listening = Listening { arena: self.arena.clone(), bot, outbox };
        let start = (Some(listening), self.clone());
        let events = futures_util::stream::unfold(start, |(listening, services)| async move {
            let listening = listening?;
            match listening.outbox.next().await {
                Ok((event, ended)) => {
                    let event = Some(services.leave(event, &ended, &listening.bot).await);
                    Some((Ok(pb::PlayResponse { event }), (Some(listening), services)))
                }
                // The bot was told why, or its token is no more: the stream ends as streams do.
                Err(Waited::Closed) => None,
                Err(Waited::TooSlow) => Some((Err(status::too_slow()), (None, services))),
            }
        });
        Ok(Response::new(Box::pin(events)))
    }

    async fn next_events(
        &self,
        call: Call<pb::NextEventsRequest>,
    ) -> Answered<pb::NextEventsResponse> {
        let (bot, key) = (self.bot(&call)?, key(&call));
        let pb::NextEventsRequest { hello, session, after_seq: after, max_wait } =
            call.into_inner();
        let wait = max_wait.map_or(LONGEST_POLL, |wait| {
            Duration::try_from(wait).unwrap_or_default().min(LONGEST_POLL)
        });
        let outbox = if session.is_empty() {
            self.open(&bot, key, read::hello(hello)?).await?
        } else {
            let number = u64::from_str_radix(&session, 16);
            let problem = "use the session of the previous response";
            let session =
                number.map_err(|_| status::bad_field("BAD_SESSION", "session", problem))?;
            let hello = hello.map(|hello| read::hello(Some(hello))).transpose()?;
            let request = Request::Poll { bot: bot.clone(), session, seen: after, hello };
            self.ask(request).await?;
            self.arena.outbox(&bot, session).ok_or_else(status::closed)?
        };
        let events = self.poll(&bot, &outbox, after, wait.min(self.longest_poll)).await?;
        let session = format!("{:016x}", outbox.session());
        Ok(Response::new(pb::NextEventsResponse { session, events }))
    }

    async fn ready(&self, call: Call<pb::ReadyRequest>) -> Answered<pb::ReadyResponse> {
        let bot = self.bot(&call)?;
        let pb::ReadyRequest { match_id, nonce } = call.into_inner();
        let (id, nonce) = (read::name("match_id", &match_id)?, read::nonce(&nonce)?);
        self.ask(Request::Ready { bot, id, nonce }).await?;
        Ok(Response::new(pb::ReadyResponse {}))
    }

    async fn submit_move(
        &self,
        call: Call<pb::SubmitMoveRequest>,
    ) -> Answered<pb::SubmitMoveResponse> {
        use pb::submit_move_request::Action as Said;
        let received = self.arena.time();
        let bot = self.bot(&call)?;
        let pb::SubmitMoveRequest { match_id, turn, action } = call.into_inner();
        let id: MatchId = read::name("match_id", &match_id)?;
        let turn = turn.ok_or_else(|| status::missing("turn"))?;
        let action = match action.ok_or_else(|| status::missing("action"))? {
            Said::Move(action) => Action::Typed(action),
            Said::ActionId(id) => Action::Id(id),
            Said::Notation(text) => Action::Notation(text),
        };
        let again = action.clone();
        let request = Request::Submit { bot: bot.clone(), id: id.clone(), turn, action, received };
        match self.arena.ask(request).await {
            Ok(Answer::Submitted(submitted)) => Ok(Response::new(submitted)),
            Ok(_) => Err(status::confused()),
            Err(Unanswered::Refused(Refusal::NoSuchMatch)) => {
                self.accepted_before(&bot, &id, turn, again).await
            }
            Err(unanswered) => Err(status::unanswered(unanswered)),
        }
    }

    async fn heartbeat(&self, call: Call<pb::HeartbeatRequest>) -> Answered<pb::HeartbeatResponse> {
        let received = self.arena.time();
        let bot = self.bot(&call)?;
        let pb::HeartbeatRequest { ping, ended_match_ids } = call.into_inner();
        read::at_most("ended_match_ids", &ended_match_ids, MOST_ENDS)?;
        let ended = ended_match_ids.iter().map(|id| read::name("ended_match_ids", id));
        let ended = ended.collect::<Result<_, _>>()?;
        let Answer::Heartbeat(heartbeat) =
            self.ask(Request::Heartbeat { bot, ping, ended, received }).await?
        else {
            return Err(status::confused());
        };
        Ok(Response::new(heartbeat))
    }

    async fn resign(&self, call: Call<pb::ResignRequest>) -> Answered<pb::ResignResponse> {
        let bot = self.bot(&call)?;
        let id = read::name("match_id", &call.into_inner().match_id)?;
        self.ask(Request::Resign { bot, id }).await?;
        Ok(Response::new(pb::ResignResponse {}))
    }
}
