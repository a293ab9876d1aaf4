//! The official standings contain the results that could be read before the store failed.

use std::sync::Arc;
use std::time::Duration;

use azulejo_arena::arena_loop::ArenaLoop;
use azulejo_arena::names::MatchId;
use azulejo_arena::record::{Bytes32, EndReason};
use azulejo_arena::state::Settings;
use azulejo_arena::store::{
    Epoch, Filter, Outcome, Saved, SavedMatch, Sqlite, Store, StoreError, Write,
};
use azulejo_tests::waiting::{PATIENCE, until_async};
use tokio_util::sync::CancellationToken;

use crate::fixtures::*;

/// A store that can read only the first page of results.
#[derive(Debug)]
struct FirstPageOnly(Sqlite);

#[tonic::async_trait]
impl Store for FirstPageOnly {
    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        if after > 0 {
            return Err(StoreError::Failed("the second page".to_owned()));
        }
        self.0.outcomes(after, most).await
    }

    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        self.0.take_over(holder).await
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.0.renew(epoch).await
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.0.release(epoch).await
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        self.0.holder().await
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        self.0.has_token(hash).await
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        self.0.load().await
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        self.0.commit(epoch, writes).await
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        self.0.find(id).await
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        self.0.list(filter, before, most).await
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        self.0.ended(after, most).await
    }
}

#[tokio::test]
async fn results_that_were_read_before_a_failure_are_in_the_standings() {
    let store = Sqlite::in_memory().await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    let matches: Vec<Write> =
        (0..20).flat_map(|n| [ladder(n), rated(n, EndReason::Finished, 1)]).collect();
    store.commit(epoch, &matches).await.unwrap();
    let arena_loop = ArenaLoop::open(Arc::new(FirstPageOnly(store)), Settings::default()).await;
    let arena_loop = arena_loop.unwrap();
    let (arena, stop) = (arena_loop.arena(), CancellationToken::new());
    let running = tokio::spawn(arena_loop.run(stop.clone()));

    until_async("the standings are computed", PATIENCE, || async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        arena.standings(pool())
    })
    .await;

    stop.cancel();
    running.await.unwrap().unwrap();
}
