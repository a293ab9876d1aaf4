//! Batches: each is one transaction, which first checks the owner of the store.

use sqlx::{Connection as _, SqliteConnection};

use super::{BEGIN, ends, matches, plan};
use crate::store::failure::{failed, refused};
use crate::store::statement::{Statement, Value, check_affected};
use crate::store::{Epoch, StoreError, Write};

pub(super) async fn take_over(
    store: &mut SqliteConnection,
    holder: &str,
) -> Result<Epoch, StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    let take_over = "INSERT INTO lease (id, holder, epoch, renewed)
        VALUES (1, ?, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
        ON CONFLICT (id) DO UPDATE
        SET holder = excluded.holder, epoch = epoch + 1, renewed = excluded.renewed";
    sqlx::query(take_over).bind(holder).execute(&mut *batch).await.map_err(failed)?;
    let epoch = sqlx::query_scalar("SELECT epoch FROM lease");
    let epoch = epoch.fetch_one(&mut *batch).await.map_err(failed)?;
    batch.commit().await.map_err(failed)?;
    Ok(Epoch(epoch))
}

pub(super) async fn renew(store: &mut SqliteConnection, epoch: Epoch) -> Result<(), StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    check_owner(&mut batch, epoch).await?;
    let renewed = "UPDATE lease SET renewed = CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    sqlx::query(renewed).execute(&mut *batch).await.map_err(failed)?;
    batch.commit().await.map_err(failed)
}

pub(super) async fn release(store: &mut SqliteConnection, epoch: Epoch) -> Result<(), StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    let released = sqlx::query("UPDATE lease SET renewed = 0 WHERE epoch = ?");
    released.bind(epoch.0).execute(&mut *batch).await.map_err(failed)?;
    batch.commit().await.map_err(failed)
}

pub(super) async fn commit(
    store: &mut SqliteConnection,
    epoch: Epoch,
    writes: &[Write],
) -> Result<(), StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    check_owner(&mut batch, epoch).await?;
    for step in plan::steps(writes)? {
        apply(&mut batch, epoch, step).await?;
    }
    batch.commit().await.map_err(failed)
}

pub(super) async fn check_owner(
    batch: &mut SqliteConnection,
    epoch: Epoch,
) -> Result<(), StoreError> {
    let current: Option<i64> = sqlx::query_scalar("SELECT epoch FROM lease")
        .fetch_optional(batch)
        .await
        .map_err(failed)?;
    if current == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced) }
}

async fn apply(
    batch: &mut SqliteConnection,
    epoch: Epoch,
    step: plan::Step<'_>,
) -> Result<(), StoreError> {
    match step {
        plan::Step::Account(statement) => execute(batch, statement).await,
        plan::Step::Created { spec, secret } => matches::created(batch, spec, secret).await,
        plan::Step::Events(events) => matches::events(batch, epoch, &events).await,
        plan::Step::Ended(end) => ends::ended(batch, end).await,
        plan::Step::LiveRating { pool, player, standing } => {
            ends::set_standing(batch, &pool.to_string(), player, standing).await
        }
        plan::Step::EndsDelivered(delivered) => ends::delivered(batch, &delivered).await,
    }
}

async fn execute(batch: &mut SqliteConnection, statement: Statement) -> Result<(), StoreError> {
    let Statement { sql, values, what, conflict } = statement;
    let query = values.into_iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Text(text) | Value::Note(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
        Value::OptionalNumber(number) => query.bind(number),
        Value::Flag(flag) => query.bind(flag),
        Value::Bytes(bytes) => query.bind(bytes),
    });
    let done = query.execute(batch).await.map_err(refused(what))?;
    check_affected(done.rows_affected(), conflict)
}
