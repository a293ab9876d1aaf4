//! Demo bots: house bots that play on the ladder as ordinary clients.

use std::net::SocketAddr;

use azulejo_bots::{Budget, HouseBot};
use azulejo_sdk::{House, Options};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A demo bot.
#[derive(Debug)]
pub(super) struct DemoBot {
    pub(super) name: &'static str,
    bot: HouseBot,
}

/// A strong bot with a low budget, for laptops.
const fn strong(iterations: u32) -> HouseBot {
    HouseBot::Strong { budget: Budget::Nodes(iterations), threads: 1 }
}

pub(super) const DEMO_BOTS: [DemoBot; 6] = [
    DemoBot { name: "random", bot: HouseBot::Random },
    DemoBot { name: "greedy", bot: HouseBot::Greedy },
    DemoBot { name: "greedy-too", bot: HouseBot::Greedy },
    DemoBot { name: "strong-30", bot: strong(30) },
    DemoBot { name: "strong-100", bot: strong(100) },
    DemoBot { name: "strong-300", bot: strong(300) },
];

/// Concurrent matches of each bot.
const CONCURRENT_MATCHES: u32 = 3;

/// Starts a bot that plays over the network until the server stops.
pub(super) fn start(
    bot: &'static DemoBot,
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
        max_concurrent_matches: CONCURRENT_MATCHES,
        stop,
        ..Options::new(&format!("http://{address}"), token)
    };
    tokio::spawn(async move {
        if let Err(ended) = azulejo_sdk::run(House(bot.bot), options).await {
            tracing::error!(name = bot.name, %ended, "a demo bot has stopped");
        }
    })
}
