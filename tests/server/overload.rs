//! Callers with more work than the CPU pool accepts.

use azulejo_tests::waiting::soon;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use tokio::task::JoinSet;
use tonic::{Response, Status};

use crate::grpc::Engine;
use crate::requests::long_work;

/// Each worker has a queue of four.
const PLACES_PER_WORKER: usize = 5;

/// Callers that all wait for an answer. Dropping this cancels their calls.
pub(crate) struct Overload {
    /// The error of the call that was refused.
    pub(crate) refused: Status,
    _waiting: JoinSet<Result<Response<pb::PlayoutsResponse>, Status>>,
}

impl Overload {
    /// Calls until the pool refuses a call.
    pub(crate) async fn fill(engine: &Engine, state: &game::GameState, workers: usize) -> Self {
        let mut waiting = JoinSet::new();
        for _ in 0..=workers * PLACES_PER_WORKER {
            let (mut engine, work) = (engine.clone(), long_work(state));
            waiting.spawn(async move { engine.playouts(work).await });
        }
        let first = soon("a call is refused", waiting.join_next()).await.unwrap().unwrap();
        let refused = first.expect_err("a refusal arrives before any work is done");
        Self { refused, _waiting: waiting }
    }
}
