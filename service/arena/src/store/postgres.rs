//! The store in a database: PostgreSQL. One connection writes, a few read beside it.

mod accounts;
mod batch;
mod load;
mod matches;
mod plan;
mod reads;
mod session;
mod writer;

use std::fmt;
use std::time::Duration;

use sqlx::Connection;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};

use super::failure::failed;
use super::{Epoch, Filter, Outcome, Saved, SavedMatch, Store, StoreError, Write, schema};
use crate::names::MatchId;
use crate::record::Bytes32;
use session::{LOADING, in_time, within};
use writer::Writer;

/// Everything in a database, which may be anywhere.
pub struct Postgres {
    writer: Writer,
    readers: PgPool,
}

impl Postgres {
    /// The store in this database; its tables are made if they are not there, and brought up to date
    /// if they are old.
    pub async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
        let mut first = session::connect(&options).await?;
        session::take_any_time(&mut first).await?;
        // Two arenas that start at once wait for each other: a lock of the database is taken.
        // `run` makes a future of which the compiler cannot see that it may go to another thread.
        let ran = schema::POSTGRES.run_direct(None, &mut first, false).await;
        ran.map_err(|problem| StoreError::Failed(problem.to_string()))?;
        session::warn_of_loss(&mut first).await?;
        first.close().await.map_err(failed)?;
        let readers = session::readers(options.clone());
        Ok(Self { writer: Writer::new(options), readers })
    }

    async fn reader(&self) -> Result<Reader, StoreError> {
        self.readers.acquire().await.map(Reader).map_err(failed)
    }
}

/// A connection that reads.
struct Reader(PoolConnection<sqlx::Postgres>);

impl Reader {
    /// What a reading came to. A connection that failed is not used again: it may hang for ever.
    fn done<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if result.is_err() {
            drop(self.0.detach());
        }
        result
    }
}

#[tonic::async_trait]
impl Store for Postgres {
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError> {
        let mut turn = self.writer.turn().await?;
        let taken = in_time(batch::take_over(&mut turn.connection, holder)).await;
        turn.done(taken)
    }

    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut turn = self.writer.turn().await?;
        let renewed = in_time(batch::renew(&mut turn.connection, epoch)).await;
        turn.done(renewed)
    }

    async fn release(&self, epoch: Epoch) -> Result<(), StoreError> {
        let mut turn = self.writer.turn().await?;
        let released = in_time(batch::release(&mut turn.connection, epoch)).await;
        turn.done(released)
    }

    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError> {
        let mut reader = self.reader().await?;
        let known = in_time(reads::has_token(&mut reader.0, hash)).await;
        reader.done(known)
    }

    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError> {
        let mut reader = self.reader().await?;
        let holder = in_time(reads::holder(&mut reader.0)).await;
        reader.done(holder)
    }

    async fn load(&self) -> Result<Saved, StoreError> {
        let mut reader = self.reader().await?;
        let saved = within(LOADING, load::everything(&mut reader.0)).await;
        reader.done(saved)
    }

    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        let mut turn = self.writer.turn().await?;
        let committed = in_time(batch::commit(&mut turn.connection, epoch, writes)).await;
        turn.done(committed)
    }

    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError> {
        let mut reader = self.reader().await?;
        let found = in_time(reads::find(&mut reader.0, id)).await;
        reader.done(found)
    }

    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.reader().await?;
        let page = in_time(reads::list(&mut reader.0, filter, before, most)).await;
        reader.done(page)
    }

    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
        let mut reader = self.reader().await?;
        let page = in_time(reads::ended(&mut reader.0, after, most)).await;
        reader.done(page)
    }

    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError> {
        let mut reader = self.reader().await?;
        let page = in_time(reads::outcomes(&mut reader.0, after, most)).await;
        reader.done(page)
    }
}

/// Whatever is read within it is of one moment.
async fn moment(
    reader: &mut PgConnection,
) -> Result<sqlx::Transaction<'_, sqlx::Postgres>, StoreError> {
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    reader.begin_with(begin).await.map_err(failed)
}

/// Not what it holds, and not where it is: passwords, secrets and hashes are in there.
impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
