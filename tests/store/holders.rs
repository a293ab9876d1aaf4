//! Only the arena that took the store last may write.

use std::sync::Arc;
use std::time::{Duration, Instant};

use azulejo_arena::store::{Epoch, Filter, StoreError};

use crate::backends::Fresh;
use crate::fixtures::*;

pub(crate) async fn a_new_store_has_no_holder(store: Fresh) {
    assert_eq!(store.holder().await.unwrap(), None);
    for epoch in [0, 1, -1, i64::MAX] {
        assert_fenced(store.commit(Epoch(epoch), &alice_and_bob()).await);
        assert_fenced(store.renew(Epoch(epoch)).await);
    }
    assert!(store.load().await.unwrap().owners.is_empty());
}

pub(crate) async fn a_take_over_fences_the_former_holder(store: Fresh) {
    let first = store.take_over("first").await.unwrap();
    store.commit(first, &[new_owner("alice")]).await.unwrap();
    store.renew(first).await.unwrap();
    let second = store.take_over("second").await.unwrap();
    assert!(second > first);
    assert_fenced(store.commit(first, &[new_owner("bob")]).await);
    assert_fenced(store.renew(first).await);
    assert_fenced(store.commit(Epoch(second.0 + 1), &[new_owner("bob")]).await);
    assert_eq!(store.holder().await.unwrap().unwrap().0, "second");
    store.renew(second).await.unwrap();
    store.commit(second, &[new_owner("carol")]).await.unwrap();
    assert_eq!(store.load().await.unwrap().owners, [owner("alice"), owner("carol")]);
}

pub(crate) async fn a_fenced_batch_leaves_nothing(store: Fresh) {
    let first = with_alice_and_bob(&*store).await;
    store.commit(first, &[ladder(1), event(1, 0)]).await.unwrap();
    store.take_over("second").await.unwrap();
    let batch = [event(1, 1), unrated(1), ladder(2), new_owner("carol")];
    assert_fenced(store.commit(first, &batch).await);
    // Also a batch that conflicts: its writer must learn that it no longer holds the store.
    assert_fenced(store.commit(first, &[ladder(1)]).await);
    let saved = store.load().await.unwrap();
    assert_eq!((saved.owners.len(), saved.running.len(), saved.untold.len()), (2, 1, 0));
    assert_eq!(saved.running[0].events.len(), 1);
}

pub(crate) async fn batches_acknowledged_to_a_former_holder_are_written(store: Fresh) {
    let first = with_alice_and_bob(&*store).await;
    let store = Arc::new(store);
    let writer = Arc::clone(&store);
    let writing = tokio::spawn(async move {
        for n in 0..10_000 {
            match writer.commit(first, &[ladder(n), event(n, 0), unrated(n)]).await {
                Ok(()) => tokio::task::yield_now().await,
                Err(StoreError::Fenced) => return n,
                Err(other) => panic!("{other}"),
            }
        }
        panic!("it was never fenced")
    });
    while store.list(&Filter::default(), None, 9).await.unwrap().len() < 5 {}
    let second = store.take_over("second").await.unwrap();
    let written = store.ended(0, u32::MAX).await.unwrap().len();
    assert_eq!(writing.await.unwrap(), written as u64);
    store.commit(second, &[ladder(written as u64)]).await.unwrap();
}

pub(crate) async fn a_renewal_updates_the_last_sign_of_the_holder(store: Fresh) {
    let epoch = store.take_over("arena-7 on host \"x\"").await.unwrap();
    let (name, before) = store.holder().await.unwrap().unwrap();
    assert_eq!(name, "arena-7 on host \"x\"");
    assert!(before < Duration::from_mins(1));
    let ago = async || store.holder().await.unwrap().unwrap().1;
    while ago().await < Duration::from_millis(50) {}
    let began = Instant::now();
    store.renew(epoch).await.unwrap();
    // True on a slow computer too. Both clocks are truncated to milliseconds.
    let renewed = ago().await;
    assert!(renewed <= began.elapsed() + Duration::from_millis(2), "{renewed:?} ago");
}

pub(crate) async fn a_released_store_looks_abandoned(store: Fresh) {
    let ago = async || store.holder().await.unwrap().unwrap().1;
    let first = store.take_over("first").await.unwrap();
    store.release(first).await.unwrap();
    assert!(ago().await > Duration::from_hours(24));
    let second = store.take_over("second").await.unwrap();
    assert!(second > first);
    store.release(first).await.expect("that changes nothing");
    assert!(ago().await < Duration::from_mins(1));
    store.commit(second, &[new_owner("alice")]).await.unwrap();
}
