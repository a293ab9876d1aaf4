//! The main loop of a bot, from the first connection to the last match.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::play_event::Event;
use pb::play_service_client::PlayServiceClient;
use thiserror::Error;
use tokio_stream::StreamExt as _;
use tonic::{Code, Status};

use crate::any_bot::AnyBot;
use crate::fair_play::Seen;
use crate::link::{Error, Link, backoff, is_passing, reason};
use crate::{Accepted, Bot, Options};

/// A stream without any message for this long is dead.
const SILENCE: Duration = Duration::from_secs(15);
/// Attempts to submit a decision. The delays are short, as the clock is running.
const ATTEMPTS: u32 = 20;

/// Maximum number of ends that one heartbeat acknowledges.
const MOST_ENDS: usize = 200;

/// Why a bot has stopped playing.
#[derive(Debug, Error)]
pub enum Ended {
    /// Another process uses the token. Reconnecting would only replace that one.
    #[error("another process uses this token")]
    Replaced,
    #[error(transparent)]
    Error(#[from] Error),
}

/// Plays until it is stopped, replaced, or refused with an error that a retry cannot fix.
pub async fn run(bot: impl Bot, options: Options) -> Result<(), Ended> {
    play(Arc::new(bot), options).await
}

fn play(
    bot: Arc<dyn AnyBot>,
    options: Options,
) -> Pin<Box<dyn Future<Output = Result<(), Ended>> + Send>> {
    let player = Arc::new(Player {
        bot,
        options,
        seen: Mutex::default(),
        thinking: Mutex::default(),
        ended: Mutex::default(),
    });
    Box::pin(play_until_stopped(player))
}

async fn play_until_stopped(player: Arc<Player>) -> Result<(), Ended> {
    let stop = player.options.stop.clone();
    let mut attempt = 0;
    while !stop.is_cancelled() {
        let link = Link::new(&player.options)?;
        let left = tokio::select! {
            left = player.listen(&link) => left,
            () = stop.cancelled() => return Ok(()),
        };
        let failure = match left {
            Left::Ended(ended) => return Err(ended),
            Left::Heard => {
                attempt = 0;
                None
            }
            Left::Failed(status) => {
                attempt += 1;
                Some(status)
            }
        };
        tracing::debug!(attempt, "the stream has ended; reconnecting");
        tokio::select! {
            () = tokio::time::sleep(backoff(attempt, failure.as_ref())) => {}
            () = stop.cancelled() => {}
        }
    }
    Ok(())
}

/// How a stream ended.
enum Left {
    /// At least one event was received.
    Heard,
    Failed(Status),
    Ended(Ended),
}

struct Player {
    bot: Arc<dyn AnyBot>,
    options: Options,
    seen: Mutex<HashMap<String, Seen>>,
    /// Decisions in progress: match, turn, and number of illegal tries.
    thinking: Mutex<HashSet<(String, u32, u32)>>,
    /// Matches whose end was received but not acknowledged yet.
    ended: Mutex<Vec<String>>,
}

impl Player {
    async fn listen(self: &Arc<Self>, link: &Link) -> Left {
        let mut client = PlayServiceClient::new(link.channel.clone());
        let request = pb::PlayRequest { hello: Some(self.options.hello()) };
        let mut events = match client.play(link.stream(request)).await {
            Ok(events) => events.into_inner(),
            Err(status) if is_passing(&status) => return Left::Failed(status),
            Err(status) => return Left::Ended(Error::Refused(Box::new(status)).into()),
        };
        let mut heard = false;
        loop {
            let next = tokio::time::timeout(SILENCE, events.next()).await;
            let event = match next {
                Ok(Some(Ok(pb::PlayResponse { event: Some(event) }))) => event,
                Ok(Some(Ok(pb::PlayResponse { event: None }))) => continue,
                Ok(Some(Err(status))) if !heard => return Left::Failed(status),
                Ok(Some(Err(_)) | None) | Err(_) => return Left::Heard,
            };
            heard = true;
            if let Err(ended) = self.take(link, event) {
                return Left::Ended(ended);
            }
        }
    }

    fn take(self: &Arc<Self>, link: &Link, event: pb::PlayEvent) -> Result<(), Ended> {
        let arrived = Instant::now();
        match event.event {
            Some(Event::Snapshot(snapshot)) => self.catch_up(link, snapshot, arrived),
            Some(Event::MatchStarting(starting)) => self.get_ready(link, &starting),
            Some(Event::MatchStarted(started)) => {
                if let Some(seen) = self.seen().get_mut(&started.match_id) {
                    seen.started(&started);
                }
                self.bot.match_started(&started);
            }
            Some(Event::Turn(turn)) => self.decide(link, turn, arrived),
            Some(Event::MoveMade(made)) => {
                if let Some(seen) = self.seen().get_mut(&made.match_id) {
                    seen.moved(&made);
                }
                self.bot.move_made(&made);
            }
            // The answer to the next ping acknowledges it.
            Some(Event::MatchEnded(ended)) => self.over(&ended),
            Some(Event::Ping(pb::Ping { number })) => self.beat(link, number),
            Some(Event::Replaced(pb::Replaced {})) => return Err(Ended::Replaced),
            Some(Event::Paused(paused)) => {
                tracing::warn!(paused.note, paused.match_id, "the bot is paused");
            }
            // GoingAway: the stream ends by itself. Others are events of later versions.
            Some(Event::GoingAway(_)) | None => {}
        }
        Ok(())
    }

    fn catch_up(self: &Arc<Self>, link: &Link, snapshot: pb::Snapshot, arrived: Instant) {
        self.bot.connected(&snapshot);
        for ended in &snapshot.ended {
            self.over(ended);
        }
        for seating in snapshot.seatings {
            if let Some(starting) = seating.starting {
                self.get_ready(link, &starting);
            }
            if let Some(turn) = seating.turn {
                self.decide(link, turn, arrived);
            }
        }
    }

    fn get_ready(self: &Arc<Self>, link: &Link, starting: &pb::MatchStarting) {
        let Some(id) = starting.r#match.as_ref().map(|called| called.id.clone()) else { return };
        self.bot.match_starting(starting);
        let nonce = {
            let mut all = self.seen();
            let fresh = || {
                let mut nonce = [0; 32];
                getrandom::fill(&mut nonce).ok()?;
                Seen::new(starting, nonce)
            };
            // Repeated after an interruption: send the same answer.
            match all.get(&id).cloned().or_else(fresh) {
                Some(seen) => all.entry(id.clone()).or_insert(seen).nonce(),
                None => return,
            }
        };
        let (player, link) = (Arc::clone(self), link.clone());
        tokio::spawn(async move {
            let request = pb::ReadyRequest { match_id: id, nonce: nonce.to_vec() };
            player
                .insist(&link, |mut client, link| {
                    let call = link.call(request.clone());
                    async move { client.ready(call).await.map(drop) }
                })
                .await;
        });
    }

    fn decide(self: &Arc<Self>, link: &Link, turn: pb::Turn, arrived: Instant) {
        let asked = (turn.match_id.clone(), turn.turn, turn.illegal_tries);
        // Repeated after an interruption: the answer is on its way.
        if !self.thinking().insert(asked.clone()) {
            return;
        }
        let (player, link) = (Arc::clone(self), link.clone());
        tokio::spawn(async move {
            // Even if the bot panics: otherwise it would never be called again.
            let _asked = Asked { player: &player, what: asked };
            player.think(&link, turn, arrived).await;
        });
    }

    async fn think(&self, link: &Link, turn: pb::Turn, arrived: Instant) {
        let (match_id, turn_number) = (turn.match_id.clone(), turn.turn);
        let decided = Arc::clone(&self.bot).decide(turn, arrived).await;
        let Some(action_id) = decided else { return };
        let action = Some(pb::submit_move_request::Action::ActionId(action_id));
        let request = pb::SubmitMoveRequest { match_id, turn: Some(turn_number), action };
        let thought = arrived.elapsed();
        let answer = self.insist(link, |mut client, link| {
            let call = link.call(request.clone());
            async move {
                let sent = Instant::now();
                let answer = client.submit_move(call).await?.into_inner();
                Ok((answer, sent.elapsed()))
            }
        });
        if let Some((answer, answered_in)) = answer.await {
            let receipt = answer.receipt.unwrap_or_default();
            let (match_id, turn) = (request.match_id, turn_number);
            let accepted = Accepted { match_id, turn, action_id, thought, answered_in, receipt };
            self.bot.accepted(&accepted);
        }
    }

    /// Makes a call until it is answered. All calls are idempotent. `None`: it was refused.
    async fn insist<T, F>(
        &self,
        link: &Link,
        call: impl Fn(PlayServiceClient<tonic::transport::Channel>, Link) -> F,
    ) -> Option<T>
    where
        F: Future<Output = Result<T, Status>>,
    {
        let mut link = link.clone();
        for attempt in 0..ATTEMPTS {
            let client = PlayServiceClient::new(link.channel.clone());
            let status = match call(client, link.clone()).await {
                Ok(answer) => return Some(answer),
                Err(status) => status,
            };
            if !is_passing(&status) || self.options.stop.is_cancelled() {
                let reason = reason(&status).unwrap_or_default();
                // Stale turns, ended matches, and a move that was accepted before a reconnect.
                let expected = matches!(
                    status.code(),
                    Code::Aborted | Code::FailedPrecondition | Code::AlreadyExists
                );
                if !expected {
                    tracing::warn!(reason, message = status.message(), "refused");
                }
                return None;
            }
            tokio::time::sleep(backoff(attempt, Some(&status))).await;
            if let Ok(fresh) = Link::new(&self.options) {
                link = fresh;
            }
        }
        None
    }

    fn over(&self, ended: &pb::MatchEnded) {
        let Some(id) = ended.r#match.as_ref().map(|ended| ended.id.clone()) else { return };
        let fair = self.seen().remove(&id).and_then(|seen| seen.check(ended));
        if let Some(Err(unfair)) = &fair {
            tracing::error!(id, %unfair, "the deals of this match were not fair");
        }
        self.bot.match_ended(ended, fair.as_ref());
        self.ended().push(id);
    }

    /// Answers a ping, and acknowledges the ends that were received since the last one.
    fn beat(self: &Arc<Self>, link: &Link, ping: u64) {
        let (player, link) = (Arc::clone(self), link.clone());
        tokio::spawn(async move {
            let ids: Vec<String> = player.ended().iter().take(MOST_ENDS).cloned().collect();
            let mut client = PlayServiceClient::new(link.channel.clone());
            let request = pb::HeartbeatRequest { ping, ended_match_ids: ids.clone() };
            // If it is lost, the next one repeats it.
            if client.heartbeat(link.call(request)).await.is_ok() {
                player.ended().retain(|id| !ids.contains(id));
            }
        });
    }

    fn ended(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn thinking(&self) -> std::sync::MutexGuard<'_, HashSet<(String, u32, u32)>> {
        self.thinking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, HashMap<String, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A decision in progress; finished when dropped.
struct Asked<'a> {
    player: &'a Player,
    what: (String, u32, u32),
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.player.thinking().remove(&self.what);
    }
}
