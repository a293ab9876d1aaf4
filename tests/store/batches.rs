//! A batch is whole or not at all.

use std::sync::Arc;
use std::time::Duration;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Epoch, Filter, Write};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

pub(crate) async fn a_batch_is_whole_or_not_at_all(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1), event(1, 0)]).await.unwrap();
    let delivered = Write::EndDelivered { id: id(1), bot: bot(ALICE) };
    let good = [
        event(1, 1),
        ladder(2),
        event(2, 0),
        rated(1, EndReason::Finished, 1),
        delivered,
        Write::Invitation { hash: bytes(1), created: Wall(4) },
        new_owner("carol"),
        new_version(ALICE, "2"),
    ];
    let bad = [
        ladder(1),
        event(2, 7),
        event(3, 0),
        unrated(9),
        new_owner("alice"),
        new_bot("dave/d"),
        Write::Invited { hash: bytes(9) },
    ];
    let before = format!("{:?}", store.load().await.unwrap());
    for bad in &bad {
        for place in 0..=good.len() {
            let (first, rest) = good.split_at(place);
            let batch = [first, std::slice::from_ref(bad), rest].concat();
            assert_conflict(store.commit(epoch, &batch).await, "");
            assert_eq!(format!("{:?}", store.load().await.unwrap()), before);
        }
    }
    assert_eq!(store.list(&Filter::default(), None, 9).await.unwrap().len(), 1);
    store.commit(epoch, &good).await.unwrap();
}

pub(crate) async fn writes_of_a_batch_see_those_before_them(store: Fresh) {
    let epoch = store.take_over("the test").await.unwrap();
    let code = bytes("code");
    let mut batch =
        vec![Write::Invitation { hash: code, created: Wall(4) }, Write::Invited { hash: code }];
    batch.extend(alice_and_bob());
    batch.extend([ladder(1), event(1, 0), event(1, 1), rated(1, EndReason::Gone, 1)]);
    batch.push(Write::EndDelivered { id: id(1), bot: bot(BOB) });
    store.commit(epoch, &batch).await.unwrap();
    let saved = store.load().await.unwrap();
    assert_eq!(saved.untold, [(id(1), bot(ALICE))]);
    assert_eq!((saved.invitations.len(), saved.running.len(), saved.standings.len()), (0, 0, 2));
}

pub(crate) async fn an_empty_batch_only_checks_the_holder(store: Fresh) {
    assert_fenced(store.commit(Epoch(0), &[]).await);
    let epoch = store.take_over("the test").await.unwrap();
    store.commit(epoch, &[]).await.unwrap();
    assert_fenced(store.commit(Epoch(epoch.0 + 1), &[]).await);
}

pub(crate) async fn batches_at_the_same_time_are_all_written(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let store = Arc::new(store);
    let mut all = tokio::task::JoinSet::new();
    for n in 0..40 {
        let store = Arc::clone(&store);
        all.spawn(async move {
            store.commit(epoch, &[ladder(n), event(n, 0)]).await.unwrap();
            // An acknowledged batch can be read.
            assert_eq!(store.find(&id(n)).await.unwrap().unwrap().events.len(), 1);
            store.commit(epoch, &[rated(n, EndReason::Finished, 1)]).await.unwrap();
            store.load().await.unwrap().running.len()
        });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
    assert_eq!(store.outcomes(0, 99).await.unwrap().len(), 40);
}

pub(crate) async fn a_batch_whose_caller_gives_up_is_whole_or_not_at_all(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    for n in 0..60 {
        let batch = [ladder(n), event(n, 0), event(n, 1), rated(n, EndReason::Gone, 1)];
        let patience = Duration::from_micros(n * 40);
        let heard = tokio::time::timeout(patience, store.commit(epoch, &batch)).await;
        let found = store.find(&id(n)).await.unwrap();
        assert!(heard.is_err() || found.is_some());
        if let Some(found) = found {
            assert!(found.rated && found.events.len() == 2);
        }
    }
    store.commit(epoch, &[ladder(99)]).await.unwrap();
    let listed = store.list(&Filter::default(), None, 99).await.unwrap().len();
    assert_eq!(listed, store.ended(0, 99).await.unwrap().len() + 1);
}
