//! `azulejo load`: how much a server can bear, over real sockets.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::doc_markdown,
    reason = "rates and times of a measurement, rounded for people; comments that are --help"
)]

mod echo;
mod engine;
mod ladder;
mod overload;
mod raw;
mod server;
mod work;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Measure a server under load, over real sockets.
#[derive(Debug, Args)]
pub(crate) struct Load {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Engine(engine::LoadEngine),
    Ladder(ladder::LoadLadder),
    Check(ladder::LoadCheck),
    Overload(overload::LoadOverload),
    #[command(hide = true)]
    Echo(echo::Echo),
}

impl Load {
    pub(crate) fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            match self.what {
                What::Engine(load) => load.run().await,
                What::Ladder(load) => load.run().await,
                What::Check(check) => check.run().await,
                What::Overload(load) => load.run().await,
                What::Echo(echo) => echo.run().await,
            }
        })
    }
}
