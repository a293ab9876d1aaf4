//! The database crashes in the middle of commits, and comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use azulejo_arena::store::{Epoch, Store, StoreError, open};
use azulejo_tests::{Postgres, Random};

use crate::fixtures::*;
use crate::whole_batches::*;

/// Whether match `n` is stored, as soon as the database is available.
async fn is_there(store: &dyn Store, n: u64) -> bool {
    loop {
        match store.find(&id(n)).await {
            Ok(found) => {
                let whole = |found: &azulejo_arena::store::SavedMatch| {
                    found.rated && found.ended.is_some() && found.events.len() == 20
                };
                assert!(found.as_ref().is_none_or(whole), "half of match {n}");
                return found.is_some();
            }
            Err(StoreError::Failed(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(other) => panic!("{other}"),
        }
    }
}

/// Commits one batch after another. Returns how many were acknowledged or found, and how many
/// commits failed.
async fn commit_until(
    store: Arc<dyn Store>,
    epoch: Epoch,
    acknowledged: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
) -> (u64, u64) {
    let (mut next, mut failed) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        match store.commit(epoch, &whole_match(next)).await {
            Ok(()) => {
                next += 1;
                acknowledged.store(next, Ordering::Relaxed);
            }
            Err(StoreError::Failed(_)) => {
                failed += 1;
                next += u64::from(is_there(&*store, next).await);
            }
            Err(other) => panic!("{other}"),
        }
    }
    (next, failed)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_ten_crashes_of_the_database() {
    let server = Postgres::alone("");
    let database = server.fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    let (acknowledged, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let writing = tokio::spawn(commit_until(
        Arc::clone(&store),
        epoch,
        Arc::clone(&acknowledged),
        Arc::clone(&stop),
    ));
    let mut random = Random::new(11);
    for _ in 0..10 {
        let before = acknowledged.load(Ordering::Relaxed);
        while acknowledged.load(Ordering::Relaxed) < before + 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_micros(random.below(9_000) as u64)).await;
        server.stop_immediately();
        let written = acknowledged.load(Ordering::Relaxed);
        server.start();
        let there = whole_matches(&*open(&database.url).await.unwrap()).await;
        assert!(there >= written, "acknowledged {written}, found {there}");
    }
    stop.store(true, Ordering::Relaxed);
    let (written, failed) = writing.await.unwrap();
    assert_eq!(whole_batches(&*store).await, written);
    assert!(failed >= 10, "only {failed} commits noticed a crash");
    println!("10 crashes, {written} batches, {failed} commits failed");
}

#[tokio::test]
async fn a_store_without_its_database_fails_and_works_again_when_it_is_back() {
    let server = Postgres::alone("");
    let database = server.fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    server.stop_immediately();
    for _ in 0..2 {
        let failures = [
            store.commit(epoch, &[ladder(1)]).await.unwrap_err(),
            store.renew(epoch).await.unwrap_err(),
            store.find(&id(1)).await.unwrap_err(),
            store.load().await.unwrap_err(),
        ];
        for failure in failures {
            assert!(matches!(failure, StoreError::Failed(_)), "{failure:?}");
        }
    }
    assert!(matches!(open(&database.url).await, Err(StoreError::Failed(_))));
    server.start();
    store.commit(epoch, &[ladder(1)]).await.unwrap();
    store.renew(epoch).await.unwrap();
    assert!(store.find(&id(1)).await.unwrap().is_some());
}
