//! `azulejo load ladder`: a swarm of bots against an arena in a process of its own, and a check of
//! everything that the arena has stored.

mod abuse;
mod behaviour;
mod check;
mod disturbance;
mod journal;
mod readers;
mod report;
mod run;
mod schedule;
mod swarm;
mod swarm_bot;
mod swarm_setup;
mod target;
mod traffic;
mod windows;
mod yardstick;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::Address;
use azulejo_terminal::output::print_json;
use clap::{Args, ValueEnum as _};

use abuse::Abuse;
use journal::Journal;
pub(super) use yardstick::YardstickServer;

/// Let a swarm of bots play on a ladder, and check that no move was lost and no bot overcharged.
///
/// Without --server, an arena is started as a separate process. Each bot has its own connection and
/// thinks for a time that is drawn when its turn arrives, however slow the server is. Afterwards the
/// whole store is compared with what the bots received; the exit code is 1 if anything differs.
///
/// The cost of a move is compared with a yardstick: a bare tonic server that handles the same
/// messages over the same number of connections at the same pace. The processor time of a PostgreSQL
/// server is not included.
#[derive(Debug, Args)]
pub(super) struct LoadLadder {
    /// Number of bots, each with its own owner and connection.
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    bots: u32,
    /// Mean think time, for example 250ms or 2s.
    #[arg(long, default_value = "250ms", value_parser = time)]
    think: Duration,
    /// Maximum deviation from the mean think time, as a share of it; uniformly distributed.
    #[arg(long, default_value = "0.5", value_parser = share)]
    jitter: f64,
    /// Duration of the measurement, after all bots have connected.
    #[arg(long, default_value = "600", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Pools, separated by commas. Bots are distributed evenly.
    #[arg(
        long,
        default_value = "azul-colored-2-blitz",
        value_delimiter = ',',
        value_name = "POOL"
    )]
    pools: Vec<Pool>,
    /// Matches that each bot plays at the same time.
    #[arg(
        long,
        alias = "games-at-once",
        default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=8)
    )]
    concurrent_matches: u32,
    /// Share of bots that misbehave: never moving, disconnecting, illegal moves, not reading,
    /// flooding, connected twice.
    #[arg(long, default_value = "0", value_parser = share)]
    bad: f64,
    /// Seed of the moves and think times.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Use an arena that is already running, for example http://127.0.0.1:7700. Its registration must
    /// be open, and its --max-calls larger than the number of bots.
    #[arg(long, value_name = "URL", conflicts_with = "kill_every")]
    server: Option<String>,
    /// The store of the arena. Default: a temporary one; with --server, the store is not checked.
    #[arg(long, value_name = "FILE|URL")]
    store: Option<Address>,
    /// Kill the arena with SIGKILL at this interval, and restart it on the same store.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    kill_every: Option<u64>,
    /// Number of clients that read bots, matches, ladders and pages without pause, in every other
    /// ten seconds. The report compares the arena's delays with and without them.
    #[arg(
        long,
        default_value = "0",
        value_parser = clap::value_parser!(u32).range(0..=10_000),
        conflicts_with = "kill_every"
    )]
    readers: u32,
    /// Abuse the arena in every other ten seconds (ghosts: 45 seconds). The report says what honest bots notice. The arena
    /// has its default limits, which are enough for 250 bots.
    #[arg(long, value_enum, conflicts_with_all = ["readers", "kill_every", "server"])]
    abuse: Option<Abuse>,
    /// Duration of the yardstick's measurement. 0: none. There is none with --server.
    #[arg(long, default_value = "20", value_parser = clap::value_parser!(u64).range(0..=3_600))]
    yardstick_seconds: u64,
    /// Keep the store and the swarm's journal, for `azulejo load check`.
    #[arg(long)]
    keep: bool,
    /// Print one line of JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// Check a store against the journal of a swarm again, both from `load ladder --keep`.
#[derive(Debug, Args)]
pub(super) struct LoadCheck {
    /// The store of the arena.
    #[arg(long, value_name = "FILE|URL")]
    store: Address,
    /// The journal of the swarm.
    #[arg(long, value_name = "FILE")]
    journal: PathBuf,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

impl LoadLadder {
    /// What disturbs the arena, for people.
    fn disturbance(&self) -> String {
        match self.abuse.and_then(|abuse| abuse.to_possible_value()) {
            Some(abuse) => abuse.get_name().to_owned(),
            None => format!("{} readers", self.readers),
        }
    }

    /// Seconds of a slice of the measured time.
    fn slice(&self) -> u64 {
        self.abuse.map_or(schedule::SLICE, Abuse::slice)
    }

    /// Connections of clients that are not bots of the swarm.
    fn clients(&self) -> u64 {
        u64::from(self.readers) + self.abuse.map_or(0, Abuse::connections)
    }

    pub(super) async fn run(self) -> Result<()> {
        let report = Box::pin(run::run(&self)).await?;
        if self.json {
            print_json(&report)?;
        } else {
            report.print();
        }
        report::fail_unless_all_hold(&report.verdicts)
    }
}

impl LoadCheck {
    pub(super) async fn run(self) -> Result<()> {
        if self.store.file().is_some_and(|file| !file.exists()) {
            bail!("the store {} does not exist", self.store);
        }
        let journal = Journal::read(&self.journal)?;
        let store = self.store.open().await?;
        let mut verdicts = check::check(&*store, &journal).await?;
        verdicts.push(check::ChargedTimes::of(&journal)?.verdict());
        if self.json {
            print_json(&serde_json::json!({ "verdicts": verdicts }))?;
        } else {
            report::print_verdicts(&verdicts);
        }
        report::fail_unless_all_hold(&verdicts)
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.0..=60.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time such as 250ms or 2s, at most 60s".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
