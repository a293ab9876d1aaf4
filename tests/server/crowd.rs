//! Callers with more work than the workshop takes.

use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use tokio::task::JoinSet;
use tonic::{Response, Status};

use crate::game::long_work;
use crate::grpc::Engine;
use crate::patience::soon;

/// Four wait for each that works.
const PLACES_A_WORKER: usize = 5;

/// They all wait for an answer, and go away when this is dropped.
pub(crate) struct Crowd {
    /// What was said to the one who came too late.
    pub(crate) refused: Status,
    _waiting: JoinSet<Result<Response<pb::PlayoutsResponse>, Status>>,
}

impl Crowd {
    /// Until the workshop refuses somebody.
    pub(crate) async fn fills_workshop(
        engine: &Engine,
        state: &game::GameState,
        workers: usize,
    ) -> Self {
        let mut waiting = JoinSet::new();
        for _ in 0..=workers * PLACES_A_WORKER {
            let (mut engine, work) = (engine.clone(), long_work(state));
            waiting.spawn(async move { engine.playouts(work).await });
        }
        let first = soon("somebody is answered", waiting.join_next()).await.unwrap().unwrap();
        let refused = first.expect_err("refusals come before the work is done");
        Self { refused, _waiting: waiting }
    }
}
