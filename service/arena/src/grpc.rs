//! The arena over gRPC: take the message, ask, tell the answer. Nothing else.

mod admin;
mod bots;
mod caller;
mod challenges;
mod ladder;
mod matches;
mod pages;
mod play;
mod read;
#[cfg(test)]
mod reasons;
mod status;

use std::sync::Arc;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::{Response, Status};

pub use caller::token;

use crate::desk::Arena;
use crate::hall::{Answer, Request};
use caller::Buckets;

type Answered<T> = Result<Response<T>, Status>;

/// The services of the arena.
#[derive(Clone, Debug)]
pub struct Services {
    arena: Arena,
    buckets: Arc<Buckets>,
    /// A poll waits no longer than this.
    longest_poll: Duration,
    /// The largest request, in bytes, after decompression.
    most: usize,
}

/// A service that takes compressed requests, and none that are too large.
macro_rules! server {
    ($server:ty, $services:expr) => {
        <$server>::new($services.clone())
            .max_decoding_message_size($services.most)
            .accept_compressed(CompressionEncoding::Gzip)
            .accept_compressed(CompressionEncoding::Zstd)
    };
}

impl Services {
    /// `most` bounds a request, in bytes; `call_timeout` is the server's limit for a call.
    #[must_use]
    pub fn new(arena: Arena, most: usize, call_timeout: Duration) -> Self {
        let longest_poll = call_timeout.saturating_sub(Duration::from_secs(1));
        Self { arena, buckets: Arc::default(), longest_poll, most }
    }

    /// The one that bots call most.
    #[must_use]
    pub fn play(&self) -> pb::play_service_server::PlayServiceServer<Self> {
        server!(pb::play_service_server::PlayServiceServer<_>, self)
    }

    /// Adds all of them.
    #[must_use]
    pub fn add_to(&self, routes: Routes) -> Routes {
        routes
            .add_service(self.play())
            .add_service(server!(pb::bots_service_server::BotsServiceServer<_>, self))
            .add_service(server!(pb::ladder_service_server::LadderServiceServer<_>, self))
            .add_service(server!(pb::matches_service_server::MatchesServiceServer<_>, self))
            .add_service(server!(pb::challenges_service_server::ChallengesServiceServer<_>, self))
            .add_service(server!(pb::admin_service_server::AdminServiceServer<_>, self))
    }

    async fn ask(&self, request: Request) -> Result<Answer, Status> {
        self.arena.ask(request).await.map_err(status::unanswered)
    }
}
