//! The server: answers calls with zeros, and pushes zeros to the open streams.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::server::{Grpc, NamedService, ServerStreamingService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tower::Service;

use super::Workload;
use crate::raw::Raw;

pub(super) const PLAY: &str = "/azulejo.load.Yardstick/Play";
pub(super) const SUBMIT: &str = "/azulejo.load.Yardstick/SubmitMove";
pub(super) const READY: &str = "/azulejo.load.Yardstick/Ready";
pub(super) const HEARTBEAT: &str = "/azulejo.load.Yardstick/Heartbeat";
/// The first byte of a ping; of other events it is 0.
pub(super) const PING: u8 = 1;

/// How often due pings are sent: as often as the arena does.
const TICK: Duration = Duration::from_millis(10);

/// Exchange messages of these sizes, and do nothing else. Started by `load ladder`, as a separate
/// process.
#[derive(Debug, Args)]
pub(crate) struct YardstickServer {
    /// The workload as JSON.
    #[arg(long)]
    workload: String,
}

impl YardstickServer {
    pub(crate) async fn run(self) -> Result<()> {
        let workload = serde_json::from_str(&self.workload).context("invalid workload")?;
        let service = YardstickService(Arc::new(State::new(&workload)));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        say!("http://{}", listener.local_addr()?);
        tokio::spawn(send_pings(Arc::clone(&service.0), workload));
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        Ok(Server::builder().add_service(service).serve_with_incoming(incoming).await?)
    }
}

type Item = Result<Bytes, Status>;

struct State {
    /// By number of the connection, from its token.
    streams: Vec<OnceLock<UnboundedSender<Item>>>,
    seats: usize,
    moves: AtomicU64,
    /// Events per move.
    events: Vec<(f64, Bytes)>,
    ping: Bytes,
    submit: Bytes,
    ready: Bytes,
    heartbeat: Bytes,
}

impl State {
    fn new(workload: &Workload) -> Self {
        let zeros = |bytes: usize| Bytes::from(vec![0; bytes]);
        let messages = &workload.messages;
        let events = messages.events.iter().map(|event| (event.per_move, zeros(event.bytes)));
        Self {
            streams: (0..workload.connections).map(|_| OnceLock::new()).collect(),
            seats: workload.seats.max(1) as usize,
            moves: AtomicU64::new(0),
            events: events.collect(),
            ping: Bytes::from(vec![PING; messages.ping_bytes]),
            submit: zeros(messages.submit.response_bytes),
            ready: zeros(messages.ready.response_bytes),
            heartbeat: zeros(messages.heartbeat.response_bytes),
        }
    }

    fn push(&self, connection: usize, event: &Bytes) {
        if let Some(stream) = self.streams.get(connection).and_then(OnceLock::get) {
            let _closed = stream.send(Ok(event.clone()));
        }
    }

    /// Pushes what follows a move: to the next seat first, to the seat that moved last.
    fn moved(&self, connection: usize) {
        let number = self.moves.fetch_add(1, Ordering::Relaxed);
        let (first, seat) = (connection - connection % self.seats, connection % self.seats);
        for (per_move, event) in &self.events {
            for copy in 0..due(*per_move, number) {
                let seat = (seat + 1 + copy as usize) % self.seats;
                self.push(first + seat, event);
            }
        }
    }
}

/// How many times something that happens this often per move happens with this move.
fn due(per_move: f64, number: u64) -> u64 {
    let until = |moves: u64| (moves as f64 * per_move + 1e-6) as u64;
    until(number + 1) - until(number)
}

async fn send_pings(state: Arc<State>, workload: Workload) {
    let per_second = workload.moves_per_second * workload.messages.heartbeat.per_move;
    let mut ticks = tokio::time::interval(TICK);
    for tick in 0.. {
        ticks.tick().await;
        let until = |tick: u64| (tick as f64 * TICK.as_secs_f64() * per_second) as u64;
        for number in until(tick)..until(tick + 1) {
            state.push(number as usize % state.streams.len(), &state.ping);
        }
    }
}

/// The number of the connection: the digits at the end of its token.
fn connection(metadata: &MetadataMap) -> Result<usize, Status> {
    let token = metadata.get("authorization").and_then(|token| token.to_str().ok());
    let digits = token.and_then(|token| token.rsplit('_').next()?.parse().ok());
    digits.ok_or_else(|| Status::unauthenticated("invalid token"))
}

#[derive(Clone)]
struct YardstickService(Arc<State>);

impl NamedService for YardstickService {
    const NAME: &'static str = "azulejo.load.Yardstick";
}

impl Service<http::Request<Body>> for YardstickService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let state = Arc::clone(&self.0);
        Box::pin(async move {
            let mut grpc = Grpc::new(Raw);
            Ok(match request.uri().path() {
                PLAY => grpc.server_streaming(Play(state), request).await,
                SUBMIT => grpc.unary(Submit(state), request).await,
                READY => grpc.unary(Fixed(state.ready.clone()), request).await,
                HEARTBEAT => grpc.unary(Fixed(state.heartbeat.clone()), request).await,
                _ => Status::unimplemented("no such method").into_http(),
            })
        })
    }
}

struct Play(Arc<State>);

impl ServerStreamingService<Bytes> for Play {
    type Response = Bytes;
    type ResponseStream = UnboundedReceiverStream<Item>;
    type Future = Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        ready(connection(request.metadata()).map(|connection| {
            let (sender, receiver) = unbounded_channel();
            if let Some(stream) = self.0.streams.get(connection) {
                let _opened_twice = stream.set(sender);
            }
            Response::new(UnboundedReceiverStream::new(receiver))
        }))
    }
}

struct Submit(Arc<State>);

impl UnaryService<Bytes> for Submit {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        ready(connection(request.metadata()).map(|connection| {
            self.0.moved(connection);
            Response::new(self.0.submit.clone())
        }))
    }
}

struct Fixed(Bytes);

impl UnaryService<Bytes> for Fixed {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, _request: Request<Bytes>) -> Self::Future {
        ready(Ok(Response::new(self.0.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::due;

    #[test]
    fn fractions_of_events_add_up() {
        let total = |per_move| (0..1_000).map(|number| due(per_move, number)).sum::<u64>();

        assert_eq!(total(2.0), 2_000);
        assert_eq!(total(0.03), 30);
        assert_eq!(total(1.5), 1_500);
        assert_eq!(total(0.0), 0);
        assert_eq!(due(2.0, 17), 2);
    }
}
