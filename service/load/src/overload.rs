//! `azulejo load overload`: more work than a server can do, and how it copes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use azulejo_engine::{Ruleset, Table};
use azulejo_rules::azul;
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_terminal::output::{print_json, print_table, progress};
use azulejo_wire::served::v1 as pb;
use bytes::Bytes;
use clap::Args;
use hdrhistogram::Histogram;
use prost::Message as _;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tonic::Code;

use super::clients::{CallStats, Clients, Concurrency};
use super::raw::Caller;

const PLAYOUTS: &str = "/azulejo.engine.v1.EngineService/Playouts";
const HEALTH: &str = "/grpc.health.v1.Health/Check";
/// Intended cost of a call.
const COST: Duration = Duration::from_millis(5);
const CONNECTIONS: usize = 8;

/// Offer a server several times the work it can do: calls of about 5 ms that arrive whether or not
/// the earlier ones are answered.
///
/// Pin server and client to different cores, so that they do not compete:
/// `taskset -c 0 azulejo engine` and `taskset -c 1 azulejo load overload --server …`.
#[derive(Debug, Args)]
pub(super) struct LoadOverload {
    /// The server, for example http://127.0.0.1:7700.
    #[arg(long, value_name = "URL")]
    server: String,
    /// How many times the server's capacity to offer.
    #[arg(long, default_value = "3")]
    times: f64,
    /// Seconds of each part: the peak, the overload, the recovery.
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct OverloadReport {
    games_per_call: u32,
    peak_per_second: f64,
    offered_per_second: f64,
    goodput_per_second: f64,
    goodput_to_peak: f64,
    refused: u64,
    /// Refusals with a retry delay.
    refused_with_hint: u64,
    other_errors: u64,
    refused_p50_us: u64,
    refused_p99_us: u64,
    answered_p99_us: u64,
    health_checks: u64,
    health_failures: u64,
    recovered_per_second: f64,
    recovered_to_peak: f64,
}

impl LoadOverload {
    pub(super) async fn run(self) -> Result<()> {
        let time = Duration::from_secs(self.seconds);
        let games = calibrate(&self.server).await?;
        let message = playouts(games);
        let steady = Concurrency { connections: 1, in_flight: 2 };
        let clients =
            Clients::connect(&self.server, PLAYOUTS, steady, vec![message.clone()]).await?;
        let bar = progress(3, "overloading");
        let peak = clients.call_for(time).await?.per_second();
        bar.inc(1);
        let run = overload(&self.server, &message, peak * self.times, time).await?;
        bar.inc(1);
        let recovered = clients.call_for(time).await?.per_second();
        bar.finish_and_clear();
        let report = run.report(games, peak, peak * self.times, recovered);
        if self.json {
            return print_json(&report);
        }
        report.print();
        Ok(())
    }
}

fn playouts(games: u32) -> Bytes {
    let rules = azul::Rules::new(Side::Colored, PlayerCount::Two);
    let mut table = Table::new(Ruleset::Azul(rules), Seat::First);
    let seed = Seed::from_number(1);
    while table.awaits_deal() {
        table.deal(&seed);
    }
    let request = pb::PlayoutsRequest {
        state: Some(table.state()),
        games,
        policy: pb::PlayoutPolicy::Random.into(),
        seed: Some((&seed).into()),
    };
    request.encode_to_vec().into()
}

/// How many games cost about [`COST`].
async fn calibrate(url: &str) -> Result<u32> {
    const TRIAL: u32 = 1000;
    let mut caller = Caller::connect(url, PLAYOUTS).await?;
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let begun = Instant::now();
        caller.call(playouts(TRIAL)).await.context("the server refuses playouts")?;
        best = best.min(begun.elapsed());
    }
    let games = f64::from(TRIAL) * COST.as_secs_f64() / best.as_secs_f64();
    Ok((games as u32).clamp(1, 10_000))
}

#[derive(Debug, Default)]
struct Tally {
    answered: AtomicU64,
    refused: AtomicU64,
    hinted: AtomicU64,
    other: AtomicU64,
}

struct OverloadRun {
    tally: Arc<Tally>,
    seconds: f64,
    refused: Histogram<u64>,
    answered: Histogram<u64>,
    health: (u64, u64),
}

/// Calls at this rate, whether or not the earlier ones are answered.
async fn overload(url: &str, message: &Bytes, rate: f64, time: Duration) -> Result<OverloadRun> {
    let mut callers = Vec::new();
    for _ in 0..CONNECTIONS {
        callers.push(Caller::connect(url, PLAYOUTS).await?);
    }
    let tally = Arc::new(Tally::default());
    let empty = CallStats::new()?.micros;
    let times = Arc::new(Mutex::new((empty.clone(), empty)));
    let health = tokio::spawn(watch_health(Caller::connect(url, HEALTH).await?, time));
    let begun = Instant::now();
    let mut calls = JoinSet::new();
    let mut sent = 0_u64;
    while begun.elapsed() < time {
        let due = (begun.elapsed().as_secs_f64() * rate) as u64;
        while sent < due {
            let caller = callers[sent as usize % CONNECTIONS].clone();
            calls.spawn(call(caller, message.clone(), Arc::clone(&tally), Arc::clone(&times)));
            sent += 1;
        }
        while calls.try_join_next().is_some() {}
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let answered = tally.answered.load(Ordering::Relaxed);
    calls.join_all().await;
    // Answers after the end of the overload do not count.
    tally.answered.store(answered, Ordering::Relaxed);
    let (refused, answered) = times.lock().await.clone();
    Ok(OverloadRun { tally, seconds, refused, answered, health: health.await? })
}

async fn call(
    mut caller: Caller,
    message: Bytes,
    tally: Arc<Tally>,
    times: Arc<Mutex<(Histogram<u64>, Histogram<u64>)>>,
) {
    let begun = Instant::now();
    let answer = caller.call(message).await;
    let micros = begun.elapsed().as_micros() as u64;
    let mut times = times.lock().await;
    match answer {
        Ok(_) => {
            tally.answered.fetch_add(1, Ordering::Relaxed);
            times.1.saturating_record(micros);
        }
        Err(status) if status.code() == Code::ResourceExhausted => {
            tally.refused.fetch_add(1, Ordering::Relaxed);
            let hinted = tonic_types::StatusExt::get_details_retry_info(&status).is_some();
            tally.hinted.fetch_add(hinted.into(), Ordering::Relaxed);
            times.0.saturating_record(micros);
        }
        Err(_) => {
            tally.other.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Checks ten times per second whether the server is ready. Returns the number of checks and of
/// failures.
async fn watch_health(mut caller: Caller, time: Duration) -> (u64, u64) {
    /// `HealthCheckRequest { service: "ready" }` and `HealthCheckResponse { status: SERVING }`.
    const READY: &[u8] = b"\x0a\x05ready";
    const SERVING: &[u8] = b"\x08\x01";
    let until = Instant::now() + time;
    let (mut asked, mut failed) = (0, 0);
    while Instant::now() < until {
        let answer = caller.call(Bytes::from_static(READY)).await;
        asked += 1;
        failed += u64::from(!answer.is_ok_and(|answer| answer.as_ref() == SERVING));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    (asked, failed)
}

impl OverloadRun {
    fn report(&self, games: u32, peak: f64, offered: f64, recovered: f64) -> OverloadReport {
        let goodput = self.tally.answered.load(Ordering::Relaxed) as f64 / self.seconds;
        OverloadReport {
            games_per_call: games,
            peak_per_second: peak,
            offered_per_second: offered,
            goodput_per_second: goodput,
            goodput_to_peak: goodput / peak,
            refused: self.tally.refused.load(Ordering::Relaxed),
            refused_with_hint: self.tally.hinted.load(Ordering::Relaxed),
            other_errors: self.tally.other.load(Ordering::Relaxed),
            refused_p50_us: self.refused.value_at_quantile(0.5),
            refused_p99_us: self.refused.value_at_quantile(0.99),
            answered_p99_us: self.answered.value_at_quantile(0.99),
            health_checks: self.health.0,
            health_failures: self.health.1,
            recovered_per_second: recovered,
            recovered_to_peak: recovered / peak,
        }
    }
}

impl OverloadReport {
    fn print(&self) {
        say!("Playouts of {} games, about {} ms each", self.games_per_call, COST.as_millis());
        let rate = |rate: f64, ratio: f64| [format!("{rate:.0}"), format!("{ratio:.2}")];
        let row = |what: &str, [rate, ratio]: [String; 2]| vec![what.to_owned(), rate, ratio];
        print_table(
            &["", "calls per second", "of the peak"],
            [
                row("peak", rate(self.peak_per_second, 1.0)),
                row(
                    "offered",
                    rate(self.offered_per_second, self.offered_per_second / self.peak_per_second),
                ),
                row("answered under it", rate(self.goodput_per_second, self.goodput_to_peak)),
                row("answered afterwards", rate(self.recovered_per_second, self.recovered_to_peak)),
            ],
        );
        say!(
            "{} refused ({} with a retry delay) in {} us (median), {} us (99 %); {} other errors",
            self.refused,
            self.refused_with_hint,
            self.refused_p50_us,
            self.refused_p99_us,
            self.other_errors
        );
        say!("{} health checks, {} failed", self.health_checks, self.health_failures);
    }
}
