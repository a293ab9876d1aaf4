//! Everything that an arena needs to go on.

use sqlx::QueryBuilder;
use sqlx::postgres::PgConnection;

use super::{moment, reads};
use crate::store::failure::failed;
use crate::store::kept::{self, Kept};
use crate::store::{Saved, StoreError};

/// Along an index for each bot: to sort them all would be to look at every match ever played.
const RECENT: &str = "SELECT b.bot, l.reason, l.id FROM bots b CROSS JOIN LATERAL (
        SELECT s.reason, m.id, s.result_number, s.seat
        FROM seats s JOIN matches m ON m.number = s.match_number
        WHERE s.bot = b.bot AND s.result_number IS NOT NULL AND m.ladder
        ORDER BY s.result_number DESC, s.seat DESC LIMIT $1) l
    ORDER BY b.number, l.result_number, l.seat";

pub(super) async fn everything(reader: &mut PgConnection) -> Result<Saved, StoreError> {
    let mut moment = moment(reader).await?;
    let store = &mut *moment;
    let mut running = QueryBuilder::new(reads::COLUMNS);
    running.push(kept::RUNNING);
    let recent = sqlx::query_as(RECENT).bind(kept::RECENT);
    let invitations = sqlx::query_scalar(kept::INVITATIONS);
    let kept = Kept {
        owners: sqlx::query_scalar(kept::OWNERS).fetch_all(&mut *store).await.map_err(failed)?,
        bots: sqlx::query_as(kept::BOTS).fetch_all(&mut *store).await.map_err(failed)?,
        versions: sqlx::query_as(kept::VERSIONS).fetch_all(&mut *store).await.map_err(failed)?,
        recent: recent.fetch_all(&mut *store).await.map_err(failed)?,
        tokens: sqlx::query_as(kept::TOKENS).fetch_all(&mut *store).await.map_err(failed)?,
        invitations: invitations.fetch_all(&mut *store).await.map_err(failed)?,
        standings: sqlx::query_as(kept::STANDINGS).fetch_all(&mut *store).await.map_err(failed)?,
        running: reads::matches(store, running).await?,
        untold: sqlx::query_as(kept::UNTOLD).fetch_all(store).await.map_err(failed)?,
    };
    kept.read()
}
