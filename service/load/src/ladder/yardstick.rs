//! The yardstick: a bare tonic server that handles the same messages over as many connections at
//! the same pace, and does nothing else.

mod client;
mod server;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::server::ServerProcess;
use client::YardstickClients;
pub(crate) use server::YardstickServer;

/// Before the measurement begins.
const WARM_UP: Duration = Duration::from_secs(3);

/// Messages per acknowledged move, with their mean sizes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MessageMix {
    pub(super) submit: CallMix,
    pub(super) ready: CallMix,
    /// Each is the answer to a ping.
    pub(super) heartbeat: CallMix,
    /// Events that follow a move, in the order in which they are sent.
    pub(super) events: Vec<EventMix>,
    pub(super) ping_bytes: usize,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct CallMix {
    pub(super) per_move: f64,
    pub(super) request_bytes: usize,
    pub(super) response_bytes: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EventMix {
    pub(super) event: String,
    pub(super) per_move: f64,
    pub(super) bytes: usize,
}

/// What the yardstick has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Workload {
    pub(super) connections: u32,
    /// Seats of a match: a move of one connection leads to events on the others.
    pub(super) seats: u32,
    pub(super) moves_per_second: f64,
    /// Bytes of a bot's token.
    pub(super) token_bytes: usize,
    pub(super) messages: MessageMix,
}

/// What it cost.
#[derive(Clone, Debug, Serialize)]
pub(super) struct YardstickReport {
    pub(super) seconds: f64,
    pub(super) moves: u64,
    pub(super) moves_per_second: f64,
    pub(super) events: u64,
    pub(super) errors: u64,
    pub(super) cpu_us_per_move: Option<f64>,
    pub(super) memory_kib_per_connection: Option<f64>,
    pub(super) workload: Workload,
}

/// Starts the server and its clients, and measures for this long.
pub(super) async fn measure(
    workload: &Workload,
    seconds: u64,
    bar: &ProgressBar,
) -> Result<YardstickReport> {
    let text = serde_json::to_string(workload)?;
    let server = ServerProcess::start(&["load", "yardstick", "--workload", &text]).await?;
    let empty = server.empty_kib().await;
    let clients = YardstickClients::connect(&server.url, workload).await?;
    tokio::time::sleep(WARM_UP).await;
    let (begun, before, cpu) = (Instant::now(), clients.counts(), server.cpu_seconds());
    let mut memory = Vec::new();
    bar.set_length(seconds);
    for second in 1..=seconds {
        tokio::time::sleep_until((begun + Duration::from_secs(second)).into()).await;
        memory.extend(server.memory_kib());
        bar.set_position(second);
    }
    let cpu = server.cpu_seconds().zip(cpu).map(|(end, begin)| end - begin);
    let (elapsed, after) = (begun.elapsed().as_secs_f64(), clients.counts());
    clients.disconnect().await;
    server.kill().await?;
    let moves = after.moves - before.moves;
    let mean = memory.iter().sum::<u64>().checked_div(memory.len() as u64);
    let grown = mean.zip(empty).map(|(mean, empty)| mean.saturating_sub(empty));
    ensure!(moves > 0, "the yardstick answered no calls");
    Ok(YardstickReport {
        seconds: elapsed,
        moves,
        moves_per_second: moves as f64 / elapsed,
        events: after.events - before.events,
        errors: after.errors,
        cpu_us_per_move: cpu.map(|cpu| cpu * 1e6 / moves as f64),
        memory_kib_per_connection: grown.map(|kib| kib as f64 / f64::from(workload.connections)),
        workload: workload.clone(),
    })
}
