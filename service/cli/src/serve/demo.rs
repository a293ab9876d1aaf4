//! House bots that keep the ladder alive, as clients like any other.

use std::net::SocketAddr;

use azulejo_bots::{Budget, HouseBot};
use azulejo_sdk::{House, Options};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A bot of the demo.
#[derive(Debug)]
pub(super) struct Fighter {
    pub(super) name: &'static str,
    bot: HouseBot,
}

/// Looks ahead along so many lines of play: few, so that a laptop keeps its breath.
const fn searching(lines: u32) -> HouseBot {
    HouseBot::Strong { budget: Budget::Nodes(lines), threads: 1 }
}

pub(super) const FIGHTERS: [Fighter; 6] = [
    Fighter { name: "random", bot: HouseBot::Random },
    Fighter { name: "greedy", bot: HouseBot::Greedy },
    Fighter { name: "greedy-too", bot: HouseBot::Greedy },
    Fighter { name: "strong-30", bot: searching(30) },
    Fighter { name: "strong-100", bot: searching(100) },
    Fighter { name: "strong-300", bot: searching(300) },
];

/// Matches that each plays at once.
const AT_ONCE: u32 = 3;

/// Lets it play over the socket until the server stops.
pub(super) fn enter(
    fighter: &'static Fighter,
    token: &str,
    public: SocketAddr,
    stop: CancellationToken,
) -> JoinHandle<()> {
    let address = match public.ip() {
        ip if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], public.port())),
        _ => public,
    };
    let options = Options {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        max_concurrent_matches: AT_ONCE,
        stop,
        ..Options::new(&format!("http://{address}"), token)
    };
    tokio::spawn(async move {
        if let Err(ended) = azulejo_sdk::run(House(fighter.bot), options).await {
            tracing::error!(name = fighter.name, %ended, "a house bot has left");
        }
    })
}
