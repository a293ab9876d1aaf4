//! Stands between the bots and the arena, on the same port. It passes everything on and writes down
//! what it saw; told to, it is as unkind as a network can be.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use azulejo_arena::desk::Arena;
use azulejo_arena::grpc::Services;
use azulejo_arena::names::BotId;
use azulejo_arena::store::Holder;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::play_service_server::PlayService;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt as _;

use super::{Journal, Noted};

/// What goes wrong, from when it is set until it is set again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    #[default]
    None,
    /// Every event comes twice.
    DoubleEvents,
    /// Before each turn comes one that is long over.
    OldTurns,
    /// After so many answers, one does not reach the arena, and gets no reply.
    LoseAnswer(u32),
    /// After so many answers, one reaches the arena, but gets no reply.
    LoseReply(u32),
    /// After so many answers, one is refused, as no legal move.
    RefuseAnswer(u32),
}

#[derive(Clone)]
pub(crate) struct Front {
    services: Services,
    arena: Arena,
    journal: Arc<Journal>,
    mischief: Arc<Mischief>,
}

/// The fault that is set, and what it needs to remember.
#[derive(Debug, Default)]
pub(crate) struct Mischief {
    fault: Mutex<Fault>,
    /// The turns of each match that went out, the newest last.
    turns: Mutex<HashMap<String, Vec<pb::PlayEvent>>>,
}

impl Mischief {
    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    fn fault(&self) -> Fault {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fault, if it is one that strikes once at an answer.
    fn strike(&self) -> Fault {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *fault {
            Fault::None | Fault::DoubleEvents | Fault::OldTurns => Fault::None,
            Fault::LoseAnswer(0) | Fault::LoseReply(0) | Fault::RefuseAnswer(0) => {
                std::mem::take(&mut fault)
            }
            Fault::LoseAnswer(more) | Fault::LoseReply(more) | Fault::RefuseAnswer(more) => {
                *more -= 1;
                Fault::None
            }
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<String, Vec<pb::PlayEvent>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Front {
    pub(crate) const fn new(
        services: Services,
        arena: Arena,
        journal: Arc<Journal>,
        mischief: Arc<Mischief>,
    ) -> Self {
        Self { services, arena, journal, mischief }
    }

    /// Whose call it is; none if the arena will refuse it anyway.
    fn caller<T>(&self, call: &Request<T>) -> Option<BotId> {
        match self.arena.holder(azulejo_arena::grpc::token(call)?)? {
            Holder::Bot(bot) => Some(bot),
            Holder::Owner(_) | Holder::Admin => None,
        }
    }

    fn note(&self, bot: Option<&BotId>, what: Noted) {
        if let Some(bot) = bot {
            self.journal.note(bot, what);
        }
    }

    fn hello(&self, bot: Option<&BotId>, hello: Option<&pb::Hello>) {
        let offer = hello.map(|hello| hello.offer.clone().unwrap_or_default());
        if let Some(offer) = offer {
            self.note(bot, Noted::Hello(offer));
        }
    }

    /// The event as the bot gets it: once, twice, or after an old one.
    fn told(&self, bot: Option<&BotId>, event: pb::PlayEvent) -> Vec<pb::PlayEvent> {
        let fault = self.mischief.fault();
        let mut events = Vec::new();
        if let (Fault::OldTurns, Some(Told::Turn(turn))) = (fault, &event.event) {
            let mut turns = self.mischief.turns();
            let earlier = turns.entry(turn.match_id.clone()).or_default();
            // The one before the last: its answer can no longer be taken for a repetition.
            if let [.., old, _] = earlier.as_slice() {
                events.push(pb::PlayEvent { seq: event.seq, ..old.clone() });
                self.note(bot, Noted::AskedAgain);
            }
            earlier.push(event.clone());
        }
        if fault == Fault::DoubleEvents {
            events.push(event.clone());
        }
        events.push(event);
        events
    }

    /// Notes what became of an answer.
    fn judged(
        &self,
        bot: Option<&BotId>,
        turn: u32,
        judged: &Result<Response<pb::SubmitMoveResponse>, Status>,
    ) {
        let what = match judged {
            Ok(response) => {
                let receipt = response.get_ref().receipt.unwrap_or_default();
                let time = |time: Option<prost_types::Duration>| {
                    time.and_then(|time| time.try_into().ok()).unwrap_or_default()
                };
                Noted::Answered {
                    measured: time(receipt.elapsed_time),
                    left: time(receipt.time_left),
                }
            }
            Err(status) => {
                let info = status.get_details_error_info();
                let reason = info.map(|info| info.reason).unwrap_or_default();
                Noted::Refused { turn, reason, message: status.message().to_owned() }
            }
        };
        self.note(bot, what);
    }

    /// What the arena says to an answer that is no legal move; the bot's own one then counts, so
    /// that the match goes on whether or not the bot answers again.
    async fn refuse(
        &self,
        call: Request<pb::SubmitMoveRequest>,
    ) -> Result<Response<pb::SubmitMoveResponse>, Status> {
        use pb::submit_move_request::Action;
        let (metadata, extensions, said) = call.into_parts();
        let wrong =
            pb::SubmitMoveRequest { action: Some(Action::ActionId(u32::MAX)), ..said.clone() };
        let again = Request::from_parts(metadata.clone(), extensions.clone(), wrong);
        let refused = self.services.submit_move(again).await;
        self.services.submit_move(Request::from_parts(metadata, extensions, said)).await?;
        refused
    }
}

#[tonic::async_trait]
impl PlayService for Front {
    type PlayStream = Pin<Box<dyn Stream<Item = Result<pb::PlayResponse, Status>> + Send>>;

    async fn play(
        &self,
        call: Request<pb::PlayRequest>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let bot = self.caller(&call);
        let hello = call.get_ref().hello.clone();
        let events = PlayService::play(&self.services, call).await?.into_inner();
        self.hello(bot.as_ref(), hello.as_ref());
        let front = self.clone();
        let told = events.map(move |response| match response {
            Ok(pb::PlayResponse { event: Some(event) }) => {
                let events = front.told(bot.as_ref(), event);
                events
                    .into_iter()
                    .map(|event| Ok(pb::PlayResponse { event: Some(event) }))
                    .collect()
            }
            other => vec![other],
        });
        let flat = futures_util::StreamExt::flat_map(told, tokio_stream::iter);
        Ok(Response::new(Box::pin(flat)))
    }

    async fn next_events(
        &self,
        call: Request<pb::NextEventsRequest>,
    ) -> Result<Response<pb::NextEventsResponse>, Status> {
        let bot = self.caller(&call);
        let hello = call.get_ref().hello.clone().filter(|_| call.get_ref().session.is_empty());
        let mut response = self.services.next_events(call).await?;
        self.hello(bot.as_ref(), hello.as_ref());
        let events = std::mem::take(&mut response.get_mut().events);
        let told = events.into_iter().flat_map(|event| self.told(bot.as_ref(), event));
        response.get_mut().events = told.collect();
        Ok(response)
    }

    async fn ready(
        &self,
        call: Request<pb::ReadyRequest>,
    ) -> Result<Response<pb::ReadyResponse>, Status> {
        self.services.ready(call).await
    }

    async fn submit_move(
        &self,
        call: Request<pb::SubmitMoveRequest>,
    ) -> Result<Response<pb::SubmitMoveResponse>, Status> {
        let bot = self.caller(&call);
        let turn = call.get_ref().turn.unwrap_or_default();
        let lost = std::future::pending();
        match self.mischief.strike() {
            Fault::LoseAnswer(_) => {
                self.note(bot.as_ref(), Noted::Held { turn });
                return lost.await;
            }
            Fault::LoseReply(_) => {
                let judged = self.services.submit_move(call).await;
                self.judged(bot.as_ref(), turn, &judged);
                self.note(bot.as_ref(), Noted::Held { turn });
                return lost.await;
            }
            Fault::RefuseAnswer(_) => {
                let refused = self.refuse(call).await;
                self.judged(bot.as_ref(), turn, &refused);
                return refused;
            }
            Fault::None | Fault::DoubleEvents | Fault::OldTurns => {}
        }
        let judged = self.services.submit_move(call).await;
        self.judged(bot.as_ref(), turn, &judged);
        judged
    }

    async fn heartbeat(
        &self,
        call: Request<pb::HeartbeatRequest>,
    ) -> Result<Response<pb::HeartbeatResponse>, Status> {
        self.services.heartbeat(call).await
    }

    async fn resign(
        &self,
        call: Request<pb::ResignRequest>,
    ) -> Result<Response<pb::ResignResponse>, Status> {
        let bot = self.caller(&call);
        let resigned = self.services.resign(call).await?;
        self.note(bot.as_ref(), Noted::Resigned);
        Ok(resigned)
    }
}
