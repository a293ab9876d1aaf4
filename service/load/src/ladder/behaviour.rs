//! How bots behave: well, or badly in one of several ways. Their opponents must not suffer from it.

use std::time::Duration;

use azulejo_sdk::Options;
use azulejo_sdk::arena::play_service_client::PlayServiceClient;
use azulejo_sdk::arena::{HeartbeatRequest, Hello, Offer, PlayRequest};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::Request;

use super::swarm_bot::{Answers, SwarmBot};

/// How long a leaving bot stays connected, and how long it is away.
const CONNECTED: Duration = Duration::from_secs(3);
const AWAY: Duration = Duration::from_secs(2);
/// Between two calls of a flood: more than twice the allowed rate.
const FLOOD: Duration = Duration::from_millis(2);

/// How a bot behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    Good,
    /// Is ready for every match and never moves.
    Silent,
    /// Drops its connection every few seconds.
    Leaving,
    /// Submits illegal moves.
    Illegal,
    /// Opens a stream and does not read it.
    NotReading,
    /// Plays well, and exceeds the rate limit.
    Flooding,
    /// Connects twice: both streams replace each other.
    Twice,
}

impl Behaviour {
    pub(super) const BAD: [Self; 6] =
        [Self::Silent, Self::Leaving, Self::Illegal, Self::NotReading, Self::Flooding, Self::Twice];

    pub(super) const fn is_bad(self) -> bool {
        !matches!(self, Self::Good)
    }

    pub(super) const fn answers(self) -> Answers {
        match self {
            Self::Silent => Answers::Never,
            Self::Illegal => Answers::Illegally,
            Self::Good | Self::Leaving | Self::NotReading | Self::Flooding | Self::Twice => {
                Answers::Well
            }
        }
    }
}

/// Starts a bot; it plays until its options stop it.
pub(super) fn start(
    behaviour: Behaviour,
    bot: SwarmBot,
    options: Options,
    tasks: &mut JoinSet<()>,
) {
    match behaviour {
        Behaviour::Good | Behaviour::Silent | Behaviour::Illegal => {
            tasks.spawn(play(bot, options));
        }
        Behaviour::Leaving => {
            tasks.spawn(play_with_interruptions(bot, options));
        }
        Behaviour::NotReading => {
            tasks.spawn(open_without_reading(options));
        }
        Behaviour::Flooding => {
            tasks.spawn(flood(options.clone()));
            tasks.spawn(play(bot, options));
        }
        Behaviour::Twice => {
            tasks.spawn(play_again(bot.clone(), options.clone()));
            tasks.spawn(play_again(bot, options));
        }
    }
}

async fn play(bot: SwarmBot, options: Options) {
    if let Err(ended) = azulejo_sdk::run(bot, options).await {
        tracing::warn!(%ended, "a bot of the swarm has stopped");
    }
}

async fn play_with_interruptions(bot: SwarmBot, options: Options) {
    let all = options.stop.clone();
    while !all.is_cancelled() {
        let stop = CancellationToken::new();
        let ends = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(CONNECTED).await;
            ends.cancel();
        });
        play(bot.clone(), Options { stop, ..options.clone() }).await;
        tokio::time::sleep(AWAY).await;
    }
}

/// To be replaced is final for the SDK; this bot reconnects nevertheless.
async fn play_again(bot: SwarmBot, options: Options) {
    while !options.stop.is_cancelled() {
        let _replaced = azulejo_sdk::run(bot.clone(), options.clone()).await;
        tokio::time::sleep(AWAY).await;
    }
}

async fn open_without_reading(options: Options) {
    let Ok(endpoint) = azulejo_sdk::endpoint(&options.server) else { return };
    let stop = options.stop.clone();
    let mut client = PlayServiceClient::new(endpoint.initial_stream_window_size(16).connect_lazy());
    let offer = Offer {
        rulesets: options.rulesets.clone(),
        time_classes: options.time_classes.iter().map(|&class| class.into()).collect(),
        max_concurrent_matches: options.max_concurrent_matches,
        ..Offer::default()
    };
    let hello = Hello { version: "1".to_owned(), offer: Some(offer), sdk: String::new() };
    while !stop.is_cancelled() {
        let request = with_token(PlayRequest { hello: Some(hello.clone()) }, &options);
        let _unread = client.play(request).await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(Duration::from_mins(1)) => {}
        }
    }
}

async fn flood(options: Options) {
    let Ok(endpoint) = azulejo_sdk::endpoint(&options.server) else { return };
    let mut client = PlayServiceClient::new(endpoint.connect_lazy());
    while !options.stop.is_cancelled() {
        let _refused = client.heartbeat(with_token(HeartbeatRequest::default(), &options)).await;
        tokio::time::sleep(FLOOD).await;
    }
}

fn with_token<T>(message: T, options: &Options) -> Request<T> {
    let mut request = Request::new(message);
    if let Ok(bearer) = format!("Bearer {}", options.token.0).parse() {
        request.metadata_mut().insert("authorization", bearer);
    }
    request
}
