//! The data that pages read. Every list is bounded, so that no page slows down the arena.

use std::sync::Arc;
use std::time::Duration;

use azulejo_arena::arena_loop::Arena;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::standings::{Fitted, Line};
use azulejo_arena::store::{Filter, SavedMatch, Status, StoreError};
use azulejo_arena::time::Wall;
use azulejo_arena::view::{Achieved, BotView, PoolView};
use tokio::sync::Semaphore;

use crate::match_line::MatchLine;
use crate::problem::Problem;

/// Matches that a list shows.
pub(crate) const MATCHES: u32 = 12;
/// A page does not wait longer for the store. Shorter than the deadline of a page, so that the rest of
/// it can be shown.
const LONGEST_READ: Duration = Duration::from_secs(2);
/// Pages that are rendered at the same time; the others wait.
const CONCURRENT_PAGES: usize = 8;

/// The arena, as pages use it.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    arena: Arena,
    pub(crate) permits: Arc<Semaphore>,
}

impl Site {
    pub(crate) fn new(arena: Arena) -> Self {
        Self { arena, permits: Arc::new(Semaphore::new(CONCURRENT_PAGES)) }
    }

    pub(crate) fn now(&self) -> Wall {
        self.arena.now().wall
    }

    /// The pools with at least one game.
    pub(crate) fn pools(&self) -> Vec<PoolView> {
        self.arena.view().pools().collect()
    }

    /// The wins and forfeits of a line of the standings.
    pub(crate) fn achieved(&self, pool: Pool, line: &Line) -> Achieved {
        self.arena.view().achieved(pool, &line.player)
    }

    /// The official standings of a pool, if they have been computed.
    pub(crate) fn official(&self, pool: Pool) -> Option<Fitted> {
        self.arena.standings(pool)
    }

    pub(crate) fn bot(&self, bot: &BotId) -> Result<BotView, Problem> {
        self.arena.view().bot(bot).ok_or_else(Problem::no_such_bot)
    }

    /// Matches that are not over, the newest first.
    pub(crate) fn running(&self, filter: &Filter) -> Vec<MatchLine> {
        let mut running = self.arena.view().all_running(filter);
        running.truncate(MATCHES as usize);
        running.into_iter().map(MatchLine::running).collect()
    }

    /// The newest finished matches that pass a filter.
    pub(crate) async fn finished(&self, filter: Filter) -> Result<Vec<MatchLine>, Problem> {
        let filter = Filter { status: Some(Status::Over), ..filter };
        let found = in_time(self.arena.store().list(&filter, None, MATCHES)).await?;
        Ok(found.iter().filter_map(|(_, saved)| MatchLine::finished(saved)).collect())
    }

    pub(crate) async fn find(&self, id: &MatchId) -> Result<SavedMatch, Problem> {
        let mut saved =
            in_time(self.arena.store().find(id)).await?.ok_or_else(Problem::no_such_match)?;
        if saved.ended.is_none()
            && let Some(run) = self.arena.view().running(id)
        {
            // The store has the position of a turn before its clock runs; readers do not see it yet.
            saved.events.truncate(run.events() as usize);
        }
        Ok(saved)
    }
}

/// A result of the store, unless the store does not respond.
async fn in_time<T>(reading: impl Future<Output = Result<T, StoreError>>) -> Result<T, Problem> {
    match tokio::time::timeout(LONGEST_READ, reading).await {
        Ok(read) => Ok(read?),
        Err(_late) => {
            tracing::error!("cannot render a page: the store does not respond");
            Err(Problem::Busy)
        }
    }
}
