//! Bots that behave badly, each in its own way. Whoever sits with them must not suffer for it.

use std::time::Duration;

use azulejo_sdk::Options;
use azulejo_sdk::arena::play_service_client::PlayServiceClient;
use azulejo_sdk::arena::{HeartbeatRequest, Hello, Offer, PlayRequest};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::Request;

use super::member::{Answers, Member};

/// How long one that leaves stays, and how long it is away.
const STAYS: Duration = Duration::from_secs(3);
const AWAY: Duration = Duration::from_secs(2);
/// Between two calls of a flood: more than twice what is allowed.
const FLOOD: Duration = Duration::from_millis(2);

/// How a bot behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manners {
    Good,
    /// Is ready for every match and never answers.
    Silent,
    /// Drops its connection every few seconds.
    Leaving,
    /// Answers with moves that are none.
    Illegal,
    /// Opens a stream and does not read it.
    Deaf,
    /// Plays well, and calls far more often than it may.
    Flooding,
    /// Is there twice: both streams throw each other out.
    Twice,
}

impl Manners {
    pub(super) const BAD: [Self; 6] =
        [Self::Silent, Self::Leaving, Self::Illegal, Self::Deaf, Self::Flooding, Self::Twice];

    pub(super) const fn is_bad(self) -> bool {
        !matches!(self, Self::Good)
    }

    pub(super) const fn answers(self) -> Answers {
        match self {
            Self::Silent => Answers::Never,
            Self::Illegal => Answers::Illegally,
            Self::Good | Self::Leaving | Self::Deaf | Self::Flooding | Self::Twice => Answers::Well,
        }
    }
}

/// Lets a bot play until it is told to stop.
pub(super) fn enter(manners: Manners, member: Member, options: Options, tasks: &mut JoinSet<()>) {
    match manners {
        Manners::Good | Manners::Silent | Manners::Illegal => {
            tasks.spawn(plays(member, options));
        }
        Manners::Leaving => {
            tasks.spawn(leaves(member, options));
        }
        Manners::Deaf => {
            tasks.spawn(hears_nothing(options));
        }
        Manners::Flooding => {
            tasks.spawn(floods(options.clone()));
            tasks.spawn(plays(member, options));
        }
        Manners::Twice => {
            tasks.spawn(comes_again(member.clone(), options.clone()));
            tasks.spawn(comes_again(member, options));
        }
    }
}

async fn plays(member: Member, options: Options) {
    if let Err(ended) = azulejo_sdk::run(member, options).await {
        tracing::warn!(%ended, "a bot of the swarm has left");
    }
}

async fn leaves(member: Member, options: Options) {
    let all = options.stop.clone();
    while !all.is_cancelled() {
        let stop = CancellationToken::new();
        let ends = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(STAYS).await;
            ends.cancel();
        });
        plays(member.clone(), Options { stop, ..options.clone() }).await;
        tokio::time::sleep(AWAY).await;
    }
}

/// Being replaced is final for a bot of the SDK; this one comes back all the same.
async fn comes_again(member: Member, options: Options) {
    while !options.stop.is_cancelled() {
        let _replaced = azulejo_sdk::run(member.clone(), options.clone()).await;
        tokio::time::sleep(AWAY).await;
    }
}

async fn hears_nothing(options: Options) {
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
        let request = said(PlayRequest { hello: Some(hello.clone()) }, &options);
        let _unread = client.play(request).await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(Duration::from_mins(1)) => {}
        }
    }
}

async fn floods(options: Options) {
    let Ok(endpoint) = azulejo_sdk::endpoint(&options.server) else { return };
    let mut client = PlayServiceClient::new(endpoint.connect_lazy());
    while !options.stop.is_cancelled() {
        let _refused = client.heartbeat(said(HeartbeatRequest::default(), &options)).await;
        tokio::time::sleep(FLOOD).await;
    }
}

fn said<T>(message: T, options: &Options) -> Request<T> {
    let mut request = Request::new(message);
    if let Ok(bearer) = format!("Bearer {}", options.token.0).parse() {
        request.metadata_mut().insert("authorization", bearer);
    }
    request
}
