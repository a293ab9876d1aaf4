//! The store in an SQLite file: one connection for writing, a few for reading.

mod copy;
mod ends;
mod load;
mod matches;
mod plan;
mod reads;

use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{SqliteConnection, Transaction};

use super::failure::{failed, refused};
use super::statement::{Statement, Value, check_affected};
use super::{Epoch, Filter, Outcome, Saved, SavedMatch, Store, StoreError, Write, rows, schema};
use crate::names::MatchId;
use crate::record::Bytes32;

pub use copy::copy;

/// Connections for pages and exports, which do not block the writer. More would only wait for the
/// disk.
const READERS: u32 = 4;

/// How long to wait for a lock of the file: another process may hold it for one batch.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Takes the write lock at the beginning: a transaction that reads first could be refused when it
/// begins to write.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// A store in a file or in memory.
pub struct Sqlite {
    /// One connection: batches wait here, not for the lock of the file.
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Sqlite {
    /// Opens the store in this file. Creates it if it does not exist, and migrates an old one.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let unusable = |problem: &dyn fmt::Display| {
            StoreError::Failed(format!("{}: {problem}", path.display()))
        };
        create_private(path).map_err(|problem| unusable(&problem))?;
        let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
        let options = options.busy_timeout(BUSY_TIMEOUT);
        // FULL: acknowledged writes survive a power cut, not only a crash. In WAL mode this costs one
        // fsync per batch, and batches are large.
        let writing = options
            .clone()
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let writer = pool(1).connect_with(writing).await.map_err(|problem| unusable(&problem))?;
        migrate(&writer).await?;
        let readers = pool(READERS).connect_lazy_with(options.pragma("query_only", "on"));
        Ok(Self { writer, readers })
    }

    /// A store in memory, which is lost when this value is dropped.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        // Each connection would have its own database, so reads and writes share one.
        let writer = pool(1).connect_with(options).await.map_err(failed)?;
        migrate(&writer).await?;
        Ok(Self { readers: writer.clone(), writer })
    }

    async fn write(&self) -> Result<Transaction<'static, sqlx::Sqlite>, StoreError> {
        self.writer.begin_with(BEGIN).await.map_err(failed)
    }

    /// A transaction in which all reads see the same state.
    async fn read(&self) -> Result<Transaction<'static, sqlx::Sqlite>, StoreError> {
        self.readers.begin().await.map_err(failed)
    }
}

/// Creates the file if it does not exist, accessible only to its owner: it holds the secrets of
/// running matches. SQLite creates its other files with the same permissions.
fn create_private(path: &Path) -> io::Result<()> {
    private(OpenOptions::new().append(true).create(true)).open(path).map(|_file| ())
}

/// Makes created files accessible only to their owner.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Connections are never closed: a store in memory is lost with its last connection.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Runs the migrations in one transaction, so that two arenas that start at the same time do not both
/// run them.
async fn migrate(writer: &SqlitePool) -> Result<(), StoreError> {
    let mut batch = writer.begin_with(BEGIN).await.map_err(failed)?;
    // Not `run`: the compiler cannot prove that its future is `Send`.
    let ran = schema::SQLITE.run_direct(None, &mut *batch, false).await;
    ran.map_err(|problem| StoreError::Failed(problem.to_string()))?;
    batch.commit().await.map_err(failed)
}

async fn check_owner(batch: &mut SqliteConnection, epoch: Epoch) -> Result<(), StoreError> {
    let current: Option<i64> = sqlx::query_scalar("SELECT epoch FROM lease")
        .fetch_optional(batch)
        .await
        .map_err(failed)?;
    if current == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced) }
}

#[async_trait]
impl Store for Sqlite {
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        let mut batch = self.write().await?;
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

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut batch = self.write().await?;
        check_owner(&mut batch, epoch).await?;
        let renewed = "UPDATE lease SET renewed = CAST(unixepoch('subsec') * 1000 AS INTEGER)";
        sqlx::query(renewed).execute(&mut *batch).await.map_err(failed)?;
        batch.commit().await.map_err(failed)
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut batch = self.write().await?;
        let released = sqlx::query("UPDATE lease SET renewed = 0 WHERE epoch = ?");
        released.bind(epoch.0).execute(&mut *batch).await.map_err(failed)?;
        batch.commit().await.map_err(failed)
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM tokens WHERE hash = ?)");
        known.bind(&hash.0[..]).fetch_one(&self.readers).await.map_err(failed)
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        let ago = "SELECT holder, CAST(unixepoch('subsec') * 1000 AS INTEGER) - renewed FROM lease";
        let row: Option<(String, i64)> =
            sqlx::query_as(ago).fetch_optional(&self.readers).await.map_err(failed)?;
        Ok(row.map(|(holder, ago)| (holder, rows::ago(ago))))
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        load::everything(&mut *self.read().await?).await
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        let mut batch = self.write().await?;
        check_owner(&mut batch, epoch).await?;
        for step in plan::steps(writes) {
            apply(&mut batch, epoch, step).await?;
        }
        batch.commit().await.map_err(failed)
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        reads::find(&mut *self.read().await?, id).await
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        reads::list(&mut *self.read().await?, filter, before, most).await
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        reads::ended(&mut *self.read().await?, after, most).await
    }

    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        reads::outcomes(&mut *self.read().await?, after, most).await
    }
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
        Value::Flag(flag) => query.bind(flag),
        Value::Bytes(bytes) => query.bind(bytes),
    });
    let done = query.execute(batch).await.map_err(refused(what))?;
    check_affected(done.rows_affected(), conflict)
}

/// Secrets and hashes are not shown.
impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}
