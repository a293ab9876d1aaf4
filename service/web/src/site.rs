//! What the pages may ask. Every list has an end, so that no reader holds up the arena.

use std::sync::Arc;

use azulejo_arena::desk::{Arena, Fitted};
use azulejo_arena::hall::{Answer, Request};
use azulejo_arena::moment::Wall;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::{Filter, SavedMatch};
use azulejo_wire::served::arena as pb;
use tokio::sync::Semaphore;

use crate::problem::Problem;

/// Lines of the ladder that a page shows.
const LADDER: usize = 50;
/// Matches that a list shows.
pub(crate) const MATCHES: u32 = 12;
/// Pages that are made at the same time; the others wait.
const AT_ONCE: usize = 8;

/// The arena, as the pages see it.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    arena: Arena,
    pub(crate) places: Arc<Semaphore>,
}

/// A pool in which somebody played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) pool: Pool,
    pub(crate) games: u64,
}

impl Site {
    pub(crate) fn new(arena: Arena) -> Self {
        Self { arena, places: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    pub(crate) fn now(&self) -> Wall {
        self.arena.now().wall
    }

    pub(crate) async fn pools(&self) -> Result<Vec<Played>, Problem> {
        let Answer::Pools(pools) = self.arena.ask(Request::Pools).await? else {
            return Err(Problem::Busy);
        };
        let played = |info: &pb::PoolInfo| {
            let pool = info.pool.as_ref()?.name.parse().ok()?;
            Some(Played { pool, games: info.games })
        };
        Ok(pools.iter().filter_map(played).collect())
    }

    /// The top of a pool's table.
    pub(crate) async fn ladder(&self, pool: Pool) -> Result<Vec<pb::LadderEntry>, Problem> {
        let request = Request::Ladder { pool, after: None, most: LADDER };
        let Answer::Ladder(entries, _more) = self.arena.ask(request).await? else {
            return Err(Problem::Busy);
        };
        Ok(entries)
    }

    /// The official standings of a pool, once they are fitted.
    pub(crate) fn official(&self, pool: Pool) -> Option<Fitted> {
        self.arena.official(pool)
    }

    pub(crate) async fn bot(&self, bot: BotId) -> Result<pb::Bot, Problem> {
        let Answer::Bot(bot) = self.arena.ask(Request::Bot { bot }).await? else {
            return Err(Problem::Busy);
        };
        Ok(bot)
    }

    /// The newest matches of a kind.
    pub(crate) async fn matches(&self, filter: Filter) -> Result<Vec<SavedMatch>, Problem> {
        let found = self.arena.store().list(&filter, None, MATCHES).await?;
        Ok(found.into_iter().map(|(_, saved)| saved).collect())
    }

    pub(crate) async fn find(&self, id: &MatchId) -> Result<SavedMatch, Problem> {
        self.arena.store().find(id).await?.ok_or_else(Problem::no_such_match)
    }
}
