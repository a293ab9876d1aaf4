//! What the author's verbs stand on: bots of one's own as processes, and an arena inside this very
//! process in which they play as they would on a server: over sockets, by the contract.
//!
//! | file | what |
//! |---|---|
//! | `program` | what a file, a folder or a command means |
//! | `process` | a bot that runs, and ends with this process |
//! | `arena` | the arena, on free ports, on a runtime of its own: it can be stopped and started |
//! | `front` | sees what every bot says and hears, and can be told to be unkind |
//! | `journal` | what it saw |
//! | `team` | the bots of one run, connected; matches between them and the house |

mod arena;
pub(crate) mod browser;
mod front;
mod journal;
mod process;
mod program;
mod team;
pub(crate) mod verdict;

pub(crate) use arena::{LocalArena, Place};
pub(crate) use front::Fault;
pub(crate) use journal::{Entry, Journal, Noted};
pub(crate) use process::{BotProcess, Shown, end_all};
pub(crate) use program::Program;
pub(crate) use team::{Sitting, Team, build, challenge, ended};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use crate::options::Class;

/// How bots of one's own are run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Your own bots")]
pub(crate) struct Running {
    /// By which clock they play.
    #[arg(long, value_enum, default_value = "blitz")]
    pub(crate) time: Class,
    /// Show what they print, each line with the bot's name.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Write what they print into this folder, a file for each.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Seconds for a bot to connect after it was started.
    #[arg(long, default_value = "30", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) connect_within: u64,
}

/// Does the work, unless somebody stops this process; whatever was started ends with it.
pub(crate) fn run_until_told<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let told = azulejo_runtime::signal()?;
        let mut hangup = signal(SignalKind::hangup())?;
        tokio::select! {
            done = work => done,
            () = told => bail!("stopped before the end"),
            _ = hangup.recv() => bail!("nobody is here any more"),
        }
    });
    runtime.shutdown_background();
    done
}

/// Makes the programs ready, and connects them to an arena of their own; names are by number.
pub(crate) async fn gather(programs: &[(Program, String)], running: &Running) -> Result<Team> {
    for (program, name) in programs {
        if program.build.is_some() {
            eprintln!("{name}: ./build");
        }
        build(program).await?;
    }
    let arena = LocalArena::open(&Place::in_memory(), Arc::new(Journal::new())).await?;
    let server = arena.url();
    let mut team = Team::new(arena, running.shown(), running.patience());
    for (program, name) in programs {
        team.enlist(program, name, &server).await?;
    }
    Ok(team)
}

impl Running {
    pub(crate) const fn patience(&self) -> Duration {
        Duration::from_secs(self.connect_within)
    }

    pub(crate) fn shown(&self) -> Shown {
        Shown { on_terminal: self.verbose, folder: self.output.clone() }
    }
}
