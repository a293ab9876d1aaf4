//! What batches are worth. Run it with
//! `cargo test --profile proof -p azulejo-tests --test store -- --ignored --nocapture speed`.

use std::time::Instant;

use azulejo_arena::store::{Sqlite, Store, Write};

use crate::things::*;

const MATCHES: u64 = 100;

/// Events per second, of `events` in batches of so many, which come from all matches in turn.
async fn durable_events(batch: usize, events: u32) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("arena.db")).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    let calls: Vec<Write> = (0..MATCHES).map(ladder).collect();
    store.commit(epoch, &calls).await.unwrap();
    let in_turn = (0..).flat_map(|seq| (0..MATCHES).map(move |n| event(n, seq)));
    let all: Vec<Write> = in_turn.take(events as usize).collect();
    let began = Instant::now();
    for batch in all.chunks(batch) {
        store.commit(epoch, batch).await.unwrap();
    }
    f64::from(events) / began.elapsed().as_secs_f64()
}

#[tokio::test]
#[ignore = "a measurement"]
async fn batches_of_500_against_one_event_per_commit() {
    let single = durable_events(1, 2_000).await;
    let batched = durable_events(500, 100_000).await;
    println!("durable events per second: {single:.0} one by one, {batched:.0} in batches of 500");
    println!("ratio: {:.1}", batched / single);
}
