//! What callers do: calls in a closed loop, timed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use bytes::Bytes;
use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use super::raw::Caller;

/// How hard to press.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressure {
    pub(super) connections: usize,
    /// Calls in flight on each connection.
    pub(super) in_flight: usize,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) calls: u64,
    pub(super) seconds: f64,
    pub(super) micros: Histogram<u64>,
}

impl Measured {
    pub(super) fn nothing() -> Result<Self> {
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

/// Callers that stay connected between slices of the measurement.
#[derive(Debug)]
pub(super) struct Crowd {
    callers: Vec<Caller>,
    in_flight: usize,
    messages: Arc<Vec<Bytes>>,
}

impl Crowd {
    pub(super) async fn connect(
        url: &str,
        path: &'static str,
        pressure: Pressure,
        messages: Vec<Bytes>,
    ) -> Result<Self> {
        let mut callers = Vec::new();
        for _ in 0..pressure.connections {
            callers.push(Caller::connect(url, path).await?);
        }
        Ok(Self { callers, in_flight: pressure.in_flight, messages: Arc::new(messages) })
    }

    /// Everyone calls, and calls again when answered, for this long. Any error ends it.
    pub(super) async fn press(&self, time: Duration) -> Result<Measured> {
        let begun = Instant::now();
        let until = begun + time;
        let mut callers = JoinSet::new();
        for number in 0..self.callers.len() * self.in_flight {
            let mut caller = self.callers[number % self.callers.len()].clone();
            let messages = Arc::clone(&self.messages);
            callers.spawn(async move {
                let mut measured = Measured::nothing()?;
                let mut next = number * 31;
                while Instant::now() < until {
                    let message = messages[next % messages.len()].clone();
                    let called = Instant::now();
                    if let Err(status) = caller.call(message).await {
                        bail!("the server refused a call: {status}");
                    }
                    measured.micros.saturating_record(called.elapsed().as_micros() as u64);
                    measured.calls += 1;
                    next += 1;
                }
                Ok(measured)
            });
        }
        let mut all = Measured::nothing()?;
        while let Some(measured) = callers.join_next().await {
            all.add(&measured??)?;
        }
        all.seconds = begun.elapsed().as_secs_f64();
        Ok(all)
    }
}
