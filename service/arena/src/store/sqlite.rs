//! The store in an SQLite file: one connection for writing, a few for reading.

mod batch;
mod connections;
mod copy;
mod ends;
mod lists;
mod load;
mod matches;
mod plan;
mod private;
mod reads;
mod retention;

use std::fmt;
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use super::archive::{Archive, Unarchived};
use super::failure::failed;
use super::{
    AuditEntry, Epoch, Filter, ListedInvitation, ListedOwner, ListedToken, Outcome, Saved,
    SavedMatch, Store, StoreError, Write, rows, schema,
};
use crate::names::{MatchId, Owner};
use crate::record::Bytes32;
use crate::time::Wall;
use connections::Connections;

pub use copy::copy;
pub(super) use private::owner_only;

/// The most connections for pages and exports, which do not block the writer. More would only wait for
/// the disk. Each has a thread and a cache, so there are no more than cores.
const MOST_READERS: u32 = 4;
const FEWEST_READERS: u32 = 2;

/// Rows that a reader fetches without waiting for their recipient: each wait is a change of threads.
const ROWS_AT_ONCE: usize = 1_024;
/// The caches of connections, as SQLite writes them, in KiB. The system caches the file too.
const READER_CACHE: &str = "-256";
const WRITER_CACHE: &str = "-1024";

/// How long to wait for a lock of the file: another process may hold it for one batch.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Takes the write lock at the beginning: a transaction that reads first could be refused when it
/// begins to write.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// A store in a file or in memory.
pub struct Sqlite {
    /// One connection: batches wait here, not for the lock of the file.
    writer: Connections,
    readers: Connections,
}

impl Sqlite {
    /// Opens the store in this file. Creates it if it does not exist, and migrates an old one.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let unusable = |problem: &dyn fmt::Display| {
            StoreError::Failed(format!("{}: {problem}", path.display()))
        };
        private::create(path)?;
        let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
        let options = options.busy_timeout(BUSY_TIMEOUT);
        // FULL: acknowledged writes survive a power cut, not only a crash. In WAL mode this costs one
        // fsync per batch, and batches are large.
        let writing = options
            .clone()
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("cache_size", WRITER_CACHE);
        let writer = connect_writer(&writing).await.map_err(|problem| unusable(&problem))?;
        migrate(&writer).await?;
        let options = options
            .pragma("query_only", "on")
            .pragma("cache_size", READER_CACHE)
            .row_buffer_size(ROWS_AT_ONCE);
        let readers = connect_readers(options).await.map_err(|problem| unusable(&problem))?;
        // SQLite has created its other files by now, or found them.
        private::tighten(path)?;
        Ok(Self { writer: Connections::to_file(writer), readers: Connections::to_file(readers) })
    }

    /// A store in memory, which is lost when this value is dropped.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        // Each connection would have its own database, so reads and writes share one.
        let writer = pool(1).connect_with(options).await.map_err(failed)?;
        migrate(&writer).await?;
        let (writer, readers) = (writer.clone(), writer);
        Ok(Self {
            writer: Connections::to_memory(writer),
            readers: Connections::to_memory(readers),
        })
    }
}

/// Idle connections are not closed: a store in memory is lost with its last connection.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Of several arenas that create the store at the same time, SQLite refuses some at once when they
/// switch to the write-ahead log, whatever the busy timeout is.
async fn connect_writer(options: &SqliteConnectOptions) -> Result<SqlitePool, sqlx::Error> {
    let end = Instant::now() + BUSY_TIMEOUT;
    loop {
        match pool(1).connect_with(options.clone()).await {
            Err(problem) if is_busy(&problem) && Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return done,
        }
    }
}

/// `SQLITE_BUSY` (5), or one of its extended codes.
fn is_busy(problem: &sqlx::Error) -> bool {
    let code = problem.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xFF == 5)
}

/// Every connection has a thread of its own, which inherits the priority of the thread that opens the
/// connection. Those for reading are opened by one of low priority: they must not delay the writer.
async fn connect_readers(options: SqliteConnectOptions) -> Result<SqlitePool, StoreError> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let readers = u32::try_from(cores).unwrap_or(MOST_READERS).clamp(FEWEST_READERS, MOST_READERS);
    let opened = azulejo_runtime::at_low_priority(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(sqlx::Error::Io).and_then(|runtime| {
            runtime.block_on(pool(readers).min_connections(readers).connect_with(options))
        })
    });
    let opened = opened.await.map_err(|problem| StoreError::Failed(problem.to_string()))?;
    opened.map_err(failed)
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

#[async_trait]
impl Store for Sqlite {
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        let mut writer = self.writer.take().await?;
        let taken = batch::take_over(&mut writer.connection, holder).await;
        writer.finish(taken)
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut writer = self.writer.take().await?;
        let renewed = batch::renew(&mut writer.connection, epoch).await;
        writer.finish(renewed)
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut writer = self.writer.take().await?;
        let released = batch::release(&mut writer.connection, epoch).await;
        writer.finish(released)
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        let mut reader = self.readers.take().await?;
        let known = reads::has_token(&mut reader.connection, hash).await;
        reader.finish(known)
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        let mut reader = self.readers.take().await?;
        let holder = reads::holder(&mut reader.connection).await;
        reader.finish(holder)
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        let mut reader = self.readers.take().await?;
        let saved = load::everything(&mut reader.connection).await;
        reader.finish(saved)
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        let mut writer = self.writer.take().await?;
        let committed = batch::commit(&mut writer.connection, epoch, writes).await;
        writer.finish(committed)
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        let mut reader = self.readers.take().await?;
        let found = reads::find(&mut reader.connection, id).await;
        reader.finish(found)
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = reads::list(&mut reader.connection, filter, before, most).await;
        reader.finish(page)
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = reads::ended(&mut reader.connection, after, most).await;
        reader.finish(page)
    }

    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = reads::outcomes(&mut reader.connection, after, most).await;
        reader.finish(page)
    }

    async fn unarchived(&self, before: Wall, most: u32) -> Result<Vec<Unarchived>, StoreError> {
        let mut reader = self.readers.take().await?;
        let found = retention::unarchived(&mut reader.connection, before, most).await;
        reader.finish(found)
    }

    async fn archive(&self, epoch: Epoch, archives: &[Archive]) -> Result<(), StoreError> {
        let mut writer = self.writer.take().await?;
        let archived = retention::archive(&mut writer.connection, epoch, archives).await;
        writer.finish(archived)
    }

    async fn delete_challenges(
        &self,
        epoch: Epoch,
        before: Wall,
        most: u32,
    ) -> Result<u64, StoreError> {
        let mut writer = self.writer.take().await?;
        let deleting = retention::delete_challenges(&mut writer.connection, epoch, before, most);
        let deleted = deleting.await;
        writer.finish(deleted)
    }

    async fn owners(&self, after: i64, most: u32) -> Result<Vec<ListedOwner>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = lists::owners(&mut reader.connection, after, most).await;
        reader.finish(page)
    }

    async fn tokens(
        &self,
        of: Option<&Owner>,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedToken>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = lists::tokens(&mut reader.connection, of, after, most).await;
        reader.finish(page)
    }

    async fn invitations(
        &self,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedInvitation>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = lists::invitations(&mut reader.connection, after, most).await;
        reader.finish(page)
    }

    async fn audit(
        &self,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, AuditEntry)>, StoreError> {
        let mut reader = self.readers.take().await?;
        let page = lists::audit(&mut reader.connection, before, most).await;
        reader.finish(page)
    }
}

/// Secrets and hashes are not shown.
impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}
