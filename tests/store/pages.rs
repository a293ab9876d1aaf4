//! Matches and results, page by page.

use std::sync::Arc;

use azulejo_arena::names::MatchId;
use azulejo_arena::record::{EndReason, Origin};
use azulejo_arena::store::{Filter, SavedMatch, Status, Store, Write};

use crate::backends::Fresh;
use crate::fixtures::*;

fn ids(page: &[(i64, SavedMatch)]) -> Vec<MatchId> {
    page.iter().map(|(_, saved)| saved.spec.id.clone()).collect()
}

fn in_pool(n: u64, pool: &str) -> Write {
    let mut spec = spec(n, Origin::Ladder, vec![remote(ALICE), remote(BOB)]);
    spec.pool = pool.parse().unwrap();
    Write::Match { spec, secret: bytes(n) }
}

pub(crate) async fn filters_choose_matches(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let rapid = "summer-pavilion-gray-2-rapid";
    let calls = [ladder(1), challenge(2), in_pool(3, rapid), ladder(4), challenge(5)];
    store.commit(epoch, &calls).await.unwrap();
    store.commit(epoch, &[unrated(3), unrated(1), unrated(2)]).await.unwrap();
    let names = |filter: Filter| {
        let store = &*store;
        async move { ids(&store.list(&filter, None, 9).await.unwrap()) }
    };
    let all = Filter::default();
    let bobs = Filter { bot: Some(bot(BOB)), ..all.clone() };
    let slow = Filter { pool: Some(rapid.parse().unwrap()), ..all.clone() };
    let over = |over: bool, filter: &Filter| {
        let status = Some(if over { Status::Over } else { Status::Running });
        Filter { status, ..filter.clone() }
    };
    assert_eq!(names(all.clone()).await, [5, 4, 3, 2, 1].map(id));
    assert_eq!(names(over(true, &all)).await, [3, 2, 1].map(id));
    assert_eq!(names(over(false, &all)).await, [5, 4].map(id));
    store.commit(epoch, &[rated(4, EndReason::Finished, 1)]).await.unwrap();
    let only = |status: Status, filter: &Filter| Filter { status: Some(status), ..filter.clone() };
    assert_eq!(names(only(Status::Ended, &all)).await, [id(4)]);
    assert_eq!(names(only(Status::Voided, &all)).await, [3, 2, 1].map(id));
    assert_eq!(names(only(Status::Voided, &bobs)).await, [3, 1].map(id));
    assert_eq!(names(only(Status::Ended, &bobs)).await, [id(4)]);
    assert_eq!(names(bobs.clone()).await, [4, 3, 1].map(id));
    assert_eq!(names(over(true, &bobs)).await, [4, 3, 1].map(id));
    assert_eq!(names(over(false, &bobs)).await, []);
    assert_eq!(names(slow.clone()).await, [id(3)]);
    assert_eq!(names(over(false, &slow)).await, []);
    assert_eq!(names(Filter { pool: Some(pool()), ..bobs }).await, [4, 1].map(id));
    assert_eq!(names(Filter { bot: Some(bot("bob/x")), ..all }).await, []);
}

pub(crate) async fn a_bot_that_plays_itself_finds_its_match_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let itself = spec(1, Origin::Challenge, vec![remote(ALICE), remote(ALICE)]);
    let call = Write::Match { spec: itself, secret: bytes(1) };
    store.commit(epoch, &[call, unrated(1)]).await.unwrap();
    let filter = Filter { bot: Some(bot(ALICE)), ..Filter::default() };
    assert_eq!(ids(&store.list(&filter, None, 9).await.unwrap()), [id(1)]);
    assert_eq!(store.load().await.unwrap().untold, [(id(1), bot(ALICE))]);
}

/// Every page, from the newest match to the oldest.
async fn turn_all_pages(store: &dyn Store, filter: &Filter) -> Vec<MatchId> {
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let page = store.list(filter, before, 7).await.unwrap();
        let Some((last, _)) = page.last() else { return all };
        assert!(page.is_sorted_by(|a, b| a.0 > b.0) && page.len() <= 7);
        before = Some(*last);
        all.extend(ids(&page));
    }
}

pub(crate) async fn pages_have_no_gaps_and_no_doubles_while_matches_are_added(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let first: Vec<Write> = (0..50).map(ladder).collect();
    store.commit(epoch, &first).await.unwrap();
    let store = Arc::new(store);
    let writer = Arc::clone(&store);
    let adding = tokio::spawn(async move {
        for n in 50..250 {
            writer.commit(epoch, &[ladder(n), event(n, 0)]).await.unwrap();
        }
    });
    let bobs = Filter { bot: Some(bot(BOB)), pool: Some(pool()), status: Some(Status::Running) };
    for filter in [Filter::default(), bobs] {
        for _ in 0..5 {
            let all = turn_all_pages(&**store, &filter).await;
            let expected: Vec<MatchId> = (0..all.len() as u64).rev().map(id).collect();
            assert!(all.len() >= 50);
            assert_eq!(all, expected);
        }
    }
    adding.await.unwrap();
    assert_eq!(turn_all_pages(&**store, &Filter::default()).await.len(), 250);
    assert_eq!(store.list(&Filter::default(), None, 0).await.unwrap(), []);
    assert_eq!(store.list(&Filter::default(), Some(i64::MIN), 9).await.unwrap(), []);
}

pub(crate) async fn ends_are_exported_in_their_order(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let calls: Vec<Write> = (0..9).map(ladder).collect();
    store.commit(epoch, &calls).await.unwrap();
    let order = [4, 0, 8, 2, 6];
    for n in order {
        store.commit(epoch, &[event(n, 0), unrated(n)]).await.unwrap();
    }
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let page = store.ended(after, 2).await.unwrap();
        let Some((last, _)) = page.last() else { break };
        after = *last;
        assert!(page.iter().all(|(_, saved)| saved.events.len() == 1 && saved.ended.is_some()));
        all.extend(ids(&page));
    }
    assert_eq!(all, order.map(id));
    store.commit(epoch, &[unrated(1)]).await.unwrap();
    assert_eq!(ids(&store.ended(after, 9).await.unwrap()), [id(1)]);
}

pub(crate) async fn outcomes_are_paged_in_their_order(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    for n in [5, 3, 9, 1, 7] {
        let unrated = [ladder(100 + n), unrated(100 + n)];
        store.commit(epoch, &unrated).await.unwrap();
        store.commit(epoch, &[ladder(n), rated(n, EndReason::Gone, 1)]).await.unwrap();
    }
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let page = store.outcomes(after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.seq;
        assert!(page.iter().all(|outcome| outcome.seats.len() == 2));
        all.extend(page.into_iter().map(|outcome| outcome.id));
    }
    assert_eq!(all, [5, 3, 9, 1, 7].map(id));
}
