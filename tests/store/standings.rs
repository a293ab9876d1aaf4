//! The official standings follow the results that can be read from the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use azulejo_arena::arena_loop::{Arena, ArenaLoop};
use azulejo_arena::names::{MatchId, Owner};
use azulejo_arena::rating::FORMULA;
use azulejo_arena::record::{Bytes32, EndReason};
use azulejo_arena::standings::Standings;
use azulejo_arena::state::Settings;
use azulejo_arena::store::{
    Archive, AuditEntry, Epoch, Filter, ListedInvitation, ListedOwner, ListedToken, Outcome, Saved,
    SavedMatch, Sqlite, Store, StoreError, Unarchived, Write,
};
use azulejo_arena::time::Wall;
use azulejo_tests::waiting::{PATIENCE, until_async};
use tokio_util::sync::CancellationToken;

use crate::fixtures::*;

/// A store whose results can disappear, and that may be able to read only the first page of them.
#[derive(Debug)]
struct Results {
    store: Sqlite,
    first_page_only: AtomicBool,
    /// The results of the first matches are gone.
    gone: AtomicU64,
}

#[tonic::async_trait]
impl Store for Results {
    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        if after > 0 && self.first_page_only.load(Ordering::SeqCst) {
            return Err(StoreError::Failed("the second page".to_owned()));
        }
        let gone: Vec<MatchId> = (0..self.gone.load(Ordering::SeqCst)).map(id).collect();
        let mut page = self.store.outcomes(after, most).await?;
        page.retain(|outcome| !gone.contains(&outcome.id));
        Ok(page)
    }

    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        self.store.take_over(holder).await
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.store.renew(epoch).await
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.store.release(epoch).await
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        self.store.holder().await
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        self.store.has_token(hash).await
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        self.store.load().await
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        self.store.commit(epoch, writes).await
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        self.store.find(id).await
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        self.store.list(filter, before, most).await
    }

    async fn owners(&self, after: i64, most: u32) -> Result<Vec<ListedOwner>, StoreError> {
        self.store.owners(after, most).await
    }

    async fn tokens(
        &self,
        of: Option<&Owner>,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedToken>, StoreError> {
        self.store.tokens(of, after, most).await
    }

    async fn invitations(
        &self,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedInvitation>, StoreError> {
        self.store.invitations(after, most).await
    }

    async fn audit(
        &self,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, AuditEntry)>, StoreError> {
        self.store.audit(before, most).await
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        self.store.ended(after, most).await
    }

    async fn unarchived(&self, before: Wall, most: u32) -> Result<Vec<Unarchived>, StoreError> {
        self.store.unarchived(before, most).await
    }

    async fn archive(&self, epoch: Epoch, archives: &[Archive]) -> Result<(), StoreError> {
        self.store.archive(epoch, archives).await
    }

    async fn delete_challenges(
        &self,
        epoch: Epoch,
        before: Wall,
        most: u32,
    ) -> Result<u64, StoreError> {
        self.store.delete_challenges(epoch, before, most).await
    }
}

/// An arena with these results of twenty matches.
struct Running {
    store: Arc<Results>,
    arena: Arena,
    stop: CancellationToken,
    ended: tokio::task::JoinHandle<()>,
}

impl Running {
    async fn start(first_page_only: bool) -> Self {
        let store = Sqlite::in_memory().await.unwrap();
        let epoch = with_alice_and_bob(&store).await;
        let matches: Vec<Write> =
            (0..20).flat_map(|n| [ladder(n), rated(n, EndReason::Finished, 1)]).collect();
        store.commit(epoch, &matches).await.unwrap();
        // Otherwise the arena would read all results at its start.
        store.commit(epoch, &[Write::RatingFormula(FORMULA)]).await.unwrap();
        let store = Arc::new(Results {
            store,
            first_page_only: first_page_only.into(),
            gone: AtomicU64::new(0),
        });
        let shared: Arc<dyn Store> = store.clone();
        let arena_loop = ArenaLoop::open(shared, Settings::default()).await.unwrap();
        let (arena, stop) = (arena_loop.arena(), CancellationToken::new());
        let running = arena_loop.run(stop.clone());
        let ended = tokio::spawn(async { running.await.unwrap() });
        Self { store, arena, stop, ended }
    }

    /// The standings as soon as they contain this many results.
    async fn standings(&self, games: usize) -> Arc<Standings> {
        until_async("the standings contain the results", PATIENCE, || async {
            let fitted = self.arena.standings(pool()).map(|fitted| fitted.standings);
            fitted.filter(|standings| standings.games == games)
        })
        .await
    }

    fn remove(&self, first: u64) {
        self.store.gone.store(first, Ordering::SeqCst);
        self.arena.standings_changed();
    }

    async fn stop(self) {
        self.stop.cancel();
        self.ended.await.unwrap();
    }
}

#[tokio::test]
async fn results_that_were_read_before_a_failure_are_in_the_standings() {
    let running = Running::start(true).await;
    running.standings(20).await;
    running.stop().await;
}

#[tokio::test]
async fn a_result_that_disappears_leaves_the_standings() {
    let running = Running::start(false).await;
    let before = running.standings(20).await;

    running.remove(5);

    let after = running.standings(15).await;
    assert_eq!(after.lines.iter().map(|line| line.games).collect::<Vec<_>>(), [15, 15]);
    assert!(after.lines[0].rating < before.lines[0].rating, "five wins less: {after:?}");
    running.stop().await;
}

#[tokio::test]
async fn a_pool_whose_results_have_all_disappeared_has_no_lines() {
    let running = Running::start(false).await;
    running.standings(20).await;

    running.remove(20);

    assert!(running.standings(0).await.lines.is_empty());
    running.stop().await;
}

#[tokio::test]
async fn standings_stay_until_all_results_could_be_read_again() {
    let running = Running::start(true).await;
    running.standings(20).await;

    // Only the first page can be read: the fifteen results on it are not all.
    running.remove(5);
    for _ in 0..50 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        running.standings(20).await;
    }
    running.store.first_page_only.store(false, Ordering::SeqCst);

    running.standings(15).await;
    running.stop().await;
}
