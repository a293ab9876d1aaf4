//! Suspicious pairs, computed from the results beside the loop.

use super::{Arena, StoreError};
use crate::pairs::{Meetings, SuspiciousPair};
use crate::pool::Pool;

/// Results per read.
const PAGE: u32 = 1_000;

impl Arena {
    /// The pairs of bots of a pool that may collude, and how many results were examined. One computation
    /// runs at a time.
    pub async fn suspicious_pairs(
        &self,
        pool: Pool,
        most: usize,
    ) -> Result<(Vec<SuspiciousPair>, usize), StoreError> {
        let _one = self.shared.pairs.acquire().await;
        let (mut meetings, mut after) = (Meetings::default(), 0);
        loop {
            let page = self.store().outcomes(after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            for outcome in page.into_iter().filter(|outcome| outcome.pool == pool) {
                meetings.add(&outcome.seats);
            }
        }
        let computed = azulejo_runtime::at_low_priority(move || {
            let matches = meetings.matches();
            (meetings.suspicious(most), matches)
        });
        // A panic is logged where it happens.
        computed.await.map_err(|problem| StoreError::Failed(problem.to_string()))
    }
}
