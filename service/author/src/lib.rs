//! The commands for bot authors: `azulejo new`, `play`, `match` and `check`.
//!
//! Your own bots run as child processes. They play in an arena inside this process, over sockets
//! and with the same protocol as on a server.
//!
//! | module | contents |
//! |---|---|
//! | `new` | `azulejo new`: project templates |
//! | `play` | `azulejo play`: one game |
//! | `match_command` | `azulejo match`: many games, with statistics |
//! | `check` | `azulejo check`: stress-tests a bot |
//! | `seats` | who plays: a person, a house bot, or a bot of your own |
//! | `program` | turns a file, a folder or a command into a program to start |
//! | `process` | a running bot; it is killed when this process ends |
//! | `arena` | the local arena, on free ports and its own runtime, so that it can be restarted |
//! | `fault_proxy` | passes all calls of the bots to the arena, logs them, and injects faults |
//! | `journal` | the log of the proxy |
//! | `team` | the bots of one run, and the matches that they play |

#[macro_use]
extern crate azulejo_terminal;

mod arena;
mod browser;
mod check;
mod fault_proxy;
mod journal;
mod match_command;
mod match_end;
mod new;
mod play;
mod process;
mod program;
mod seats;
mod team;

pub use check::Check;
pub use match_command::MatchCommand;
pub use new::New;
pub use play::Play;

pub(crate) use arena::{LocalArena, LocalArenaConfig};
pub(crate) use fault_proxy::Fault;
pub(crate) use journal::{Entry, Journal, JournalEvent};
pub(crate) use process::{BotOutput, BotProcess};
pub(crate) use program::Program;
pub(crate) use team::{Participant, Team, build, challenge, wait_for_end};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use azulejo_arena::pool::TimeClass;
use azulejo_terminal::options::Clock;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

/// How your own bots are run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Your own bots")]
pub(crate) struct BotArgs {
    /// Time control of the game.
    #[arg(long, value_enum, default_value = "blitz")]
    pub(crate) time: Clock,
    /// Show the output of your bots, each line prefixed with the bot's name.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Write the output of your bots to this folder, one file per bot.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Seconds that a bot may take to connect after it is started.
    #[arg(long, default_value = "30", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) connect_within: u64,
}

/// Runs until the work is done or this process receives a signal to stop.
pub(crate) fn run_until_signal<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let stopped = azulejo_runtime::signal()?;
        let mut hangup = signal(SignalKind::hangup())?;
        tokio::select! {
            done = work => done,
            () = stopped => bail!("interrupted"),
            _ = hangup.recv() => bail!("the terminal was closed"),
        }
    });
    runtime.shutdown_background();
    done
}

/// Builds and starts the programs, each under its name, and connects them to a new local arena.
pub(crate) async fn start_team(programs: &[(Program, String)], bot_args: &BotArgs) -> Result<Team> {
    for (program, name) in programs {
        if program.build.is_some() {
            eprintln!("{name}: ./build");
        }
        build(program).await?;
    }
    let arena = LocalArena::start(&LocalArenaConfig::in_memory(), Arc::new(Journal::new())).await?;
    let server = arena.url();
    let mut team = Team::new(arena, bot_args.output(), bot_args.connect_timeout());
    for (program, name) in programs {
        team.add_bot(program, name, &server).await?;
    }
    Ok(team)
}

impl BotArgs {
    pub(crate) const fn connect_timeout(&self) -> Duration {
        Duration::from_secs(self.connect_within)
    }

    pub(crate) const fn time_class(&self) -> TimeClass {
        match self.time {
            Clock::Bullet => TimeClass::Bullet,
            Clock::Blitz => TimeClass::Blitz,
            Clock::Rapid => TimeClass::Rapid,
        }
    }

    pub(crate) fn output(&self) -> BotOutput {
        BotOutput { on_terminal: self.verbose, folder: self.output.clone() }
    }
}
