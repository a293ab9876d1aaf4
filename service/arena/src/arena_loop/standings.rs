//! The official standings, recomputed in the background when there are new results.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::Arena;
use crate::pool::Pool;
use crate::standings::{Games, Standings};
use crate::store::StoreError;
use crate::time::Wall;

/// Results per read.
const PAGE: u32 = 1_000;
/// How often they are recomputed, unless that takes long.
const EVERY: Duration = Duration::from_secs(5);
/// After a computation, wait this many times its duration: matches come first.
const REST: u32 = 20;

/// The standings of a pool, and when they were computed.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub standings: Arc<Standings>,
    pub at: Wall,
}

/// The standings of all pools.
#[derive(Debug, Default)]
pub(super) struct AllStandings {
    pools: RwLock<Vec<(Pool, Fitted)>>,
}

impl AllStandings {
    pub(super) fn of(&self, pool: Pool) -> Option<Fitted> {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        pools.iter().find(|(other, _)| *other == pool).map(|(_, fitted)| fitted.clone())
    }

    fn set(&self, pool: Pool, fitted: Fitted) {
        let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
        match pools.iter_mut().find(|(other, _)| *other == pool) {
            Some((_, old)) => *old = fitted,
            None => pools.push((pool, fitted)),
        }
    }
}

/// The results read so far.
#[derive(Default)]
struct Results {
    after: i64,
    pools: Vec<(Pool, Games)>,
    /// Pools with results that are not in their standings yet.
    changed: Vec<Pool>,
}

impl Results {
    /// Reads new results. After a failure, what was read until then is kept, and the rest is read
    /// next time.
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

/// Recomputes the standings whenever there are new results, until `stop`.
pub(super) async fn refresh(arena: Arena, stop: CancellationToken) {
    let mut results = Results::default();
    let mut wait = EVERY;
    while stop.run_until_cancelled(tokio::time::sleep(wait)).await.is_some() {
        let began = Instant::now();
        if let Err(failure) = results.read(&arena).await {
            tracing::warn!(%failure, "cannot read results for the official standings");
        }
        while let Some(pool) = results.changed.pop() {
            results = fit(&arena, results, pool).await;
        }
        wait = EVERY.max(began.elapsed() * REST);
    }
}

/// Computes one pool on a thread of low priority.
async fn fit(arena: &Arena, results: Results, pool: Pool) -> Results {
    let (at, began) = (arena.now().wall, Instant::now());
    let fitted = azulejo_runtime::at_low_priority(move || {
        let games = results.pools.iter().find(|(other, _)| *other == pool);
        let standings = games.map(|(_, games)| games.fit()).unwrap_or_default();
        (results, standings)
    });
    match fitted.await {
        Ok((results, standings)) => {
            arena.shared.metrics.fitted(pool, began.elapsed());
            arena.shared.standings.set(pool, Fitted { standings: Arc::new(standings), at });
            results
        }
        // The thread panicked, which is logged: the next computation reads all results again.
        Err(_panicked) => Results::default(),
    }
}
