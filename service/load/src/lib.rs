//! `azulejo load`: load tests of a server, over real sockets.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::doc_markdown,
    reason = "rates and times of a measurement, rounded for people; comments that are --help"
)]

#[macro_use]
extern crate azulejo_terminal;

mod clients;
mod contender;
mod echo;
mod engine;
mod json_calls;
mod ladder;
mod metrics;
mod overload;
mod raw;
mod server;
mod standings;

use anyhow::Result;
use azulejo_terminal::{options, output};
use clap::{Args, Subcommand};

/// Load-test a server, over real sockets.
#[derive(Debug, Args)]
pub struct Load {
    #[command(subcommand)]
    command: LoadCommand,
}

#[derive(Debug, Subcommand)]
enum LoadCommand {
    Engine(engine::LoadEngine),
    Ladder(ladder::LoadLadder),
    Check(ladder::LoadCheck),
    Overload(overload::LoadOverload),
    Standings(standings::LoadStandings),
    #[command(hide = true)]
    Echo(echo::Echo),
    #[command(hide = true)]
    Yardstick(ladder::YardstickServer),
}

impl Load {
    pub fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            match self.command {
                LoadCommand::Engine(load) => load.run().await,
                LoadCommand::Ladder(load) => load.run().await,
                LoadCommand::Check(check) => check.run().await,
                LoadCommand::Overload(load) => load.run().await,
                LoadCommand::Standings(load) => load.run().await,
                LoadCommand::Echo(echo) => echo.run().await,
                LoadCommand::Yardstick(server) => server.run().await,
            }
        })
    }
}
