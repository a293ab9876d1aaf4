//! Batches: each is one transaction that holds the lock of the lease.

use sqlx::postgres::PgConnection;
use sqlx::{Executor, Row};

use crate::store::failure::{failed, refused};
use crate::store::sorted::{Sorted, sorted};
use crate::store::statement::{Statement, Value, check_affected};
use crate::store::{Epoch, StoreError, Write};

/// The lock is taken first. So a take-over happens before or after a batch, never during it. And the
/// next batch draws its numbers only after this one is committed: numbers become visible in order,
/// and a reader that continues after a number misses none.
///
/// READ COMMITTED: each statement sees what was committed before the statement, not only before the
/// transaction, which may have waited for the lock.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT epoch FROM lease WHERE id = 1 FOR UPDATE";

/// Uses the database's clock, so the clocks of the arenas do not matter.
pub(super) async fn take_over(store: &mut PgConnection, holder: &str) -> Result<Epoch, StoreError> {
    let take_over = "INSERT INTO lease (id, holder, epoch, renewed)
        VALUES (1, $1, 1, clock_timestamp())
        ON CONFLICT (id) DO UPDATE
        SET holder = excluded.holder, epoch = lease.epoch + 1, renewed = clock_timestamp()
        RETURNING epoch";
    let epoch = sqlx::query_scalar(take_over).bind(holder).fetch_one(store).await;
    epoch.map(Epoch).map_err(failed)
}

pub(super) async fn renew(store: &mut PgConnection, epoch: Epoch) -> Result<(), StoreError> {
    let renewed = sqlx::query("UPDATE lease SET renewed = clock_timestamp() WHERE epoch = $1");
    let renewed = renewed.bind(epoch.0).execute(store).await.map_err(failed)?;
    if renewed.rows_affected() == 1 { Ok(()) } else { Err(StoreError::Fenced) }
}

pub(super) async fn release(store: &mut PgConnection, epoch: Epoch) -> Result<(), StoreError> {
    let released = sqlx::query("UPDATE lease SET renewed = 'epoch' WHERE epoch = $1");
    released.bind(epoch.0).execute(store).await.map(|_done| ()).map_err(failed)
}

pub(super) async fn commit(
    store: &mut PgConnection,
    epoch: Epoch,
    writes: &[Write],
) -> Result<(), StoreError> {
    let written = write(store, epoch, writes).await;
    end(store, written).await
}

/// Begins a batch, if this epoch owns the store. It must be ended in any case.
pub(super) async fn begin(store: &mut PgConnection, epoch: Epoch) -> Result<(), StoreError> {
    let lease = sqlx::raw_sql(BEGIN).fetch_all(&mut *store).await.map_err(failed)?;
    let current = lease.first().map(|row| row.try_get(0)).transpose().map_err(failed)?;
    if current == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced) }
}

/// Commits a batch, or rolls it back if it was refused, and passes on the result.
pub(super) async fn end<T>(
    store: &mut PgConnection,
    written: Result<T, StoreError>,
) -> Result<T, StoreError> {
    let last = if written.is_ok() { "COMMIT" } else { "ROLLBACK" };
    store.execute(last).await.map_err(failed)?;
    written
}

async fn write(store: &mut PgConnection, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
    begin(store, epoch).await?;
    let mut matches = Vec::new();
    for write in writes {
        match sorted(write)? {
            Sorted::Match(write) => matches.push(write),
            Sorted::Account(statements) => {
                super::matches::apply(store, epoch, &std::mem::take(&mut matches)).await?;
                for statement in statements {
                    execute(store, statement).await?;
                }
            }
        }
    }
    super::matches::apply(store, epoch, &matches).await
}

async fn execute(store: &mut PgConnection, statement: Statement) -> Result<(), StoreError> {
    let Statement { sql, values, what, conflict } = statement;
    let query = values.into_iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Text(text) => query.bind(text),
        Value::Note(text) => query.bind(text.map(String::into_bytes)),
        Value::Number(number) => query.bind(number),
        Value::OptionalNumber(number) => query.bind(number),
        Value::Flag(flag) => query.bind(flag),
        Value::Bytes(bytes) => query.bind(bytes),
    });
    let done = query.execute(store).await.map_err(refused(what))?;
    check_affected(done.rows_affected(), conflict)
}
