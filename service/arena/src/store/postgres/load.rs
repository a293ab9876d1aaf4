//! Everything that an arena needs to continue.

use sqlx::QueryBuilder;
use sqlx::postgres::PgConnection;

use super::{reads, snapshot};
use crate::rating::WINDOW;
use crate::store::failure::failed;
use crate::store::loaded_rows::{self, LoadedRows};
use crate::store::{Saved, StoreError};

/// Uses an index for each bot: sorting all seats would read every match ever played.
const RECENT: &str = "SELECT b.bot, l.reason, l.id FROM bots b CROSS JOIN LATERAL (
        SELECT s.reason, m.id, s.result_number, s.seat
        FROM seats s JOIN matches m ON m.number = s.match_number
        WHERE s.bot = b.bot AND s.result_number IS NOT NULL AND m.ladder
        ORDER BY s.result_number DESC, s.seat DESC LIMIT $1) l
    ORDER BY b.number, l.result_number, l.seat";

pub(super) async fn everything(reader: &mut PgConnection) -> Result<Saved, StoreError> {
    let mut snapshot = snapshot(reader).await?;
    let store = &mut *snapshot;
    let mut running = QueryBuilder::new(reads::COLUMNS);
    running.push(loaded_rows::RUNNING);
    let recent = sqlx::query_as(RECENT).bind(loaded_rows::RECENT);
    let invitations = sqlx::query_scalar(loaded_rows::INVITATIONS);
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
        recent: recent.fetch_all(&mut *store).await.map_err(failed)?,
        tokens: sqlx::query_as(loaded_rows::TOKENS).fetch_all(&mut *store).await.map_err(failed)?,
        invitations: invitations.fetch_all(&mut *store).await.map_err(failed)?,
        standings: sqlx::query_as(loaded_rows::STANDINGS)
            .fetch_all(&mut *store)
            .await
            .map_err(failed)?,
        running: reads::matches(store, running, reads::Events::All).await?,
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
    for number in rows.damaged() {
        let seats = sqlx::query_as(loaded_rows::SEATS).bind(number);
        rows.seats.extend(seats.fetch_all(&mut *store).await.map_err(failed)?);
    }
    rows.read()
}
