//! Abuse: clients that try to starve the arena, in every other slice of the measured time.

mod accounts;
mod bots;
mod calls;
mod connections;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use azulejo_sdk::Options;
use azulejo_sdk::arena::{Hello, Offer};
use clap::ValueEnum;
use tonic::transport::Endpoint;

use super::disturbance::{Activity, Disturbance, Tally};
use super::schedule::SLICE;
use super::swarm::Swarm;
use super::swarm_setup::SwarmPlayer;

/// The limit of open files that idle connections meet.
const FEW_FILES: u64 = 1_024;

/// A kind of abuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Abuse {
    /// Six connections without a token, each with 256 WatchMatch streams that are not read.
    UnreadWatchers,
    /// Sixteen connections without a token that export, expand, play out and list deals.
    HeavyCalls,
    /// Twenty bots of one owner that answer pings and are ready for no match.
    GhostsOfOneOwner,
    /// The same with twenty owners.
    GhostsOfManyOwners,
    /// 1,500 connections without a call, while the server may open 1,024 files.
    IdleConnections,
    /// Sixteen clients that register owners and bots, and declare versions.
    Accounts,
    /// Eight owners that challenge house bots and resign, again and again.
    Challenges,
    /// Thirty-two connections with 64 exports each, whose answers are not read.
    SlowReaders,
}

impl Abuse {
    /// How many clients there are.
    const fn clients(self) -> u32 {
        match self {
            Self::UnreadWatchers => 6,
            Self::HeavyCalls | Self::Accounts => 16,
            Self::GhostsOfOneOwner | Self::GhostsOfManyOwners => 20,
            Self::IdleConnections => 3,
            Self::Challenges => 8,
            Self::SlowReaders => 32,
        }
    }

    /// How many connections they open at the same time, at most.
    pub(super) const fn connections(self) -> u64 {
        match self {
            Self::IdleConnections => 3 * connections::PER_CLIENT as u64,
            Self::UnreadWatchers
            | Self::HeavyCalls
            | Self::GhostsOfOneOwner
            | Self::GhostsOfManyOwners
            | Self::Accounts
            | Self::Challenges
            | Self::SlowReaders => 2 * self.clients() as u64,
        }
    }

    /// Seconds in which its effect shows: a bot has 15 s to be ready.
    pub(super) const fn slice(self) -> u64 {
        match self {
            Self::GhostsOfOneOwner | Self::GhostsOfManyOwners => 45,
            Self::UnreadWatchers
            | Self::HeavyCalls
            | Self::IdleConnections
            | Self::Accounts
            | Self::Challenges
            | Self::SlowReaders => SLICE,
        }
    }

    /// The limit of open files of the server; none: that of this process.
    pub(super) fn file_limit(self) -> Option<u64> {
        (self == Self::IdleConnections).then_some(FEW_FILES)
    }
}

/// One of the clients.
struct Abuser {
    abuse: Abuse,
    url: String,
    swarm: Arc<Swarm>,
    /// What the honest bots play.
    hello: Hello,
    /// Of its own bot, if it has one.
    token: String,
    number: u32,
}

/// Registers the bots that are needed, and prepares the clients.
pub(super) async fn connect(
    abuse: Abuse,
    url: &str,
    players: &[SwarmPlayer],
    swarm: &Arc<Swarm>,
) -> Result<Disturbance> {
    let honest = players.first().context("there are no bots")?;
    let tokens = accounts::tokens(abuse, url).await?;
    let mut abusers = Disturbance::new()?;
    for number in 0..abuse.clients() {
        let abuser = Abuser {
            abuse,
            url: url.to_owned(),
            swarm: Arc::clone(swarm),
            hello: hello(&honest.options),
            token: tokens.get(number as usize).cloned().unwrap_or_default(),
            number,
        };
        abusers.add(async { Ok(abuser) }, Abuser::run).await?;
    }
    Ok(abusers)
}

fn hello(options: &Options) -> Hello {
    let offer = Offer {
        rulesets: options.rulesets.clone(),
        time_classes: options.time_classes.iter().map(|&class| class.into()).collect(),
        max_concurrent_matches: 1,
        ..Offer::default()
    };
    Hello { version: "1".to_owned(), offer: Some(offer), sdk: String::new() }
}

impl Abuser {
    async fn run(self, mut activity: Activity) {
        while activity.begin().await {
            let tally = Arc::clone(&activity.tally);
            // What is dropped at the end closes its connections.
            let refusal = tokio::select! {
                done = self.attack(&tally) => done.err(),
                () = activity.end() => None,
            };
            if let Some(refusal) = refusal {
                activity.refused(&refusal).await;
            }
        }
    }

    /// Attacks until an error.
    async fn attack(&self, tally: &Tally) -> Result<()> {
        match self.abuse {
            Abuse::UnreadWatchers => calls::watch_without_reading(self, tally).await,
            Abuse::HeavyCalls => calls::call_what_is_costly(self, tally).await,
            Abuse::SlowReaders => calls::export_without_reading(self, tally).await,
            Abuse::GhostsOfOneOwner | Abuse::GhostsOfManyOwners => bots::haunt(self, tally).await,
            Abuse::Challenges => bots::challenge_and_resign(self, tally).await,
            Abuse::IdleConnections => connections::idle(self, tally).await,
            Abuse::Accounts => accounts::flood(self, tally).await,
        }
    }

    fn endpoint(&self) -> Result<Endpoint> {
        Ok(azulejo_sdk::endpoint(&self.url)?)
    }
}
