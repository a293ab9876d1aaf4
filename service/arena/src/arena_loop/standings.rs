//! The official standings, computed in the background when there are new results. Always from all
//! results and from the same starting point, so that they do not depend on what was computed before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use tokio_util::sync::CancellationToken;

use super::Arena;
use crate::pool::Pool;
use crate::standings::{Fitted, Games, Published};
use crate::store::StoreError;

/// Results per read.
const PAGE: u32 = 1_000;
/// How often new results are looked for.
const EVERY: Duration = Duration::from_secs(2);
/// After a computation, rest this many times the processor time that it took: matches come first. So
/// standings use at most a fifth of a core.
const REST: u32 = 4;

/// The standings of all pools.
#[derive(Debug, Default)]
pub(super) struct AllStandings {
    published: ArcSwap<Published>,
    /// Whether results that were read before may have disappeared.
    changed: AtomicBool,
}

impl AllStandings {
    pub(super) fn published(&self) -> Arc<Published> {
        self.published.load_full()
    }

    /// The next computation reads all results again.
    pub(super) fn read_again(&self) {
        self.changed.store(true, Ordering::Release);
    }

    fn publish(&self, pool: Pool, fitted: Fitted) {
        let all = Published::clone(&self.published());
        self.published.store(Arc::new(all.with(pool, fitted)));
    }
}

/// The results read so far.
#[derive(Default)]
struct Results {
    after: i64,
    pools: Vec<(Pool, Games)>,
    /// Pools whose standings do not contain exactly these results.
    changed: Vec<Pool>,
}

impl Results {
    /// Reads what is new, or everything if results may have disappeared. After a failure, the new
    /// results that were read until then are kept, and the rest is read next time; but results that
    /// are read again replace the old ones only when all are read.
    async fn refresh(&mut self, arena: &Arena) -> Result<(), StoreError> {
        let standings = &arena.shared.standings;
        if !standings.changed.swap(false, Ordering::AcqRel) {
            return self.read(arena).await;
        }
        // Including pools that have no results any more.
        let changed = standings.published().pools().collect();
        let mut again = Self { changed, ..Self::default() };
        let read = again.read(arena).await;
        match read {
            Ok(()) => *self = again,
            Err(_) => standings.read_again(),
        }
        read
    }

    async fn read(&mut self, arena: &Arena) -> Result<(), StoreError> {
        loop {
            let page = arena.store().outcomes(self.after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            self.after = last.seq;
            for outcome in page {
                let pool = outcome.pool;
                if !self.changed.contains(&pool) {
                    self.changed.push(pool);
                }
                let place = self.pools.iter().position(|(other, _)| *other == pool);
                let place = place.unwrap_or_else(|| {
                    self.pools.push((pool, Games::default()));
                    self.pools.len() - 1
                });
                let seats = outcome.seats.iter().map(|(player, end)| (player, end.placement));
                self.pools[place].1.add(&outcome.id, &outcome.block, seats);
            }
        }
    }
}

/// Computes the standings whenever there are new results, until `stop`.
pub(super) async fn refresh(arena: Arena, stop: CancellationToken) {
    let mut results = Results::default();
    let mut wait = EVERY;
    while stop.run_until_cancelled(tokio::time::sleep(wait)).await.is_some() {
        if let Err(failure) = results.refresh(&arena).await {
            tracing::warn!(%failure, "cannot read results for the official standings");
        }
        let mut spent = Duration::ZERO;
        while let Some(pool) = results.changed.pop() {
            results = fit(&arena, results, pool, &mut spent).await;
        }
        wait = EVERY.max(spent * REST);
    }
}

/// Computes one pool on a thread of low priority, and counts the processor time.
async fn fit(arena: &Arena, results: Results, pool: Pool, spent: &mut Duration) -> Results {
    let (at, began) = (arena.now().wall, Instant::now());
    let fitted = azulejo_runtime::at_low_priority(move || {
        let began = Instant::now();
        let games = results.pools.iter().find(|(other, _)| *other == pool);
        let standings = games.map(|(_, games)| games.fit()).unwrap_or_default();
        (results, Fitted::new(standings, at), processor_time().unwrap_or_else(|| began.elapsed()))
    });
    match fitted.await {
        Ok((results, fitted, took)) => {
            *spent += took;
            arena.shared.metrics.fitted(pool, began.elapsed());
            arena.shared.standings.publish(pool, fitted);
            results
        }
        // The thread panicked, which is logged: the next computation reads all results again.
        Err(_panicked) => {
            arena.shared.standings.read_again();
            Results::default()
        }
    }
}

/// The processor time of this thread, if the system reports it as Linux does.
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(statistics.split(' ').next()?.parse().ok()?))
}
