//! The only connection for writing: batches wait here, not for the lock of the lease.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::{Mutex, MutexGuard};

use super::session;
use crate::store::StoreError;

pub(super) struct Writer {
    options: PgConnectOptions,
    /// None while it is in use, before its first use, and after it was lost.
    idle: Mutex<Option<PgConnection>>,
}

impl Writer {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, idle: Mutex::new(None) }
    }

    /// Waits for earlier batches, and connects if there is no connection.
    pub(super) async fn lock(&self) -> Result<LockedWriter<'_>, StoreError> {
        let mut idle = self.idle.lock().await;
        let connection = match idle.take() {
            Some(connection) => connection,
            None => session::connect(&self.options).await?,
        };
        Ok(LockedWriter { idle, connection })
    }
}

/// Exclusive use of the connection. If it is dropped without [`LockedWriter::finish`], because the
/// caller no longer waits, the connection is closed and an uncommitted batch is rolled back.
pub(super) struct LockedWriter<'a> {
    idle: MutexGuard<'a, Option<PgConnection>>,
    pub(super) connection: PgConnection,
}

impl LockedWriter<'_> {
    /// Passes on the result, and keeps the connection. After a failure its state is unknown, so it is
    /// closed.
    pub(super) fn finish<T>(mut self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if !matches!(result, Err(StoreError::Failed(_))) {
            *self.idle = Some(self.connection);
        }
        result
    }
}
