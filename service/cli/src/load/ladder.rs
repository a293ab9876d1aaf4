//! `azulejo load ladder`: a swarm of bots in a process of its own against an arena, and whether the
//! arena kept what it promised.

mod bad;
mod check;
mod grounds;
mod journal;
mod member;
mod report;
mod run;
mod swarm;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::Address;
use clap::Args;

use crate::output::print_json;
use journal::Journal;

/// Let a swarm of bots play on a ladder, and check that nothing was lost and nobody overcharged.
///
/// Unless --server names one, an arena is started in a process of its own. Each bot has a connection
/// of its own and thinks for a time that is drawn when its turn arrives, whatever the server does
/// meanwhile. Afterwards the whole store is read and held against what the bots were told. If
/// anything does not hold, the exit code is 1.
#[derive(Debug, Args)]
pub(super) struct LoadLadder {
    /// Bots, each with an owner and a connection of its own.
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    bots: u32,
    /// How long a bot thinks, for example 250ms or 2s.
    #[arg(long, default_value = "250ms", value_parser = time)]
    think: Duration,
    /// The share by which a think time is longer or shorter, drawn evenly.
    #[arg(long, default_value = "0.5", value_parser = share)]
    jitter: f64,
    /// How long the bots play, after all of them are connected.
    #[arg(long, default_value = "600", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Pools, separated by commas; the bots are spread over them evenly.
    #[arg(
        long,
        default_value = "azul-colored-2-blitz",
        value_delimiter = ',',
        value_name = "POOL"
    )]
    pools: Vec<Pool>,
    /// Matches that each bot plays at once.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=8))]
    games_at_once: u32,
    /// The share of bots that behave badly: silent, leaving, illegal, not reading, flooding, twice.
    #[arg(long, default_value = "0", value_parser = share)]
    bad: f64,
    /// For the same choices and think times again.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Play on an arena that runs already, for example http://127.0.0.1:7700. Its registration has
    /// to be open, and its --max-calls larger than the number of bots.
    #[arg(long, value_name = "URL", conflicts_with = "kill_every")]
    server: Option<String>,
    /// The store of the arena; absent: a new one that is gone afterwards, or, with --server, none to
    /// check.
    #[arg(long, value_name = "FILE|URL")]
    store: Option<Address>,
    /// Kill the arena with -9 so often, and start it again on the same store.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    kill_every: Option<u64>,
    /// Keep the store, and beside it the journal of the swarm for `azulejo load check`.
    #[arg(long)]
    keep: bool,
    /// Print one line of JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// Check a store against the journal of a swarm once more, as `load ladder --keep` left them.
#[derive(Debug, Args)]
pub(super) struct LoadCheck {
    /// The store of the arena.
    #[arg(long, value_name = "FILE|URL")]
    store: Address,
    /// What the swarm was promised and told.
    #[arg(long, value_name = "FILE")]
    journal: PathBuf,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

impl LoadLadder {
    pub(super) async fn run(self) -> Result<()> {
        let report = run::run(&self).await?;
        if self.json {
            print_json(&report)?;
        } else {
            report.print();
        }
        report::judged(&report.verdicts)
    }
}

impl LoadCheck {
    pub(super) async fn run(self) -> Result<()> {
        if self.store.file().is_some_and(|file| !file.exists()) {
            bail!("there is no store {}", self.store);
        }
        let journal = Journal::read(&self.journal)?;
        let store = self.store.open().await?;
        let mut verdicts = check::check(&*store, &journal).await?;
        verdicts.push(check::Times::of(&journal)?.verdict());
        if self.json {
            print_json(&serde_json::json!({ "verdicts": verdicts }))?;
        } else {
            report::print_verdicts(&verdicts);
        }
        report::judged(&verdicts)
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.0..=60.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "write it like 250ms or 2s".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "not a share from 0 to 1".to_owned())
}
