//! The store in a PostgreSQL database: one connection for writing, a few for reading.

mod batch;
mod lists;
mod load;
mod matches;
mod plan;
mod reads;
mod retention;
mod session;
mod writer;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::Connection;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};

use super::archive::{Archive, Unarchived};
use super::failure::failed;
use super::{
    AuditEntry, Epoch, Filter, ListedInvitation, ListedOwner, ListedToken, Outcome, Saved,
    SavedMatch, Store, StoreError, Write, rows, schema,
};
use crate::names::{MatchId, Owner};
use crate::record::Bytes32;
use crate::time::Wall;
use session::{LOAD_TIMEOUT, with_timeout, within};
use writer::Writer;

/// A store in a PostgreSQL database.
pub struct Postgres {
    writer: Writer,
    readers: PgPool,
}

impl Postgres {
    /// Opens the store in this database. Creates its tables if they do not exist, and migrates old
    /// ones.
    pub async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
        let mut first = session::connect(&options).await?;
        session::disable_statement_timeout(&mut first).await?;
        // Takes a lock in the database, so two arenas that start at the same time wait for each
        // other. Not `run`: the compiler cannot prove that its future is `Send`.
        let ran = schema::POSTGRES.run_direct(None, &mut first, false).await;
        ran.map_err(|problem| StoreError::Failed(problem.to_string()))?;
        session::warn_without_fsync(&mut first).await?;
        first.close().await.map_err(failed)?;
        let readers = session::readers(options.clone());
        Ok(Self { writer: Writer::new(options), readers })
    }

    async fn reader(&self) -> Result<Reader, StoreError> {
        self.readers.acquire().await.map(Reader).map_err(failed)
    }
}

/// A connection for reading.
struct Reader(PoolConnection<sqlx::Postgres>);

impl Reader {
    /// Returns the connection to the pool and passes on the result. A connection that failed is not
    /// used again: it may hang forever.
    fn finish<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if result.is_err() {
            drop(self.0.detach());
        }
        result
    }
}

#[async_trait]
impl Store for Postgres {
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        let mut writer = self.writer.lock().await?;
        let taken = with_timeout(batch::take_over(&mut writer.connection, holder)).await;
        writer.finish(taken)
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await?;
        let renewed = with_timeout(batch::renew(&mut writer.connection, epoch)).await;
        writer.finish(renewed)
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await?;
        let released = with_timeout(batch::release(&mut writer.connection, epoch)).await;
        writer.finish(released)
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        let mut reader = self.reader().await?;
        let known = with_timeout(reads::has_token(&mut reader.0, hash)).await;
        reader.finish(known)
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        let mut reader = self.reader().await?;
        let holder = with_timeout(reads::holder(&mut reader.0)).await;
        reader.finish(holder)
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        let mut reader = self.reader().await?;
        let saved = within(LOAD_TIMEOUT, load::everything(&mut reader.0)).await;
        reader.finish(saved)
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await?;
        let committed = with_timeout(batch::commit(&mut writer.connection, epoch, writes)).await;
        writer.finish(committed)
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        let mut reader = self.reader().await?;
        let found = with_timeout(reads::find(&mut reader.0, id)).await;
        reader.finish(found)
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(reads::list(&mut reader.0, filter, before, most)).await;
        reader.finish(page)
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(reads::ended(&mut reader.0, after, most)).await;
        reader.finish(page)
    }

    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(reads::outcomes(&mut reader.0, after, most)).await;
        reader.finish(page)
    }

    async fn unarchived(&self, before: Wall, most: u32) -> Result<Vec<Unarchived>, StoreError> {
        let mut reader = self.reader().await?;
        let found = with_timeout(retention::unarchived(&mut reader.0, before, most)).await;
        reader.finish(found)
    }

    async fn archive(&self, epoch: Epoch, archives: &[Archive]) -> Result<(), StoreError> {
        let mut writer = self.writer.lock().await?;
        let archived =
            with_timeout(retention::archive(&mut writer.connection, epoch, archives)).await;
        writer.finish(archived)
    }

    async fn delete_challenges(
        &self,
        epoch: Epoch,
        before: Wall,
        most: u32,
    ) -> Result<u64, StoreError> {
        let mut writer = self.writer.lock().await?;
        let deleting = retention::delete_challenges(&mut writer.connection, epoch, before, most);
        let deleted = with_timeout(deleting).await;
        writer.finish(deleted)
    }

    async fn owners(&self, after: i64, most: u32) -> Result<Vec<ListedOwner>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(lists::owners(&mut reader.0, after, most)).await;
        reader.finish(page)
    }

    async fn tokens(
        &self,
        of: Option<&Owner>,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedToken>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(lists::tokens(&mut reader.0, of, after, most)).await;
        reader.finish(page)
    }

    async fn invitations(
        &self,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedInvitation>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(lists::invitations(&mut reader.0, after, most)).await;
        reader.finish(page)
    }

    async fn audit(
        &self,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, AuditEntry)>, StoreError> {
        let mut reader = self.reader().await?;
        let page = with_timeout(lists::audit(&mut reader.0, before, most)).await;
        reader.finish(page)
    }
}

/// A transaction in which all reads see the same state.
async fn snapshot(
    reader: &mut PgConnection,
) -> Result<sqlx::Transaction<'_, sqlx::Postgres>, StoreError> {
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    reader.begin_with(begin).await.map_err(failed)
}

/// Shows neither contents nor address: they hold passwords, secrets and hashes.
impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
