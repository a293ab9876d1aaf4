//! Large batches, and checks that they were written as a whole.

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Filter, Store, Write};

use crate::fixtures::*;

/// Batch `n`: a whole match. The standings count the batches.
pub(crate) fn whole_match(n: u64) -> Vec<Write> {
    let games = u32::try_from(n).unwrap() + 1;
    let mut batch = vec![ladder(n)];
    batch.extend((0..20).map(|seq| event(n, seq)));
    batch.push(rated(n, EndReason::Finished, games));
    batch
}

/// How many matches are stored at one moment, all of them whole and none missing. Other writers may
/// be at work.
pub(crate) async fn whole_matches(store: &dyn Store) -> u64 {
    let listed = store.list(&Filter::default(), None, u32::MAX).await.unwrap();
    let count = listed.len() as u64;
    for (n, (_, saved)) in (0..count).rev().zip(&listed) {
        assert_eq!(saved.spec.id, id(n));
        assert!(saved.rated && saved.events.len() == 20, "half of match {n}");
    }
    count
}

/// How many batches are stored, all of them whole and none missing, without other writers.
pub(crate) async fn whole_batches(store: &dyn Store) -> u64 {
    let count = whole_matches(store).await;
    assert_eq!(store.outcomes(0, u32::MAX).await.unwrap().len() as u64, count);
    let saved = store.load().await.unwrap();
    assert_eq!(saved.untold.len() as u64, 2 * count);
    let games = saved.standings.iter().map(|(_, _, standing)| u64::from(standing.games));
    assert_eq!(games.max().unwrap_or(0), count);
    count
}
