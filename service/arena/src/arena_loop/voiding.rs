//! Voiding matches. The ratings of the pool of a finished match are recomputed from the results, beside
//! the loop; the loop only adds the results since.

use thiserror::Error;

use super::{Arena, CommandError};
use crate::command::{Organiser, VoidMatch, VoidResult, VoidedMatch};
use crate::match_run::{Corrupt, Match};
use crate::names::MatchId;
use crate::pool::Pool;
use crate::rating::Ladder;
use crate::state::{RecomputedRatings, Refusal};
use crate::store::{SavedMatch, StoreError};
use crate::time::Time;

/// Results per read.
const PAGE: u32 = 1_000;
/// How often a match is read again, if results were voided or the arena restarted meanwhile.
const TRIES: usize = 5;

/// Why a match was not voided.
#[derive(Debug, Error)]
pub enum VoidError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refusal> for VoidError {
    fn from(refusal: Refusal) -> Self {
        Self::Command(refusal.into())
    }
}

impl Arena {
    /// Voids a match. If it was finished and rated, the ratings of its pool are as if it had not been
    /// played.
    pub async fn void(
        &self,
        by: Organiser,
        id: MatchId,
        note: String,
    ) -> Result<VoidedMatch, VoidError> {
        let arena = self.clone();
        // It goes on when the caller no longer waits: for many results it takes longer than a call may.
        let voiding = self.shared.runtime.spawn(async move { arena.void_now(by, id, note).await });
        voiding.await.map_err(|problem| StoreError::Failed(problem.to_string()))?
    }

    async fn void_now(
        &self,
        by: Organiser,
        id: MatchId,
        note: String,
    ) -> Result<VoidedMatch, VoidError> {
        for _ in 0..TRIES {
            let running = VoidMatch { by: by.clone(), id: id.clone(), note: note.clone() };
            match self.call(running).await {
                Err(CommandError::Refused(Refusal::NoSuchMatch)) => {}
                other => return Ok(other?),
            }
            if let Some(voided) = self.void_finished(&by, &id, &note).await? {
                return Ok(voided);
            }
        }
        Err(CommandError::Restarting.into())
    }

    /// None if it has to be tried again.
    async fn void_finished(
        &self,
        by: &Organiser,
        id: &MatchId,
        note: &str,
    ) -> Result<Option<VoidedMatch>, VoidError> {
        // Before anything is read: what changes afterwards is noticed.
        let basis = self.view().rating_basis;
        let saved = self.store().find(id).await?.ok_or(Refusal::NoSuchMatch)?;
        let Some(ended) = saved.ended else { return Ok(None) };
        let recomputed = if saved.rated {
            Some(self.recomputed_without(id, saved.spec.pool).await?)
        } else {
            None
        };
        let run = Box::new(replay(saved).await?);
        let (by, note) = (by.clone(), note.to_owned());
        Ok(self.call(VoidResult { by, run, ended, note, recomputed, basis }).await?)
    }

    /// The ratings of a pool without this match.
    async fn recomputed_without(
        &self,
        id: &MatchId,
        pool: Pool,
    ) -> Result<RecomputedRatings, StoreError> {
        let mut recomputed = RecomputedRatings { ladder: Ladder::default(), last: None };
        let mut after = 0;
        loop {
            let page = self.store().outcomes(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(recomputed) };
            after = last.seq;
            let without = id.clone();
            let rated = azulejo_runtime::at_low_priority(move || {
                for outcome in page.into_iter().filter(|outcome| outcome.pool == pool) {
                    if outcome.id != without {
                        recomputed.ladder.add_result(pool, &outcome.seats);
                    }
                    recomputed.last = Some(outcome.id);
                }
                recomputed
            });
            recomputed = rated.await.map_err(panicked)?;
        }
    }
}

async fn replay(saved: SavedMatch) -> Result<Match, StoreError> {
    let replayed = azulejo_runtime::at_low_priority(move || Match::replay(&saved, Time::default()));
    let damaged = |corrupt: Corrupt| StoreError::Unreadable(corrupt.to_string());
    replayed.await.map_err(panicked)?.map_err(damaged)
}

/// The panic is logged where it happens.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn panicked(problem: tokio::sync::oneshot::error::RecvError) -> StoreError {
    StoreError::Failed(problem.to_string())
}
