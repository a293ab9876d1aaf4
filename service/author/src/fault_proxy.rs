//! A proxy between the bots and the arena, inside the server. It passes on every call, logs it in the
//! journal, and injects the faults that `azulejo check` asks for.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use azulejo_arena::arena_loop::Arena;
use azulejo_arena::grpc::Services;
use azulejo_arena::names::BotId;
use azulejo_arena::store::Holder;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as PlayEventKind;
use pb::play_service_server::PlayService;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use tonic_types::StatusExt as _;

use super::{Journal, JournalEvent};

/// A fault to inject. It stays active until another one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    #[default]
    None,
    /// Every event is sent twice.
    DuplicateEvents,
    /// Each turn is preceded by an old one.
    StaleTurns,
    /// After this many answers, one does not reach the arena and gets no reply. Once.
    DropAnswer(u32),
    /// After this many answers, one reaches the arena but gets no reply. Once.
    DropReply(u32),
    /// After this many answers, one is refused as an illegal move. Once.
    RefuseAnswer(u32),
}

#[derive(Clone)]
pub(crate) struct FaultProxy {
    services: Services,
    arena: Arena,
    journal: Arc<Journal>,
    injector: Arc<FaultInjector>,
}

/// The active fault and its state.
#[derive(Debug, Default)]
pub(crate) struct FaultInjector {
    fault: Mutex<Fault>,
    /// The turns sent so far, by match, the newest last.
    turns: Mutex<HashMap<String, Vec<pb::PlayEvent>>>,
}

impl FaultInjector {
    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    fn fault(&self) -> Fault {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fault for the current answer, if it is due. It is then cleared.
    fn take_answer_fault(&self) -> Fault {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *fault {
            Fault::None | Fault::DuplicateEvents | Fault::StaleTurns => Fault::None,
            Fault::DropAnswer(0) | Fault::DropReply(0) | Fault::RefuseAnswer(0) => {
                std::mem::take(&mut fault)
            }
            Fault::DropAnswer(left) | Fault::DropReply(left) | Fault::RefuseAnswer(left) => {
                *left -= 1;
                Fault::None
            }
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<String, Vec<pb::PlayEvent>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultProxy {
    pub(crate) const fn new(
        services: Services,
        arena: Arena,
        journal: Arc<Journal>,
        injector: Arc<FaultInjector>,
    ) -> Self {
        Self { services, arena, journal, injector }
    }

    /// The calling bot; `None` if the arena will refuse the call anyway.
    fn caller<T>(&self, call: &Request<T>) -> Option<BotId> {
        match self.arena.holder(azulejo_arena::grpc::token(call)?)? {
            Holder::Bot(bot) => Some(bot),
            Holder::Owner(_) | Holder::Admin => None,
        }
    }

    fn record(&self, bot: Option<&BotId>, event: JournalEvent) {
        if let Some(bot) = bot {
            self.journal.record(bot, event);
        }
    }

    fn record_hello(&self, bot: Option<&BotId>, hello: Option<&pb::Hello>) {
        let offer = hello.map(|hello| hello.offer.clone().unwrap_or_default());
        if let Some(offer) = offer {
            self.record(bot, JournalEvent::Connected(offer));
        }
    }

    /// The events that the bot receives for this one, with the active fault applied.
    fn deliver(&self, bot: Option<&BotId>, event: pb::PlayEvent) -> Vec<pb::PlayEvent> {
        let fault = self.injector.fault();
        let mut events = Vec::new();
        if let (Fault::StaleTurns, Some(PlayEventKind::Turn(turn))) = (fault, &event.event) {
            let mut turns = self.injector.turns();
            let earlier = turns.entry(turn.match_id.clone()).or_default();
            // Not the last turn: the arena would accept its answer as a retry.
            if let [.., old, _] = earlier.as_slice() {
                events.push(pb::PlayEvent { seq: event.seq, ..old.clone() });
                self.record(bot, JournalEvent::StaleTurnSent);
            }
            earlier.push(event.clone());
        }
        if fault == Fault::DuplicateEvents {
            events.push(event.clone());
        }
        events.push(event);
        events
    }

    /// Logs whether an answer was accepted or refused.
    fn record_answer(
        &self,
        bot: Option<&BotId>,
        turn: u32,
        result: &Result<Response<pb::SubmitMoveResponse>, Status>,
    ) {
        let event = match result {
            Ok(response) => {
                let receipt = response.get_ref().receipt.unwrap_or_default();
                let time = |time: Option<prost_types::Duration>| {
                    time.and_then(|time| time.try_into().ok()).unwrap_or_default()
                };
                JournalEvent::AnswerAccepted {
                    measured: time(receipt.elapsed_time),
                    left: time(receipt.time_left),
                }
            }
            Err(status) => {
                let info = status.get_details_error_info();
                let reason = info.map(|info| info.reason).unwrap_or_default();
                JournalEvent::AnswerRefused { turn, reason, message: status.message().to_owned() }
            }
        };
        self.record(bot, event);
    }

    /// Submits an illegal move instead, and returns the refusal. The bot's own move is submitted
    /// afterwards, so that the match continues even if the bot does not retry.
    async fn refuse(
        &self,
        call: Request<pb::SubmitMoveRequest>,
    ) -> Result<Response<pb::SubmitMoveResponse>, Status> {
        use pb::submit_move_request::Action;
        let (metadata, extensions, answer) = call.into_parts();
        let illegal =
            pb::SubmitMoveRequest { action: Some(Action::ActionId(u32::MAX)), ..answer.clone() };
        let wrong = Request::from_parts(metadata.clone(), extensions.clone(), illegal);
        let refused = self.services.submit_move(wrong).await;
        self.services.submit_move(Request::from_parts(metadata, extensions, answer)).await?;
        refused
    }
}

#[tonic::async_trait]
impl PlayService for FaultProxy {
    type PlayStream = Pin<Box<dyn Stream<Item = Result<pb::PlayResponse, Status>> + Send>>;

    async fn play(
        &self,
        call: Request<pb::PlayRequest>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let bot = self.caller(&call);
        let hello = call.get_ref().hello.clone();
        let events = PlayService::play(&self.services, call).await?.into_inner();
        self.record_hello(bot.as_ref(), hello.as_ref());
        let proxy = self.clone();
        let delivered = events.map(move |response| match response {
            Ok(pb::PlayResponse { event: Some(event) }) => {
                let events = proxy.deliver(bot.as_ref(), event);
                events
                    .into_iter()
                    .map(|event| Ok(pb::PlayResponse { event: Some(event) }))
                    .collect()
            }
            other => vec![other],
        });
        let flat = futures_util::StreamExt::flat_map(delivered, tokio_stream::iter);
        Ok(Response::new(Box::pin(flat)))
    }

    async fn next_events(
        &self,
        call: Request<pb::NextEventsRequest>,
    ) -> Result<Response<pb::NextEventsResponse>, Status> {
        let bot = self.caller(&call);
        let hello = call.get_ref().hello.clone().filter(|_| call.get_ref().session.is_empty());
        let mut response = self.services.next_events(call).await?;
        self.record_hello(bot.as_ref(), hello.as_ref());
        let events = std::mem::take(&mut response.get_mut().events);
        let delivered = events.into_iter().flat_map(|event| self.deliver(bot.as_ref(), event));
        response.get_mut().events = delivered.collect();
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
        let no_reply = std::future::pending();
        match self.injector.take_answer_fault() {
            Fault::DropAnswer(_) => {
                self.record(bot.as_ref(), JournalEvent::ReplyWithheld { turn });
                return no_reply.await;
            }
            Fault::DropReply(_) => {
                let result = self.services.submit_move(call).await;
                self.record_answer(bot.as_ref(), turn, &result);
                self.record(bot.as_ref(), JournalEvent::ReplyWithheld { turn });
                return no_reply.await;
            }
            Fault::RefuseAnswer(_) => {
                let refused = self.refuse(call).await;
                self.record_answer(bot.as_ref(), turn, &refused);
                return refused;
            }
            Fault::None | Fault::DuplicateEvents | Fault::StaleTurns => {}
        }
        let result = self.services.submit_move(call).await;
        self.record_answer(bot.as_ref(), turn, &result);
        result
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
        self.record(bot.as_ref(), JournalEvent::Resigned);
        Ok(resigned)
    }
}
