//! A connection, with or without TLS: one type, so that the server is compiled once for both. It
//! ends when nothing arrives, when it is idle, and when the peer does not read.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tonic::transport::server::Connected;

use crate::Share;
use crate::activity::{Activity, OpenCall, PATIENCE};
use crate::budget::Place;

/// How long the first byte may take.
const FIRST_BYTE: Duration = Duration::from_secs(10);

/// How long a connection may be useless.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// Without a call.
    pub(crate) idle: Duration,
    /// Data waits, and the peer does not read.
    pub(crate) write: Duration,
}

impl Timeouts {
    fn tick(self) -> Duration {
        self.write / PATIENCE
    }

    fn ticks(self, time: Duration) -> u32 {
        let ticks = time.as_nanos().div_ceil(self.tick().as_nanos().max(1));
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }
}

/// The other end of a connection, as every request on it knows it.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    share: Option<Share>,
    activity: Arc<Activity>,
    place: Arc<Mutex<Place>>,
}

impl Peer {
    pub(crate) fn new(share: Option<Share>, place: Place) -> Self {
        Self { share, activity: Arc::default(), place: Arc::new(Mutex::new(place)) }
    }

    /// The share of its address.
    pub(crate) const fn share(&self) -> Option<Share> {
        self.share
    }

    pub(crate) fn begin_call(&self) -> OpenCall {
        OpenCall::begin(&self.activity)
    }

    /// A valid token came by this connection: it no longer counts against its address, by which
    /// many bots may connect.
    pub(crate) fn identified(&self) {
        self.place.lock().unwrap_or_else(PoisonError::into_inner).release_share();
    }
}

type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// An accepted connection.
pub(crate) struct Connection {
    stream: Stream,
    peer: Peer,
    timeouts: Timeouts,
    timer: Interval,
    /// Nothing has arrived for this many ticks since it was accepted.
    silent: Option<u32>,
    /// The system has not accepted data for this many ticks.
    stuck: Option<u32>,
    end: Option<End>,
}

/// Why the server ends a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Idle,
    NotReading,
}

impl Connection {
    pub(crate) fn plain(stream: TcpStream, peer: Peer, timeouts: Timeouts) -> Self {
        Self::new(Either::Left(stream), peer, timeouts)
    }

    pub(crate) fn tls(stream: TlsStream<TcpStream>, peer: Peer, timeouts: Timeouts) -> Self {
        Self::new(Either::Right(Box::new(stream)), peer, timeouts)
    }

    fn new(stream: Stream, peer: Peer, timeouts: Timeouts) -> Self {
        let tick = timeouts.tick();
        let mut timer = interval_at(Instant::now() + tick, tick);
        timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { stream, peer, timeouts, timer, silent: Some(0), stuck: None, end: None }
    }

    /// Why the connection has to end now, if it has to. Also makes the timer wake its task.
    fn end(&mut self, cx: &mut Context<'_>) -> Option<End> {
        while self.end.is_none() && self.timer.poll_tick(cx).is_ready() {
            self.end = self.tick();
        }
        self.end
    }

    fn tick(&mut self) -> Option<End> {
        let is_read = self.peer.activity.tick();
        let more = |ticks: &mut Option<u32>| {
            *ticks = ticks.map(|ticks| ticks + 1);
            ticks.unwrap_or_default()
        };
        let (silent, stuck) = (more(&mut self.silent), more(&mut self.stuck));
        let idle = self.peer.activity.idle().unwrap_or_default();
        let timeouts = self.timeouts;
        if !is_read || stuck > PATIENCE {
            Some(End::NotReading)
        } else if silent > timeouts.ticks(FIRST_BYTE.min(timeouts.idle))
            || idle > timeouts.ticks(timeouts.idle)
        {
            Some(End::Idle)
        } else {
            None
        }
    }

    /// Notes whether the system accepts data, and ends a connection by which it does not for long.
    fn written<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        self.stuck.get_or_insert(0);
        match self.end(cx) {
            Some(End::NotReading) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Some(End::Idle) | None => Poll::Pending,
        }
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.end(cx) {
            // As if the peer had closed it: nothing is lost.
            Some(End::Idle) => return Poll::Ready(Ok(())),
            Some(End::NotReading) => return Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            None => {}
        }
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if read.is_ready() {
            self.silent = None;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_flush(cx);
        self.written(cx, written)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
