//! Many writers commit at the same time, old holders and new ones, over separate connections.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Epoch, Filter, Store, StoreError, Write, open};
use azulejo_tests::Postgres;
use tokio::task::JoinSet;

use crate::fixtures::*;

const WRITERS: u64 = 6;
const BATCHES: u64 = 25;

fn batch(n: u64) -> Vec<Write> {
    vec![ladder(n), event(n, 0), event(n, 1), rated(n, EndReason::Finished, 1)]
}

/// Commits matches from `first` on until it is fenced or has written enough; the acknowledged ones.
async fn write(store: Arc<dyn Store>, epoch: Epoch, first: u64) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    for n in first..first + BATCHES {
        match store.commit(epoch, &batch(n)).await {
            Ok(()) => acknowledged.push(n),
            Err(StoreError::Fenced) => break,
            Err(other) => panic!("{other}"),
        }
    }
    acknowledged
}

/// Writers that commit at the same time, two to a connection.
async fn start_writers(url: &str, epoch: Epoch, first: u64, writers: &mut JoinSet<Vec<u64>>) {
    for pair in 0..WRITERS / 2 {
        let store = open(url).await.unwrap();
        for one in 0..2 {
            let first = first + (2 * pair + one) * BATCHES;
            writers.spawn(write(Arc::clone(&store), epoch, first));
        }
    }
}

async fn ended(store: &dyn Store) -> Vec<(i64, azulejo_arena::names::MatchId)> {
    let ended = store.ended(0, u32::MAX).await.unwrap();
    assert!(ended.iter().all(|(_, saved)| saved.events.len() == 2 && saved.rated));
    ended.into_iter().map(|(number, saved)| (number, saved.spec.id)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_take_over_fenced_writers_write_nothing_and_their_acknowledged_batches_are_there() {
    let database = Postgres::shared().fresh();
    let store = open(&database.url).await.unwrap();
    let old = with_alice_and_bob(&*store).await;
    let (mut olds, mut news) = (JoinSet::new(), JoinSet::new());
    start_writers(&database.url, old, 0, &mut olds).await;
    while store.ended(0, 9).await.unwrap().len() < 9 {}
    let new = store.take_over("the next").await.unwrap();
    let at_the_take_over = ended(&*store).await;
    start_writers(&database.url, new, 10_000, &mut news).await;
    let olds: HashSet<_> = olds.join_all().await.concat().into_iter().map(id).collect();
    let news: HashSet<_> = news.join_all().await.concat().into_iter().map(id).collect();
    assert_eq!(news.len() as u64, WRITERS * BATCHES);
    // An acknowledged batch was written, and one that was written was acknowledged.
    assert_eq!(at_the_take_over.iter().map(|(_, id)| id.clone()).collect::<HashSet<_>>(), olds);
    let all = ended(&*store).await;
    assert_eq!(all[..at_the_take_over.len()], at_the_take_over);
    let rest = all[at_the_take_over.len()..].iter().map(|(_, id)| id.clone());
    assert_eq!(rest.collect::<HashSet<_>>(), news);
    assert_eq!(store.list(&Filter::default(), None, u32::MAX).await.unwrap().len(), all.len());
    let epochs = database.ask("SELECT DISTINCT epoch FROM match_events ORDER BY 1");
    assert_eq!(epochs, format!("{}\n{}", old.0, new.0));
    println!("{} batches of the old holder, {} of the new", olds.len(), news.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_after_a_number_misses_nothing_while_many_write() {
    let database = Postgres::shared().fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    let mut writers = JoinSet::new();
    start_writers(&database.url, epoch, 0, &mut writers).await;
    let (mut results, mut ends) = (HashSet::new(), HashSet::new());
    let (mut after_result, mut after_end) = (0, 0);
    let patience = tokio::time::Instant::now() + Duration::from_mins(2);
    while (results.len() as u64) < WRITERS * BATCHES || ends.len() < results.len() {
        assert!(tokio::time::Instant::now() < patience, "only {} were seen", results.len());
        for outcome in store.outcomes(after_result, 7).await.unwrap() {
            after_result = outcome.seq;
            assert!(results.insert(outcome.id));
        }
        for (number, saved) in store.ended(after_end, 7).await.unwrap() {
            after_end = number;
            assert!(ends.insert(saved.spec.id));
        }
    }
    assert_eq!(writers.join_all().await.concat().len(), results.len());
}
