//! Keeps the store small, beside the loop and at low priority: archives finished matches and deletes
//! old challenges, a few at a time.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::Arena;
use crate::store::StoreError;
use crate::time::Wall;

/// Matches per batch: moves wait for milliseconds at most until it is written.
const BATCH: u32 = 10;
/// How often it is checked whether there is something to do.
const EVERY: Duration = Duration::from_secs(10);
/// After a full batch, wait this many times its duration: matches come first.
const REST: u32 = 10;
const SHORTEST_REST: Duration = Duration::from_millis(50);

/// What is kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The events of a match are archived this long after its end.
    pub archive_after: Duration,
    /// Challenges are deleted this long after their end; none: never.
    pub keep_challenges: Option<Duration>,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            archive_after: Duration::from_mins(10),
            keep_challenges: Some(Duration::from_hours(30 * 24)),
        }
    }
}

/// Runs until `stop`.
pub(super) async fn run(arena: Arena, retention: Retention, stop: CancellationToken) {
    let mut wait = EVERY.min(retention.archive_after.max(SHORTEST_REST));
    let longest = wait;
    while stop.run_until_cancelled(tokio::time::sleep(wait)).await.is_some() {
        let began = Instant::now();
        wait = match arena.tidy(retention).await {
            Ok(true) => (began.elapsed() * REST).max(SHORTEST_REST),
            Ok(false) => longest,
            // The loop notices a failed store by itself, and continues when it is back.
            Err(failure) => {
                tracing::warn!(%failure, "cannot archive matches or delete challenges now");
                EVERY
            }
        };
    }
}

impl Arena {
    /// A batch of each kind. Returns whether there may be more to do.
    async fn tidy(&self, retention: Retention) -> Result<bool, StoreError> {
        let archived = self.archive(retention.archive_after).await?;
        let deleted = match retention.keep_challenges {
            Some(keep) => self.delete_challenges(keep).await?,
            None => 0,
        };
        Ok(archived.max(deleted) >= u64::from(BATCH))
    }

    async fn archive(&self, after: Duration) -> Result<u64, StoreError> {
        let shared = &self.shared;
        let found = shared.store.unarchived(self.before(after), BATCH).await?;
        if found.is_empty() {
            return Ok(0);
        }
        let packing = azulejo_runtime::at_low_priority(move || -> Vec<_> {
            found.into_iter().map(crate::store::Unarchived::pack).collect()
        });
        let archives = packing.await.map_err(|problem| StoreError::Failed(problem.to_string()))?;
        for damaged in archives.iter().filter(|archive| archive.events.is_none()) {
            tracing::error!(number = damaged.number, "a finished match lacks events");
        }
        shared.store.archive(shared.epoch(), &archives).await?;
        let archived = archives.len() as u64;
        shared.metrics.archived(archived);
        Ok(archived)
    }

    async fn delete_challenges(&self, keep: Duration) -> Result<u64, StoreError> {
        let shared = &self.shared;
        let before = self.before(keep);
        let deleted = shared.store.delete_challenges(shared.epoch(), before, BATCH).await?;
        shared.metrics.deleted(deleted);
        Ok(deleted)
    }

    fn before(&self, age: Duration) -> Wall {
        let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        Wall(self.now().wall.0.saturating_sub(age))
    }
}
