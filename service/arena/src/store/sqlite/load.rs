//! Everything that an arena needs to go on.

use sqlx::{QueryBuilder, SqliteConnection};

use super::reads;
use crate::store::failure::failed;
use crate::store::kept::{self, Kept};
use crate::store::{Saved, StoreError};

pub(super) async fn everything(store: &mut SqliteConnection) -> Result<Saved, StoreError> {
    let mut kept = Kept {
        owners: sqlx::query_scalar(kept::OWNERS).fetch_all(&mut *store).await.map_err(failed)?,
        bots: sqlx::query_as(kept::BOTS).fetch_all(&mut *store).await.map_err(failed)?,
        versions: sqlx::query_as(kept::VERSIONS).fetch_all(&mut *store).await.map_err(failed)?,
        recent: Vec::new(),
        tokens: sqlx::query_as(kept::TOKENS).fetch_all(&mut *store).await.map_err(failed)?,
        invitations: sqlx::query_scalar(kept::INVITATIONS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        standings: sqlx::query_as(kept::STANDINGS).fetch_all(&mut *store).await.map_err(failed)?,
        running: running(store).await?,
        untold: sqlx::query_as(kept::UNTOLD).fetch_all(&mut *store).await.map_err(failed)?,
    };
    for (bot, ..) in &kept.bots {
        kept.recent.extend(recent(store, bot).await?);
    }
    kept.read()
}

/// One query for each bot, along an index: a single one would look at every match ever played.
async fn recent(
    store: &mut SqliteConnection,
    bot: &str,
) -> Result<Vec<(String, String, String)>, StoreError> {
    let select =
        "SELECT s.bot, s.reason, m.id FROM seats s CROSS JOIN matches m ON m.number = s.match_number
        WHERE s.bot = ? AND s.result_number IS NOT NULL AND m.ladder
        ORDER BY s.result_number DESC LIMIT ?";
    let newest_first = sqlx::query_as(select).bind(bot).bind(kept::RECENT);
    let mut rows = newest_first.fetch_all(store).await.map_err(failed)?;
    rows.reverse();
    Ok(rows)
}

async fn running(
    store: &mut SqliteConnection,
) -> Result<Vec<crate::store::rows::Placed>, StoreError> {
    let mut query = QueryBuilder::new(reads::COLUMNS);
    query.push(kept::RUNNING);
    reads::matches(store, query).await
}
