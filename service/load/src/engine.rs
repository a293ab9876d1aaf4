//! `azulejo load engine`: Apply, one at a time and in batches, compared with a bare echo.

use anyhow::{Context, Result};
use azulejo_engine::{Ruleset, Table, calls};
use azulejo_rules::parts::{Seat, Seed};
use azulejo_wire::served::v1 as pb;
use bytes::Bytes;
use clap::Args;
use prost::Message as _;
use serde::Serialize;

use crate::options;
use crate::output::{grouped, print_json, print_table, progress};

use super::clients::{Clients, Concurrency};
use super::contender::{Contender, SLICE};
use super::server::ServerProcess;
use super::{echo, json_calls};

const APPLY: &str = "/azulejo.engine.v1.EngineService/Apply";
const BATCH_APPLY: &str = "/azulejo.engine.v1.EngineService/BatchApply";
/// Batches contain hundreds of moves: a few in flight keep the server busy.
const BATCHES_IN_FLIGHT: usize = 1;

/// Rounds of slices that do not count.
const WARM_UP: u64 = 2;

/// Compare Apply with a bare tonic echo whose messages have the same sizes.
///
/// Engine and echo are separate processes. The clients take turns in short slices of time, so that
/// other load on the machine affects all of them alike: the ratios are what counts.
#[derive(Debug, Args)]
pub(super) struct LoadEngine {
    #[command(flatten)]
    table: options::Table,
    /// Connections.
    #[arg(long, default_value = "8", value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// Calls in flight on each connection.
    #[arg(long, default_value = "16", value_parser = clap::value_parser!(u16).range(1..=1000))]
    in_flight: u16,
    /// Moves in a batch.
    #[arg(long, default_value = "256", value_parser = clap::value_parser!(u16).range(1..=1024))]
    batch: u16,
    /// Total duration in seconds.
    #[arg(long, default_value = "18", value_parser = clap::value_parser!(u64).range(3..))]
    seconds: u64,
    /// Compare Apply and LegalMoves as JSON over HTTP/1.1 with the same calls over gRPC, for
    /// 2-player Azul and 4-player Summer Pavilion.
    #[arg(long, conflicts_with_all = ["server", "game", "board", "players", "batch"])]
    json_calls: bool,
    /// Measure a server that is already running, for example http://127.0.0.1:7700.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct EngineReport {
    unary_per_second: f64,
    echo_per_second: f64,
    unary_to_echo: f64,
    batch_moves_per_second: f64,
    batch_to_unary: f64,
    p50_us: u64,
    p99_us: u64,
    /// Processor time of the server per call. Absent with --server.
    unary_cpu_us: Option<f64>,
    echo_cpu_us: Option<f64>,
    request_bytes: usize,
    response_bytes: usize,
    calls: u64,
    /// Of the engine: medians of the second and of the last fifth of the time, since it varies by
    /// some megabytes within seconds. Absent with --server.
    memory_kib_begin: Option<u64>,
    memory_kib_end: Option<u64>,
}

impl LoadEngine {
    pub(super) async fn run(self) -> Result<()> {
        if self.json_calls {
            let (connections, in_flight) = (self.connections.into(), self.in_flight.into());
            let concurrency = Concurrency { connections, in_flight };
            return json_calls::run(concurrency, self.seconds, self.json).await;
        }
        let ruleset = self.table.ruleset()?;
        let work = Prepared::of(ruleset, usize::from(self.batch))?;
        let engine = match self.server {
            Some(_) => None,
            None => Some(ServerProcess::engine().await?),
        };
        let url = engine.as_ref().map(|engine| &engine.url).or(self.server.as_ref());
        let url = url.context("no server")?;
        let answer = work.response_bytes.to_string();
        let echo = ServerProcess::start(&["load", "echo", "--answer-bytes", &answer]).await?;
        let (connections, in_flight) = (self.connections.into(), self.in_flight.into());
        let unary = Concurrency { connections, in_flight };
        let batch = Concurrency { connections, in_flight: BATCHES_IN_FLIGHT };
        let requests = work.requests.clone();
        let clients = [
            Clients::connect(&echo.url, echo::PATH, unary, requests.clone()).await?,
            Clients::connect(url, APPLY, unary, requests).await?,
            Clients::connect(url, BATCH_APPLY, batch, work.batches.clone()).await?,
        ];
        let [echo_calls, unary_calls, batches] = clients.map(Contender::new);
        let mut contenders = [echo_calls?, unary_calls?, batches?];
        let rounds = self.seconds * 1000 / (3 * SLICE.as_millis() as u64);
        let bar = progress(rounds, "calling");
        let mut memory = Vec::new();
        for round in 0..rounds {
            let servers = [Some(&echo), engine.as_ref(), engine.as_ref()];
            for (contender, server) in contenders.iter_mut().zip(servers) {
                contender.take_turn(server).await?;
            }
            bar.inc(1);
            memory.extend(engine.as_ref().and_then(ServerProcess::memory_kib));
            if round == WARM_UP {
                contenders.iter_mut().try_for_each(Contender::reset)?;
            }
        }
        bar.finish_and_clear();
        let report = EngineReport::of(&contenders, &work, self.batch.into(), &memory);
        if self.json {
            return print_json(&report);
        }
        report.print(ruleset);
        Ok(())
    }
}

impl EngineReport {
    fn of(contenders: &[Contender; 3], work: &Prepared, batch: f64, memory: &[u64]) -> Self {
        let [echo, unary, batches] = contenders;
        let (echo_rate, unary_rate) = (echo.stats.per_second(), unary.stats.per_second());
        let batch_moves_per_second = batches.stats.per_second() * batch;
        Self {
            unary_per_second: unary_rate,
            echo_per_second: echo_rate,
            unary_to_echo: unary_rate / echo_rate,
            batch_moves_per_second,
            batch_to_unary: batch_moves_per_second / unary_rate,
            p50_us: unary.stats.micros.value_at_quantile(0.5),
            p99_us: unary.stats.micros.value_at_quantile(0.99),
            unary_cpu_us: unary.cpu_us(),
            echo_cpu_us: echo.cpu_us(),
            request_bytes: work.request_bytes,
            response_bytes: work.response_bytes,
            calls: contenders.iter().map(|contender| contender.stats.calls).sum(),
            memory_kib_begin: median(fifth(memory, 1)),
            memory_kib_end: median(fifth(memory, 4)),
        }
    }

    fn print(&self, ruleset: Ruleset) {
        let rate = |rate: f64| grouped(rate as u64);
        say!(
            "{}; requests of {} bytes, responses of {}",
            ruleset.title(),
            self.request_bytes,
            self.response_bytes
        );
        print_table(
            &["", "per second", "ratio"],
            [
                vec!["bare echo".into(), rate(self.echo_per_second), "1.00 of echo".into()],
                vec![
                    "Apply".into(),
                    rate(self.unary_per_second),
                    format!("{:.2} of echo", self.unary_to_echo),
                ],
                vec![
                    "BatchApply, moves".into(),
                    rate(self.batch_moves_per_second),
                    format!("{:.1} x Apply", self.batch_to_unary),
                ],
            ],
        );
        say!("Apply took {} us (median), {} us (99 %)", self.p50_us, self.p99_us);
        if let (Some(unary), Some(echo)) = (self.unary_cpu_us, self.echo_cpu_us) {
            say!("processor time of the server: {unary:.1} us per call; echo: {echo:.1} us");
        }
        if let (Some(begin), Some(end)) = (self.memory_kib_begin, self.memory_kib_end) {
            let calls = grouped(self.calls);
            say!(
                "{calls} calls, no errors; memory of the engine: {begin} KiB at the beginning, {end} KiB at the end"
            );
        }
    }
}

/// The samples of a fifth of the time, counted from 0.
fn fifth(samples: &[u64], number: usize) -> &[u64] {
    &samples[samples.len() * number / 5..samples.len() * (number + 1) / 5]
}

fn median(samples: &[u64]) -> Option<u64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// The messages, prepared before the measurement.
struct Prepared {
    requests: Vec<Bytes>,
    batches: Vec<Bytes>,
    request_bytes: usize,
    /// Mean size of a response.
    response_bytes: usize,
}

impl Prepared {
    /// Every position of some random games, each with the move that was made.
    fn of(ruleset: Ruleset, batch: usize) -> Result<Self> {
        const GAMES: u64 = 8;
        const BATCHES: usize = 8;
        let mut moves = Vec::new();
        for game in 0..GAMES {
            let mut table = Table::new(ruleset, Seat::First);
            let seed = Seed::from_number(game);
            let mut step = 0;
            while !table.is_over() {
                while table.awaits_deal() {
                    table.deal(&seed);
                }
                let legal = table.legal_moves();
                // Any spread over the moves will do, as long as it is the same every time.
                let Some(&action) = legal.get((step * 7 + 3) % legal.len().max(1)) else { break };
                moves.push(pb::ApplyRequest {
                    state: Some(table.state()),
                    action: Some(pb::apply_request::Action::Move(action.message())),
                    chance: None,
                    include_legal_moves: false,
                    include_score: false,
                });
                table.play(action)?;
                step += 1;
            }
        }
        let requests: Vec<Bytes> = moves.iter().map(|call| call.encode_to_vec().into()).collect();
        let answers: usize = moves
            .iter()
            .map(|call| calls::apply(call.clone()).map(|answer| answer.encoded_len()))
            .sum::<Result<usize, _>>()?;
        let batches = (0..BATCHES).map(|number| {
            let chosen = moves.iter().cycle().skip(number * batch).take(batch).cloned();
            pb::BatchApplyRequest { requests: chosen.collect() }.encode_to_vec().into()
        });
        Ok(Self {
            batches: batches.collect(),
            request_bytes: requests.iter().map(Bytes::len).sum::<usize>() / requests.len(),
            response_bytes: answers / requests.len(),
            requests,
        })
    }
}
