//! One batch is one transaction, under the lock of the lease.

use sqlx::postgres::PgConnection;
use sqlx::{Executor, Row};

use super::{accounts, matches};
use crate::store::failure::failed;
use crate::store::{Epoch, StoreError, Write};

/// The lock comes first, and before any number is drawn: so a take-over comes before a batch or
/// after it, never in its middle; and since the next batch waits until this one is committed, numbers
/// become visible in their order. Whoever reads results after a number misses none.
///
/// One statement after another sees what was committed before it, not before the transaction: the
/// lock may have been waited for.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SELECT epoch FROM lease WHERE id = 1 FOR UPDATE";

/// The clock is the database's, so it does not matter what arenas think that time it is.
pub(super) async fn take_over(store: &mut PgConnection, holder: &str) -> Result<Epoch, StoreError> {
    let taken = "INSERT INTO lease (id, holder, epoch, renewed)
        VALUES (1, $1, 1, clock_timestamp())
        ON CONFLICT (id) DO UPDATE
        SET holder = excluded.holder, epoch = lease.epoch + 1, renewed = clock_timestamp()
        RETURNING epoch";
    let epoch = sqlx::query_scalar(taken).bind(holder).fetch_one(store).await;
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
    let refusal = match write(store, epoch, writes).await {
        Ok(()) => return store.execute("COMMIT").await.map(|_done| ()).map_err(failed),
        Err(refusal) => refusal,
    };
    store.execute("ROLLBACK").await.map_err(failed)?;
    Err(refusal)
}

async fn write(store: &mut PgConnection, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
    let lease = sqlx::raw_sql(BEGIN).fetch_all(&mut *store).await.map_err(failed)?;
    let current = lease.first().map(|row| row.try_get(0)).transpose().map_err(failed)?;
    if current != Some(epoch.0) {
        return Err(StoreError::Fenced);
    }
    for run in writes.chunk_by(|a, b| is_of_a_match(a) && is_of_a_match(b)) {
        match run {
            [account] if !is_of_a_match(account) => accounts::apply(store, account).await?,
            run => matches::apply(store, epoch, run).await?,
        }
    }
    Ok(())
}

/// Accounts change seldom, one at a time. Of matches much is written at once, with a few statements.
const fn is_of_a_match(write: &Write) -> bool {
    match write {
        Write::Match { .. }
        | Write::Event { .. }
        | Write::Ended(_)
        | Write::Standing { .. }
        | Write::Told { .. } => true,
        Write::Owner { .. }
        | Write::Bot { .. }
        | Write::Version { .. }
        | Write::Token(_)
        | Write::Revoked { .. }
        | Write::Invitation { .. }
        | Write::Invited { .. }
        | Write::Pause { .. } => false,
    }
}
