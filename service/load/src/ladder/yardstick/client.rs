//! The clients: one connection per bot, with an open stream, and calls by a timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use azulejo_bots::Dice;
use bytes::Bytes;
use http::uri::PathAndQuery;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::Workload;
use super::server::{HEARTBEAT, PING, PLAY, READY, SUBMIT};
use crate::raw::Raw;

/// Deadline of a call, as in the SDK.
const CALL: Duration = Duration::from_secs(10);
/// The share by which the time between two moves of a connection varies.
const JITTER: f64 = 0.5;

/// Numbers of messages so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct YardstickCounts {
    pub(super) moves: u64,
    pub(super) events: u64,
    pub(super) errors: u64,
}

#[derive(Debug, Default)]
struct Tally {
    moves: AtomicU64,
    events: AtomicU64,
    errors: AtomicU64,
}

pub(super) struct YardstickClients {
    tasks: JoinSet<()>,
    tally: Arc<Tally>,
}

impl YardstickClients {
    /// Connects all clients; each begins at once.
    pub(super) async fn connect(url: &str, workload: &Workload) -> Result<Self> {
        let tally = Arc::new(Tally::default());
        let messages = Arc::new(Requests::new(workload));
        let mut tasks = JoinSet::new();
        for number in 0..workload.connections {
            let client = YardstickClient {
                grpc: Grpc::new(connect(url).await?),
                bearer: bearer(number, workload.token_bytes)?,
                messages: Arc::clone(&messages),
                tally: Arc::clone(&tally),
            };
            let events = client.play().await.context("the yardstick refused a stream")?;
            tasks.spawn(client.clone().read_events(events));
            tasks.spawn(client.submit_moves(number));
        }
        Ok(Self { tasks, tally })
    }

    pub(super) fn counts(&self) -> YardstickCounts {
        let Tally { moves, events, errors } = &*self.tally;
        let [moves, events, errors] =
            [moves, events, errors].map(|count| count.load(Ordering::Relaxed));
        YardstickCounts { moves, events, errors }
    }

    pub(super) async fn disconnect(mut self) {
        self.tasks.shutdown().await;
    }
}

/// The requests, which are the same for all clients.
struct Requests {
    submit: Bytes,
    ready: Bytes,
    heartbeat: Bytes,
    ready_per_move: f64,
    /// Between two moves of a connection.
    every: Duration,
}

impl Requests {
    fn new(workload: &Workload) -> Self {
        let zeros = |bytes: usize| Bytes::from(vec![0; bytes]);
        let messages = &workload.messages;
        let every = f64::from(workload.connections) / workload.moves_per_second;
        Self {
            submit: zeros(messages.submit.request_bytes),
            ready: zeros(messages.ready.request_bytes),
            heartbeat: zeros(messages.heartbeat.request_bytes),
            ready_per_move: messages.ready.per_move,
            every: Duration::from_secs_f64(every),
        }
    }
}

#[derive(Clone)]
struct YardstickClient {
    grpc: Grpc<Channel>,
    bearer: MetadataValue<Ascii>,
    messages: Arc<Requests>,
    tally: Arc<Tally>,
}

impl YardstickClient {
    fn request(&self, message: Bytes) -> Request<Bytes> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        request
    }

    async fn play(&self) -> Result<tonic::Streaming<Bytes>, Status> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let path = PathAndQuery::from_static(PLAY);
        let request = self.request(self.messages.ready.clone());
        Ok(grpc.server_streaming(request, path, Raw).await?.into_inner())
    }

    async fn call(&self, path: &'static str, message: &Bytes) {
        let mut grpc = self.grpc.clone();
        let mut request = self.request(message.clone());
        request.set_timeout(CALL);
        let answer = match grpc.ready().await {
            Ok(()) => grpc.unary(request, PathAndQuery::from_static(path), Raw).await.is_ok(),
            Err(_) => false,
        };
        if !answer {
            self.tally.errors.fetch_add(1, Ordering::Relaxed);
        } else if path == SUBMIT {
            self.tally.moves.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Answers pings, as the SDK does.
    async fn read_events(self, mut events: tonic::Streaming<Bytes>) {
        while let Ok(Some(event)) = events.message().await {
            self.tally.events.fetch_add(1, Ordering::Relaxed);
            if event.first() == Some(&PING) {
                let client = self.clone();
                tokio::spawn(async move {
                    client.call(HEARTBEAT, &client.messages.heartbeat).await;
                });
            }
        }
    }

    /// Moves at the pace of the workload, whether or not the server is slow.
    async fn submit_moves(self, number: u32) {
        let mut dice = Dice::new(number.into());
        let Requests { submit, ready, ready_per_move, every, .. } = &*self.messages;
        let mut due = Instant::now() + every.mul_f64(f64::from(dice.share()));
        let mut unsent = f64::from(dice.share());
        loop {
            sleep_until(due).await;
            self.call(SUBMIT, submit).await;
            unsent += ready_per_move;
            if unsent >= 1.0 {
                unsent -= 1.0;
                self.call(READY, ready).await;
            }
            due += every.mul_f64(1.0 + JITTER * (2.0 * f64::from(dice.share()) - 1.0));
        }
    }
}

/// With the settings of the SDK.
async fn connect(url: &str) -> Result<Channel> {
    let endpoint = azulejo_sdk::endpoint(url)?
        .connect_timeout(Duration::from_secs(5))
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(5))
        .keep_alive_while_idle(true);
    azulejo_sdk::connect(endpoint).await.context("cannot connect to the yardstick")
}

/// A token of this many bytes that ends with the number of the connection.
fn bearer(number: u32, bytes: usize) -> Result<MetadataValue<Ascii>> {
    let token = format!("azb_{number:0width$}", width = bytes.saturating_sub(4));
    Ok(format!("Bearer {token}").parse()?)
}
