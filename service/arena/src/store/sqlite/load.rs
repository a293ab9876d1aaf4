//! Everything that an arena needs to continue.

use sqlx::{QueryBuilder, SqliteConnection};

use super::reads;
use crate::rating::WINDOW;
use crate::store::failure::failed;
use crate::store::loaded_rows::{self, LoadedRows};
use crate::store::{Saved, StoreError};

pub(super) async fn everything(reader: &mut SqliteConnection) -> Result<Saved, StoreError> {
    let mut snapshot = reads::snapshot(reader).await?;
    let store = &mut *snapshot;
    let mut rows = LoadedRows {
        owners: sqlx::query_scalar(loaded_rows::OWNERS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        bans: sqlx::query_as(loaded_rows::BANS).fetch_all(&mut *store).await.map_err(failed)?,
        bots: sqlx::query_as(loaded_rows::BOTS).fetch_all(&mut *store).await.map_err(failed)?,
        versions: sqlx::query_as(loaded_rows::VERSIONS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        recent: Vec::new(),
        tokens: sqlx::query_as(loaded_rows::TOKENS).fetch_all(&mut *store).await.map_err(failed)?,
        invitations: sqlx::query_scalar(loaded_rows::INVITATIONS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        standings: sqlx::query_as(loaded_rows::STANDINGS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        running: running(store).await?,
        seats: Vec::new(),
        formula: sqlx::query_scalar(loaded_rows::FORMULA)
            .fetch_one(&mut *store)
            .await
            .map_err(failed)?,
        meetings: sqlx::query_as(loaded_rows::MEETINGS)
            .bind(i64::from(WINDOW))
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        untold: sqlx::query_as(loaded_rows::UNTOLD).fetch_all(&mut *store).await.map_err(failed)?,
    };
    for (bot, ..) in &rows.bots {
        rows.recent.extend(recent(store, bot).await?);
    }
    for number in rows.damaged() {
        let seats = sqlx::query_as(loaded_rows::SEATS).bind(number);
        rows.seats.extend(seats.fetch_all(&mut *store).await.map_err(failed)?);
    }
    rows.read()
}

/// One query per bot, which uses an index: a single query would read every match ever played.
async fn recent(
    store: &mut SqliteConnection,
    bot: &str,
) -> Result<Vec<(String, String, String)>, StoreError> {
    let select =
        "SELECT s.bot, s.reason, m.id FROM seats s CROSS JOIN matches m ON m.number = s.match_number
        WHERE s.bot = ? AND s.result_number IS NOT NULL AND m.ladder
        ORDER BY s.result_number DESC LIMIT ?";
    let newest_first = sqlx::query_as(select).bind(bot).bind(loaded_rows::RECENT);
    let mut rows = newest_first.fetch_all(store).await.map_err(failed)?;
    rows.reverse();
    Ok(rows)
}

async fn running(
    store: &mut SqliteConnection,
) -> Result<Vec<crate::store::rows::NumberedMatch>, StoreError> {
    let mut query = QueryBuilder::new(reads::COLUMNS);
    query.push(loaded_rows::RUNNING);
    reads::matches(store, query, reads::Events::All).await
}
