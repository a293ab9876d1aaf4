//! Connections to the database, and how long they may keep anybody waiting.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Executor};

use crate::store::StoreError;
use crate::store::failure::failed;

/// Pages and exports are read beside the writer, not in its way.
const READERS: u32 = 4;

/// A server that is there answers at once; one that starts is asked again.
const CONNECT: Duration = Duration::from_secs(5);

/// More than the server may take for a statement: this is for a network that swallows everything.
const PATIENCE: Duration = Duration::from_secs(30);

/// Everything takes longer than a page of it.
pub(super) const LOADING: Duration = Duration::from_mins(10);

/// The server gives up a statement, then a transaction whose arena is out of reach: a lock must not
/// outlive the holder that took it for long, or nobody could take over. What was acknowledged is on
/// the disk, whatever the server was told elsewhere.
const WRITER: &str = "SET statement_timeout = '10s';
    SET idle_in_transaction_session_timeout = '5s';
    SET synchronous_commit = on;
    SET client_min_messages = warning;
    SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
// The last lines: all that is written goes by keys, whatever the statistics say of tables that have
// grown since they were made. Such a plan looks dear, and would be compiled each time: with `jit` a
// commit costs ten times as much.

const READER: &str = "SET statement_timeout = '25s';
    SET jit = off;
    SET idle_in_transaction_session_timeout = '30s'";

/// A connection that writes.
pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let connecting = async {
        let mut connection = options.connect().await?;
        connection.execute(WRITER).await?;
        Ok(connection)
    };
    within(CONNECT, async { connecting.await.map_err(failed) }).await
}

/// Tables are changed for as long as it takes, and an arena that comes second waits for the first.
pub(super) async fn take_any_time(connection: &mut PgConnection) -> Result<(), StoreError> {
    connection.execute("SET statement_timeout = 0").await.map(|_done| ()).map_err(failed)
}

/// Connections that read; none is opened before it is needed.
pub(super) fn readers(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(CONNECT)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(READER).await.map(|_done| ()) })
        })
        .connect_lazy_with(options)
}

/// A call that never hangs, whatever became of the network.
pub(super) async fn in_time<T>(
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    within(PATIENCE, call).await
}

pub(super) async fn within<T>(
    patience: Duration,
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let no_answer = |_elapsed| StoreError::Failed("the database does not answer".to_owned());
    tokio::time::timeout(patience, call).await.map_err(no_answer)?
}

/// A server that does not wait for its disk loses what was acknowledged when the power fails.
pub(super) async fn warn_of_loss(connection: &mut PgConnection) -> Result<(), StoreError> {
    let fsync: String =
        sqlx::query_scalar("SHOW fsync").fetch_one(connection).await.map_err(failed)?;
    if fsync != "on" {
        tracing::warn!("the database runs with fsync = {fsync}: a power cut may lose results");
    }
    Ok(())
}
