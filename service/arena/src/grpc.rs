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
mod status;

use std::sync::Arc;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::{Response, Status};

use crate::desk::Arena;
use crate::hall::{Answer, Request};
use caller::Buckets;

type Answered<T> = Result<Response<T>, Status>;

/// The services of the arena.
#[derive(Clone, Debug)]
pub(crate) struct Services {
    arena: Arena,
    buckets: Arc<Buckets>,
    /// A poll waits no longer than this.
    longest_poll: Duration,
}

/// Adds everything that this crate serves. `most` bounds a request, in bytes, after decompression;
/// `call_timeout` is the server's limit for a call.
#[must_use]
pub fn routes(routes: Routes, arena: Arena, most: usize, call_timeout: Duration) -> Routes {
    let longest_poll = call_timeout.saturating_sub(Duration::from_secs(1));
    let services = Services { arena, buckets: Arc::default(), longest_poll };
    /// Each service takes compressed requests, and none that are too large.
    macro_rules! serve {
        ($routes:expr, $($server:ty),*) => {{
            let routes = $routes;
            $(let routes = routes.add_service(
                <$server>::new(services.clone())
                    .max_decoding_message_size(most)
                    .accept_compressed(CompressionEncoding::Gzip)
                    .accept_compressed(CompressionEncoding::Zstd),
            );)*
            routes
        }};
    }
    serve!(
        routes,
        pb::bots_service_server::BotsServiceServer<_>,
        pb::play_service_server::PlayServiceServer<_>,
        pb::ladder_service_server::LadderServiceServer<_>,
        pb::matches_service_server::MatchesServiceServer<_>,
        pb::challenges_service_server::ChallengesServiceServer<_>,
        pb::admin_service_server::AdminServiceServer<_>
    )
}

impl Services {
    async fn ask(&self, request: Request) -> Result<Answer, Status> {
        self.arena.ask(request).await.map_err(status::unanswered)
    }
}
