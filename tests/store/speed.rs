//! Measures the throughput of batches, and how long a move waits for its commit. Run it with
//! `cargo test --workspace --profile proof --test store -- --ignored --nocapture speed`.

use std::time::{Duration, Instant};

use azulejo_arena::store::{Epoch, Store, Write};

use crate::backends::Lasting;
use crate::fixtures::*;

const MATCHES: u64 = 100;

/// Events of all matches in turn, from number `first` on.
fn events(first: u32, count: usize) -> Vec<Write> {
    let in_turn = (first..).flat_map(|seq| (0..MATCHES).map(move |n| event(n, seq)));
    in_turn.take(count).collect()
}

async fn with_matches(store: &dyn Store) -> Epoch {
    let epoch = with_alice_and_bob(store).await;
    let calls: Vec<Write> = (0..MATCHES).map(ladder).collect();
    store.commit(epoch, &calls).await.unwrap();
    epoch
}

/// How long each commit took, of `count` events in batches of this size.
async fn commits(place: &Lasting, batch: usize, count: usize) -> Vec<Duration> {
    let store = place.open().await;
    let epoch = with_matches(&*store).await;
    let mut took = Vec::new();
    for batch in events(0, count).chunks(batch) {
        let began = Instant::now();
        store.commit(epoch, batch).await.unwrap();
        took.push(began.elapsed());
    }
    took
}

async fn durable_events(place: &Lasting, batch: usize, count: u32) -> f64 {
    let took = commits(place, batch, count as usize).await;
    f64::from(count) / took.iter().sum::<Duration>().as_secs_f64()
}

async fn measure(name: &str, fresh: fn() -> Lasting) {
    let single = durable_events(&fresh(), 1, 2_000).await;
    let batched = durable_events(&fresh(), 500, 100_000).await;
    println!(
        "{name}: durable events per second: {single:.0} one by one, {batched:.0} in batches of 500, ratio {:.1}",
        batched / single
    );
    for size in [1, 10, 100] {
        let mut took = commits(&fresh(), size, 500 * size).await;
        took.sort_unstable();
        let (median, slow) = (took[took.len() / 2], took[took.len() * 99 / 100]);
        println!("{name}: a commit of {size} events: median {median:.1?}, 99 % within {slow:.1?}");
    }
}

#[tokio::test]
#[ignore = "a measurement"]
async fn batches_of_500_against_one_event_per_commit() {
    measure("SQLite", Lasting::in_a_file).await;
    measure("PostgreSQL", Lasting::in_a_database).await;
}
