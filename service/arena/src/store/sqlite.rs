//! The store in a file: SQLite. One connection writes, a few read beside it.

mod accounts;
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

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{SqliteConnection, Transaction};

use super::failure::failed;
use super::{Epoch, Filter, Outcome, Saved, SavedMatch, Store, StoreError, Write, rows, schema};
use crate::names::MatchId;
use crate::record::Bytes32;

pub use copy::copy;

/// Pages and exports are read beside the writer, not in its way; more would only wait for the disk.
const READERS: u32 = 4;

/// Another process may hold the file for the length of a batch.
const PATIENCE: Duration = Duration::from_secs(5);

/// Takes the lock at once: a transaction that reads first and then wants to write could be refused
/// in its middle.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// Everything in one file, or in memory.
pub struct Sqlite {
    /// One connection: batches queue here, not at the lock of the file.
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Sqlite {
    /// The store in this file; made if it is not there, brought up to date if it is old.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let unusable = |problem: &dyn fmt::Display| {
            StoreError::Failed(format!("{}: {problem}", path.display()))
        };
        make_private(path).map_err(|problem| unusable(&problem))?;
        let options = SqliteConnectOptions::new().filename(path).foreign_keys(true);
        let options = options.busy_timeout(PATIENCE);
        // FULL: what was acknowledged survives a power cut, not only a crash. In WAL mode that is
        // one fsync for each batch, and batches are large.
        let writing = options
            .clone()
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let writer = pool(1).connect_with(writing).await.map_err(|problem| unusable(&problem))?;
        migrate(&writer).await?;
        let readers = pool(READERS).connect_lazy_with(options.pragma("query_only", "on"));
        Ok(Self { writer, readers })
    }

    /// A store that is gone with this value.
    pub async fn in_memory() -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        // Each connection would have a memory of its own, so all share one.
        let writer = pool(1).connect_with(options).await.map_err(failed)?;
        migrate(&writer).await?;
        Ok(Self { readers: writer.clone(), writer })
    }

    async fn write(&self) -> Result<Transaction<'static, sqlx::Sqlite>, StoreError> {
        self.writer.begin_with(BEGIN).await.map_err(failed)
    }

    /// Whatever is read within it is of one moment.
    async fn read(&self) -> Result<Transaction<'static, sqlx::Sqlite>, StoreError> {
        self.readers.begin().await.map_err(failed)
    }
}

/// Makes the file if it is not there, for its owner alone: the secrets of running matches are in it.
/// What SQLite puts beside it gets the same rights.
fn make_private(path: &Path) -> io::Result<()> {
    private(OpenOptions::new().append(true).create(true)).open(path).map(|_file| ())
}

/// If it makes a file, then for its owner alone.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Its connections stay: with the last one a store in memory would be gone.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// In one transaction, so that two arenas that start at once do not both do it.
async fn migrate(writer: &SqlitePool) -> Result<(), StoreError> {
    let mut batch = writer.begin_with(BEGIN).await.map_err(failed)?;
    // `run` makes a future of which the compiler cannot see that it may go to another thread.
    let ran = schema::SQLITE.run_direct(None, &mut *batch, false).await;
    ran.map_err(|problem| StoreError::Failed(problem.to_string()))?;
    batch.commit().await.map_err(failed)
}

async fn check_holder(batch: &mut SqliteConnection, epoch: Epoch) -> Result<(), StoreError> {
    let current: Option<i64> = sqlx::query_scalar("SELECT epoch FROM lease")
        .fetch_optional(batch)
        .await
        .map_err(failed)?;
    if current == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced) }
}

#[tonic::async_trait]
impl Store for Sqlite {
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        let mut batch = self.write().await?;
        let taken = "INSERT INTO lease (id, holder, epoch, renewed)
            VALUES (1, ?, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
            ON CONFLICT (id) DO UPDATE
            SET holder = excluded.holder, epoch = epoch + 1, renewed = excluded.renewed";
        sqlx::query(taken).bind(holder).execute(&mut *batch).await.map_err(failed)?;
        let epoch = sqlx::query_scalar("SELECT epoch FROM lease");
        let epoch = epoch.fetch_one(&mut *batch).await.map_err(failed)?;
        batch.commit().await.map_err(failed)?;
        Ok(Epoch(epoch))
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut batch = self.write().await?;
        check_holder(&mut batch, epoch).await?;
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
        check_holder(&mut batch, epoch).await?;
        for step in plan::steps(writes) {
            apply(&mut batch, epoch, &step).await?;
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

/// Writes that go together.
async fn apply(
    batch: &mut SqliteConnection,
    epoch: Epoch,
    step: &plan::Step<'_>,
) -> Result<(), StoreError> {
    match step {
        plan::Step::One(write) => apply_one(batch, epoch, write).await,
        plan::Step::Events(events) => matches::events(batch, epoch, events).await,
        plan::Step::Told(told) => ends::told(batch, told).await,
    }
}

async fn apply_one(
    batch: &mut SqliteConnection,
    epoch: Epoch,
    write: &Write,
) -> Result<(), StoreError> {
    match write {
        Write::Owner { owner, registered } => accounts::owner(batch, owner, *registered).await,
        Write::Bot { bot, house, registered, request } => {
            accounts::bot(batch, bot, *house, *registered, request.as_ref()).await
        }
        Write::Version { bot, version, declared } => {
            accounts::version(batch, bot, version, *declared).await
        }
        Write::Token(token) => accounts::token(batch, token).await,
        Write::Revoked { public } => accounts::revoked(batch, public).await,
        Write::Invitation { hash } => accounts::invitation(batch, hash).await,
        Write::Invited { hash } => accounts::invited(batch, hash).await,
        Write::Pause { bot, pause } => accounts::pause(batch, bot, pause.as_ref()).await,
        Write::Match { spec, secret } => matches::called(batch, spec, secret).await,
        Write::Event { .. } => matches::events(batch, epoch, &[write]).await,
        Write::Ended(end) => ends::ended(batch, end).await,
        Write::Standing { pool, player, standing } => {
            ends::stands(batch, &pool.to_string(), player, standing).await
        }
        Write::Told { id, bot } => ends::told(batch, &[(id, bot)]).await,
    }
}

/// Not what it holds: secrets and hashes are in there.
impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}
