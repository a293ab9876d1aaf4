//! Connections to the file. One that failed is closed, and the next call opens another: a failed
//! COMMIT may have ended the transaction that sqlx still counts as open, and then no further one can
//! begin.

use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqlitePool;

use crate::store::StoreError;
use crate::store::failure::failed;

pub(super) struct Connections {
    pool: SqlitePool,
    /// Not in memory: the data is lost with the connection.
    replaceable: bool,
}

impl Connections {
    pub(super) const fn to_file(pool: SqlitePool) -> Self {
        Self { pool, replaceable: true }
    }

    pub(super) const fn to_memory(pool: SqlitePool) -> Self {
        Self { pool, replaceable: false }
    }

    /// Waits for a connection, and opens one if there are too few.
    pub(super) async fn take(&self) -> Result<Taken, StoreError> {
        let connection = self.pool.acquire().await.map_err(failed)?;
        Ok(Taken { connection, replaceable: self.replaceable })
    }
}

/// Exclusive use of a connection. If it is dropped without [`Taken::finish`], because the caller no
/// longer waits, its transaction is rolled back before its next use.
pub(super) struct Taken {
    pub(super) connection: PoolConnection<sqlx::Sqlite>,
    replaceable: bool,
}

impl Taken {
    /// Returns the connection and passes on the result. After a failure its state is unknown, so it is
    /// closed, which rolls back what it has not committed.
    pub(super) fn finish<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if self.replaceable && matches!(result, Err(StoreError::Failed(_))) {
            drop(self.connection.detach());
        }
        result
    }
}
