//! Connections to the database, and their time limits.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Executor};

use crate::store::StoreError;
use crate::store::failure::failed;

/// Connections for pages and exports, which do not block the writer.
const READERS: u32 = 4;

/// A running server accepts connections at once; the caller retries while it starts.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Longer than the server's own limit for a statement: this is for networks that drop packets.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// For loading everything, which takes longer than a page.
pub(super) const LOAD_TIMEOUT: Duration = Duration::from_mins(10);

/// The server ends slow statements, and transactions of an unreachable arena: a lock that outlives its
/// holder would block a take-over. `synchronous_commit` makes acknowledged writes durable, whatever
/// the configuration of the server says.
///
/// The last two lines: all writes find their rows by key, so plans must use indexes, even if the
/// statistics are older than the growth of a table. Such plans look expensive to PostgreSQL and would
/// be compiled each time: with `jit` a commit costs ten times as much.
const WRITER: &str = "SET statement_timeout = '10s';
    SET idle_in_transaction_session_timeout = '5s';
    SET synchronous_commit = on;
    SET client_min_messages = warning;
    SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";

const READER: &str = "SET statement_timeout = '25s';
    SET jit = off;
    SET idle_in_transaction_session_timeout = '30s'";

/// Opens a connection for writing.
pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let connecting = async {
        let mut connection = options.connect().await?;
        connection.execute(WRITER).await?;
        Ok(connection)
    };
    within(CONNECT_TIMEOUT, async { connecting.await.map_err(failed) }).await
}

/// For migrations, which may take any time; a second arena waits for the first.
pub(super) async fn disable_statement_timeout(
    connection: &mut PgConnection,
) -> Result<(), StoreError> {
    connection.execute("SET statement_timeout = 0").await.map(|_done| ()).map_err(failed)
}

/// A pool of connections for reading, opened when they are needed.
pub(super) fn readers(options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(CONNECT_TIMEOUT)
        .after_connect(|connection, _| {
            Box::pin(async move { connection.execute(READER).await.map(|_done| ()) })
        })
        .connect_lazy_with(options)
}

/// Limits the time of a call, so that it never hangs because of the network.
pub(super) async fn with_timeout<T>(
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    within(CALL_TIMEOUT, call).await
}

pub(super) async fn within<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let late = |_elapsed| StoreError::Failed("the database does not respond".to_owned());
    tokio::time::timeout(limit, call).await.map_err(late)?
}

/// A server without fsync loses acknowledged writes when the power fails.
pub(super) async fn warn_without_fsync(connection: &mut PgConnection) -> Result<(), StoreError> {
    let fsync: String =
        sqlx::query_scalar("SHOW fsync").fetch_one(connection).await.map_err(failed)?;
    if fsync != "on" {
        tracing::warn!("the database runs with fsync = {fsync}: a power cut may lose results");
    }
    Ok(())
}
