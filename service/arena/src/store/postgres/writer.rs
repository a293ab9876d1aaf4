//! The one connection that writes: batches queue here, not at the lock of the lease.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::{Mutex, MutexGuard};

use super::session;
use crate::store::StoreError;

pub(super) struct Writer {
    options: PgConnectOptions,
    /// None while it is in use, before the first use, and after it was lost.
    idle: Mutex<Option<PgConnection>>,
}

impl Writer {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, idle: Mutex::new(None) }
    }

    /// Waits for whoever writes, and connects if there is no connection.
    pub(super) async fn turn(&self) -> Result<Turn<'_>, StoreError> {
        let mut place = self.idle.lock().await;
        let connection = match place.take() {
            Some(connection) => connection,
            None => session::connect(&self.options).await?,
        };
        Ok(Turn { place, connection })
    }
}

/// The right to write. A turn that is just dropped closes the connection, and with it goes whatever
/// was not committed: that is what becomes of a batch for which nobody waits any longer.
pub(super) struct Turn<'a> {
    place: MutexGuard<'a, Option<PgConnection>>,
    pub(super) connection: PgConnection,
}

impl Turn<'_> {
    /// What the turn came to. After a failure nobody knows what the connection is in the middle of.
    pub(super) fn done<T>(mut self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if !matches!(result, Err(StoreError::Failed(_))) {
            *self.place = Some(self.connection);
        }
        result
    }
}
