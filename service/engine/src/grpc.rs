//! The gRPC handlers. They only decode the request, make the call and convert the error.

mod status;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::routing::get;
use azulejo_rules::parts::Seed;
use azulejo_runtime::{CpuPool, FastPath, Share};
use azulejo_wire::served::v1 as pb;
use azulejo_wire::served::v1::engine_service_server::{EngineService, EngineServiceServer};
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

use crate::{EngineError, calls};

type Answer<T> = Result<Response<T>, Status>;

/// The engine as a service. It has no state except the thread pool for long calls.
#[derive(Clone, Debug)]
pub struct Engine {
    pool: CpuPool,
}

impl Engine {
    #[must_use]
    pub const fn new(pool: CpuPool) -> Self {
        Self { pool }
    }

    /// Runs work that takes milliseconds, so that it does not delay calls that take microseconds.
    async fn on_pool<T: Send + 'static>(
        &self,
        share: Option<Share>,
        work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
    ) -> Answer<T> {
        let done = self.pool.run(share, work).await.map_err(status::refused)?;
        answer(done)
    }
}

/// Methods whose responses are so large that encoding them takes long.
pub const HEAVY: &[&str] = &[
    "azulejo.engine.v1.EngineService/BatchApply",
    "azulejo.engine.v1.EngineService/DealOutcomes",
    "azulejo.engine.v1.EngineService/Expand",
];

/// The service without the router. `max_bytes` is the maximum size of a request after decompression.
#[must_use]
pub fn fast_path(pool: CpuPool, max_bytes: usize) -> FastPath {
    FastPath::new(service(pool, max_bytes))
}

/// Adds the service to these routes.
#[must_use]
pub fn add_to(routes: Routes, pool: CpuPool, max_bytes: usize) -> Routes {
    routes.add_service(service(pool, max_bytes))
}

fn service(pool: CpuPool, max_bytes: usize) -> EngineServiceServer<Engine> {
    EngineServiceServer::new(Engine::new(pool))
        .max_decoding_message_size(max_bytes)
        .accept_compressed(CompressionEncoding::Gzip)
}

/// The page that the port shows in a browser.
#[must_use]
pub fn pages() -> Routes {
    Routes::from(axum::Router::new().route("/", get(WELCOME)))
}

/// Shown when the port is opened in a browser.
const WELCOME: &str = "This is Azulejo, the engine for bots that play Azul and Summer Pavilion.

Every call is available over gRPC and over HTTP with JSON:

  curl -H 'content-type: application/json' \\
    -d '{\"ruleset\":{\"azul\":{\"side\":\"BOARD_SIDE_COLORED\",\"players\":2}}}' \\
    http://<this address>/azulejo.engine.v1.EngineService/NewGame
";

fn answer<T>(result: Result<T, EngineError>) -> Answer<T> {
    result.map(Response::new).map_err(Status::from)
}

/// The request, and whose share of the worker pool it uses.
fn taken_apart<T>(request: Request<T>) -> (Option<Share>, T) {
    (Share::of(request.extensions()), request.into_inner())
}

/// A random seed.
fn fresh_seed() -> Result<Seed, Status> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| status::no_entropy())?;
    Ok(Seed::new(bytes))
}

#[tonic::async_trait]
impl EngineService for Engine {
    async fn list_rulesets(
        &self,
        request: Request<pb::ListRulesetsRequest>,
    ) -> Answer<pb::ListRulesetsResponse> {
        Ok(Response::new(calls::list_rulesets(request.into_inner())))
    }

    async fn new_game(&self, request: Request<pb::NewGameRequest>) -> Answer<pb::NewGameResponse> {
        let seed = fresh_seed()?;
        answer(calls::new_game(request.into_inner(), || seed))
    }

    async fn legal_moves(
        &self,
        request: Request<pb::LegalMovesRequest>,
    ) -> Answer<pb::LegalMovesResponse> {
        answer(calls::legal_moves(request.into_inner()))
    }

    async fn apply(&self, request: Request<pb::ApplyRequest>) -> Answer<pb::ApplyResponse> {
        answer(calls::apply(request.into_inner()))
    }

    async fn deal(&self, request: Request<pb::DealRequest>) -> Answer<pb::DealResponse> {
        answer(calls::deal(request.into_inner()))
    }

    async fn deal_outcomes(
        &self,
        request: Request<pb::DealOutcomesRequest>,
    ) -> Answer<pb::DealOutcomesResponse> {
        let (share, request) = taken_apart(request);
        self.on_pool(share, || calls::deal_outcomes(request)).await
    }

    async fn score(&self, request: Request<pb::ScoreRequest>) -> Answer<pb::ScoreResponse> {
        answer(calls::score(request.into_inner()))
    }

    async fn expand(&self, request: Request<pb::ExpandRequest>) -> Answer<pb::ExpandResponse> {
        let (share, request) = taken_apart(request);
        self.on_pool(share, || calls::expand(request)).await
    }

    async fn batch_apply(
        &self,
        request: Request<pb::BatchApplyRequest>,
    ) -> Answer<pb::BatchApplyResponse> {
        let (share, request) = taken_apart(request);
        if calls::is_small(&request) {
            return answer(calls::batch_apply(request));
        }
        self.on_pool(share, || calls::batch_apply(request)).await
    }

    async fn playouts(
        &self,
        request: Request<pb::PlayoutsRequest>,
    ) -> Answer<pb::PlayoutsResponse> {
        let deadline = self.pool.deadline(request.metadata().as_ref());
        let seed = fresh_seed()?;
        let caller = Arc::new(AtomicBool::new(true));
        // When the caller disconnects, this future is dropped and the playouts stop.
        let _guard = CallerGuard(Arc::clone(&caller));
        let (share, request) = taken_apart(request);
        self.on_pool(share, move || {
            let in_time = || caller.load(Ordering::Relaxed) && !deadline.has_passed();
            calls::playouts(request, || seed, in_time)
        })
        .await
    }

    async fn replay(&self, request: Request<pb::ReplayRequest>) -> Answer<pb::ReplayResponse> {
        let (share, request) = taken_apart(request);
        self.on_pool(share, || calls::replay(request)).await
    }

    async fn format_position(
        &self,
        request: Request<pb::FormatPositionRequest>,
    ) -> Answer<pb::FormatPositionResponse> {
        answer(calls::format_position(request.into_inner()))
    }

    async fn parse_position(
        &self,
        request: Request<pb::ParsePositionRequest>,
    ) -> Answer<pb::ParsePositionResponse> {
        answer(calls::parse_position(request.into_inner()))
    }

    async fn render(&self, request: Request<pb::RenderRequest>) -> Answer<pb::RenderResponse> {
        let (share, request) = taken_apart(request);
        self.on_pool(share, || calls::render(request)).await
    }
}

/// Clears the flag when the call is dropped.
struct CallerGuard(Arc<AtomicBool>);

impl Drop for CallerGuard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
