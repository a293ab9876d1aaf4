//! The results of a run, for people or as one line of JSON.

mod disturbance;
mod print;
mod verdicts;

use anyhow::Result;
use azulejo_arena::pool::Pool;
use serde::Serialize;

use super::LoadLadder;
use super::check::{ChargedTimes, Verdict};
use super::swarm::{Counts, Observed};
use super::target::ServerUsage;
use super::windows::Window;
use super::yardstick::YardstickReport;
pub(super) use disturbance::DisturbanceReport;
pub(super) use verdicts::{fail_unless_all_hold, print_verdicts};

/// Results of the measured time.
#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) seconds: f64,
    pub(super) moves: u64,
    pub(super) resumes: u64,
    /// The time by which the cost of a move is computed: the quiet one.
    pub(super) cost: Window,
    pub(super) swarm_cpu_seconds: Option<f64>,
    pub(super) swarm_memory_kib: Option<u64>,
    pub(super) yardstick: Option<YardstickReport>,
    pub(super) disturbance: Option<DisturbanceReport>,
}

#[derive(Debug, Serialize)]
pub(super) struct LadderReport {
    bots: u32,
    pools: Vec<String>,
    seconds: f64,
    turns_per_second: f64,
    moves_acknowledged: usize,
    matches: usize,
    /// From when an answer was sent to its receipt.
    submit_p50_us: u64,
    submit_p99_us: u64,
    submit_p999_us: u64,
    submit_max_us: u64,
    charged_beyond_thought: ChargedTimes,
    #[serde(flatten)]
    counts: Counts,
    server: ServerUsage,
    #[serde(flatten)]
    cost: Cost,
    server_memory_kib_per_match: Option<f64>,
    yardstick: Option<YardstickReport>,
    disturbance: Option<DisturbanceReport>,
    swarm_cpu_seconds: Option<f64>,
    swarm_memory_kib: Option<u64>,
    pub(super) verdicts: Vec<Verdict>,
}

/// What a move and a bot cost the server, compared with the yardstick. Processor time of the
/// measured time only, without that of a database server.
#[derive(Clone, Copy, Debug, Serialize)]
struct Cost {
    server_cpu_us_per_move: Option<f64>,
    yardstick_cpu_us_per_move: Option<f64>,
    server_to_yardstick_cpu: Option<f64>,
    /// Growth from the empty server to the last minute.
    server_memory_kib_per_bot: Option<f64>,
    yardstick_memory_kib_per_connection: Option<f64>,
    server_to_yardstick_memory: Option<f64>,
}

impl Cost {
    fn new(
        window: &Window,
        memory_kib_per_bot: Option<f64>,
        yardstick: Option<&YardstickReport>,
    ) -> Self {
        let cpu = window.cpu_seconds.filter(|_| window.moves > 0);
        let cpu = cpu.map(|seconds| seconds * 1e6 / window.moves as f64);
        let yardstick_cpu = yardstick.and_then(|yardstick| yardstick.cpu_us_per_move);
        let memory = yardstick.and_then(|yardstick| yardstick.memory_kib_per_connection);
        Self {
            server_cpu_us_per_move: cpu,
            yardstick_cpu_us_per_move: yardstick_cpu,
            server_to_yardstick_cpu: ratio(cpu, yardstick_cpu),
            server_memory_kib_per_bot: memory_kib_per_bot,
            yardstick_memory_kib_per_connection: memory,
            server_to_yardstick_memory: ratio(memory_kib_per_bot, memory),
        }
    }
}

/// `None` if either is unknown, or the divisor is 0.
fn ratio(value: Option<f64>, to: Option<f64>) -> Option<f64> {
    value.zip(to.filter(|to| *to > 0.0)).map(|(value, to)| value / to)
}

impl LadderReport {
    pub(super) fn new(
        load: &LoadLadder,
        observed: &Observed,
        measurement: Measurement,
        server: ServerUsage,
        mut verdicts: Vec<Verdict>,
    ) -> Result<Self> {
        let charged = ChargedTimes::of(&observed.journal)?;
        verdicts.push(charged.verdict());
        verdicts.extend(verdicts::of_run(&observed.counts, &server, measurement.seconds));
        if let Some(disturbance) = measurement.disturbance.as_ref().filter(|_| load.abuse.is_some())
        {
            verdicts.push(disturbance.verdict());
        }
        let submit = &observed.times.submit;
        let grown = server.memory_kib_last.zip(server.memory_kib_empty);
        let grown = grown.map(|(last, empty)| last.saturating_sub(empty) as f64);
        let seats: usize = load.pools.iter().map(Pool::players).sum();
        let seats = seats as f64 / load.pools.len() as f64;
        let per_bot = grown.map(|kib| kib / f64::from(load.bots));
        let matches_per_bot = f64::from(load.concurrent_matches) / seats;
        let yardstick = measurement.yardstick;
        Ok(Self {
            bots: load.bots,
            pools: load.pools.iter().map(ToString::to_string).collect(),
            seconds: measurement.seconds,
            turns_per_second: measurement.moves as f64 / measurement.seconds,
            moves_acknowledged: observed.journal.moves.len(),
            matches: observed.journal.matches.len(),
            submit_p50_us: submit.value_at_quantile(0.5),
            submit_p99_us: submit.value_at_quantile(0.99),
            submit_p999_us: submit.value_at_quantile(0.999),
            submit_max_us: submit.max(),
            charged_beyond_thought: charged,
            counts: Counts { resumes: measurement.resumes, ..observed.counts },
            server,
            cost: Cost::new(&measurement.cost, per_bot, yardstick.as_ref()),
            server_memory_kib_per_match: per_bot.map(|kib| kib / matches_per_bot),
            yardstick,
            disturbance: measurement.disturbance,
            swarm_cpu_seconds: measurement.swarm_cpu_seconds,
            swarm_memory_kib: measurement.swarm_memory_kib,
            verdicts,
        })
    }
}
