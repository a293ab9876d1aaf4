//! The arena over gRPC. `read` turns requests into commands, `message` turns what the core knows
//! into messages, `status` turns refusals into status codes; the other files are one per service.

mod admin;
mod bots;
mod caller;
mod challenges;
mod ladder;
mod matches;
pub mod message;
mod pages;
mod play;
mod read;
#[cfg(test)]
mod reasons;
mod replays;
mod status;
mod watching;

use std::sync::Arc;
use std::time::Duration;

use azulejo_runtime::FastPath;
use azulejo_wire::served::arena as pb;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::{Response, Status};

pub use caller::{CallLimits, token};

use crate::arena_loop::Arena;
use crate::command::Command;
use caller::CallBudgets;
use replays::Replays;
use watching::Watching;

type Answered<T> = Result<Response<T>, Status>;

/// Methods by which bots wait for their events.
pub const SESSIONS: &[&str] =
    &["azulejo.arena.v1.PlayService/Play", "azulejo.arena.v1.PlayService/NextEvents"];

/// The services of the arena.
#[derive(Clone, Debug)]
pub struct Services {
    arena: Arena,
    budgets: Arc<CallBudgets>,
    watching: Watching,
    replays: Replays,
    /// A poll waits no longer than this.
    longest_poll: Duration,
    /// The largest request, in bytes, after decompression.
    most: usize,
}

/// A service that accepts compressed requests up to the size limit.
macro_rules! server {
    ($server:ty, $services:expr) => {
        <$server>::new($services.clone())
            .max_decoding_message_size($services.most)
            .accept_compressed(CompressionEncoding::Gzip)
    };
}

impl Services {
    /// `most` bounds a request, in bytes; `call_timeout` is the server's limit for a call.
    #[must_use]
    pub fn new(arena: Arena, most: usize, call_timeout: Duration) -> Self {
        let longest_poll = call_timeout.saturating_sub(Duration::from_secs(1));
        Self {
            arena,
            budgets: Arc::default(),
            watching: Watching::default(),
            replays: Replays::default(),
            longest_poll,
            most,
        }
    }

    /// The same services with other limits on the calls of a bot.
    #[must_use]
    pub fn with_limits(self, limits: CallLimits) -> Self {
        Self { budgets: Arc::new(CallBudgets::new(limits)), ..self }
    }

    /// The service that bots call most, without the router.
    #[must_use]
    pub fn fast_path(&self) -> FastPath {
        FastPath::new(self.play())
    }

    fn play(&self) -> pb::play_service_server::PlayServiceServer<Self> {
        server!(pb::play_service_server::PlayServiceServer<_>, self)
    }

    /// Adds all services.
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

    async fn call<C: Command>(&self, command: C) -> Result<C::Reply, Status> {
        self.arena.call(command).await.map_err(status::failed)
    }
}
