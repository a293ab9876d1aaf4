//! Clients that call in a closed loop, with the duration of every call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use bytes::Bytes;
use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use super::raw::Caller;
use super::raw::http::HttpCaller;

/// How many calls at the same time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Concurrency {
    pub(super) connections: usize,
    /// Calls in flight on each connection.
    pub(super) in_flight: usize,
}

#[derive(Debug)]
pub(super) struct CallStats {
    pub(super) calls: u64,
    pub(super) seconds: f64,
    pub(super) micros: Histogram<u64>,
}

impl CallStats {
    pub(super) fn new() -> Result<Self> {
        // Up to a minute, to three digits.
        let micros = Histogram::new_with_max(60_000_000, 3)?;
        Ok(Self { calls: 0, seconds: 0.0, micros })
    }

    pub(super) fn per_second(&self) -> f64 {
        self.calls as f64 / self.seconds
    }

    pub(super) fn add(&mut self, more: &Self) -> Result<()> {
        self.calls += more.calls;
        self.seconds += more.seconds;
        self.micros.add(&more.micros)?;
        Ok(())
    }
}

/// A connection of either protocol.
#[derive(Clone, Debug)]
enum AnyCaller {
    Grpc(Caller),
    Http(HttpCaller),
}

impl AnyCaller {
    async fn call(&mut self, message: Bytes) -> Result<()> {
        match self {
            Self::Grpc(caller) => {
                caller.call(message).await.map_err(|status| anyhow!("{status}"))?;
            }
            Self::Http(caller) => drop(caller.call(&message).await?),
        }
        Ok(())
    }
}

/// Clients that stay connected between slices of the measurement.
#[derive(Debug)]
pub(super) struct Clients {
    callers: Vec<AnyCaller>,
    in_flight: usize,
    messages: Arc<Vec<Bytes>>,
}

impl Clients {
    pub(super) async fn connect(
        url: &str,
        path: &'static str,
        concurrency: Concurrency,
        messages: Vec<Bytes>,
    ) -> Result<Self> {
        let mut callers = Vec::new();
        for _ in 0..concurrency.connections {
            callers.push(AnyCaller::Grpc(Caller::connect(url, path).await?));
        }
        Ok(Self { callers, in_flight: concurrency.in_flight, messages: Arc::new(messages) })
    }

    /// The same with JSON over HTTP/1.1. The same number of calls is in flight, each on its own
    /// connection.
    pub(super) async fn connect_http(
        url: &str,
        path: &'static str,
        concurrency: Concurrency,
        messages: Vec<Bytes>,
    ) -> Result<Self> {
        let mut callers = Vec::new();
        for _ in 0..concurrency.connections * concurrency.in_flight {
            callers.push(AnyCaller::Http(HttpCaller::connect(url, path).await?));
        }
        Ok(Self { callers, in_flight: 1, messages: Arc::new(messages) })
    }

    /// Calls without pause for this long. The first error ends it.
    pub(super) async fn call_for(&self, time: Duration) -> Result<CallStats> {
        let begun = Instant::now();
        let until = begun + time;
        let mut callers = JoinSet::new();
        for number in 0..self.callers.len() * self.in_flight {
            let mut caller = self.callers[number % self.callers.len()].clone();
            let messages = Arc::clone(&self.messages);
            callers.spawn(async move {
                let mut stats = CallStats::new()?;
                let mut next = number * 31;
                while Instant::now() < until {
                    let message = messages[next % messages.len()].clone();
                    let called = Instant::now();
                    caller.call(message).await.context("the server refused a call")?;
                    stats.micros.saturating_record(called.elapsed().as_micros() as u64);
                    stats.calls += 1;
                    next += 1;
                }
                anyhow::Ok(stats)
            });
        }
        let mut all = CallStats::new()?;
        while let Some(stats) = callers.join_next().await {
            all.add(&stats??)?;
        }
        all.seconds = begun.elapsed().as_secs_f64();
        Ok(all)
    }
}
