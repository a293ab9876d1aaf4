//! A bot that always reconnects, and records all acknowledgements.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::play_event::Event;
use pb::play_service_client::PlayServiceClient;
use pb::submit_move_request::Action;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use crate::scripted_bot::{NONCE, bearer};
use crate::strategies::legal;

/// Acknowledged actions by match and turn, and the duration of each call.
#[derive(Default)]
pub(crate) struct Observed {
    pub(crate) acknowledged: BTreeMap<(String, u32), u32>,
    pub(crate) calls: Vec<Duration>,
    pub(crate) ended: Vec<pb::MatchEnded>,
    /// Errors that a well-behaved bot should never get.
    pub(crate) unexpected: Vec<String>,
}

#[derive(Clone)]
pub(crate) struct ReconnectingBot {
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) observed: Arc<Mutex<Observed>>,
    /// Thinking time per move.
    pub(crate) thinks: Duration,
}

impl ReconnectingBot {
    pub(crate) fn new(url: String, token: String, thinks: Duration) -> Self {
        Self { url, token, observed: Arc::default(), thinks }
    }

    /// Plays until the task is aborted.
    pub(crate) fn plays(&self, offer: pb::Offer) -> JoinHandle<()> {
        let bot = self.clone();
        tokio::spawn(async move {
            loop {
                bot.listen(&offer).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
    }

    fn channel(&self) -> Channel {
        Endpoint::from_shared(self.url.clone()).unwrap().tcp_nodelay(true).connect_lazy()
    }

    async fn listen(&self, offer: &pb::Offer) {
        let channel = self.channel();
        let mut client = PlayServiceClient::new(channel.clone());
        let (version, offer) = ("1".to_owned(), Some(offer.clone()));
        let hello = Some(pb::Hello { version, offer, sdk: "reconnecting/1".to_owned() });
        let opened = client.play(bearer(pb::PlayRequest { hello }, &self.token)).await;
        let Ok(opened) = opened else { return };
        let mut events = opened.into_inner();
        while let Ok(Some(pb::PlayResponse { event: Some(event) })) = events.message().await {
            self.take(&channel, event);
        }
    }

    fn take(&self, channel: &Channel, pb::PlayEvent { event, .. }: pb::PlayEvent) {
        match event.unwrap() {
            Event::Snapshot(snapshot) => {
                let ended = snapshot.ended.iter().filter_map(|ended| ended.r#match.as_ref());
                self.beat(channel, 0, ended.map(|ended| ended.id.clone()).collect());
                self.observed.lock().unwrap().ended.extend(snapshot.ended);
                for seating in snapshot.seatings {
                    if seating.starting.is_some() {
                        self.get_ready(channel, seating.r#match.unwrap().id);
                    }
                    if let Some(turn) = seating.turn {
                        self.decide(channel, turn);
                    }
                }
            }
            Event::MatchStarting(starting) => {
                self.get_ready(channel, starting.r#match.unwrap().id);
            }
            Event::Turn(turn) => self.decide(channel, turn),
            Event::Ping(ping) => self.beat(channel, ping.number, Vec::new()),
            Event::MatchEnded(ended) => {
                self.beat(channel, 0, vec![ended.r#match.as_ref().unwrap().id.clone()]);
                self.observed.lock().unwrap().ended.push(ended);
            }
            Event::MatchStarted(_) | Event::MoveMade(_) | Event::GoingAway(_) => {}
            Event::Replaced(_) | Event::Paused(_) => self.unexpected("replaced or paused"),
        }
    }

    fn unexpected(&self, what: &str) {
        self.observed.lock().unwrap().unexpected.push(what.to_owned());
    }

    fn beat(&self, channel: &Channel, ping: u64, ended_match_ids: Vec<String>) {
        let mut client = PlayServiceClient::new(channel.clone());
        let request = bearer(pb::HeartbeatRequest { ping, ended_match_ids }, &self.token);
        tokio::spawn(async move { client.heartbeat(request).await });
    }

    fn get_ready(&self, channel: &Channel, match_id: String) {
        let mut client = PlayServiceClient::new(channel.clone());
        let request = pb::ReadyRequest { match_id, nonce: NONCE.to_vec() };
        let request = bearer(request, &self.token);
        // If it is lost, the next snapshot repeats it.
        tokio::spawn(async move { client.ready(request).await });
    }

    fn decide(&self, channel: &Channel, turn: pb::Turn) {
        let (bot, mut client) = (self.clone(), PlayServiceClient::new(channel.clone()));
        tokio::spawn(async move {
            tokio::time::sleep(bot.thinks).await;
            let Action::ActionId(id) = legal(&turn) else { return };
            let pb::Turn { match_id, turn, .. } = turn;
            let action = Some(Action::ActionId(id));
            let request =
                pb::SubmitMoveRequest { match_id: match_id.clone(), turn: Some(turn), action };
            let began = Instant::now();
            let answer = client.submit_move(bearer(request, &bot.token)).await;
            let mut observed = bot.observed.lock().unwrap();
            match answer {
                Ok(_receipt) => {
                    observed.acknowledged.insert((match_id, turn), id);
                    observed.calls.push(began.elapsed());
                }
                // If it was lost, the next snapshot contains the turn if it is still due.
                Err(status) if is_expected(&status) => {}
                Err(status) => observed.unexpected.push(format!("{match_id} {turn}: {status:?}")),
            }
        });
    }
}

/// The arena was down, or the previous stream has answered the same turn.
fn is_expected(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unavailable | Code::Unknown | Code::Cancelled | Code::Internal | Code::Aborted
    )
}
