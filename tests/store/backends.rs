//! New stores of every kind: in memory, in a file, in a database.

use std::ops::Deref;
use std::sync::Arc;

use azulejo_arena::store::{Sqlite, Store, open};
use azulejo_tests::{Database, Postgres};
use tempfile::TempDir;

/// An empty store. Its folder or database is dropped with it.
pub(crate) struct Fresh {
    store: Arc<dyn Store>,
    /// Dropped after the store.
    _place: Place,
}

/// Where a store is.
enum Place {
    Memory,
    Folder(#[expect(dead_code, reason = "it is only held")] TempDir),
    Database(#[expect(dead_code, reason = "it is only held")] Database<'static>),
}

impl Fresh {
    pub(crate) async fn in_a_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("arena.db")).await.unwrap();
        Self { store: Arc::new(store), _place: Place::Folder(folder) }
    }

    pub(crate) async fn in_memory() -> Self {
        Self { store: open("memory").await.unwrap(), _place: Place::Memory }
    }

    pub(crate) async fn in_a_database() -> Self {
        let database = Postgres::shared().fresh();
        let store = open(&database.url).await.unwrap();
        Self { store, _place: Place::Database(database) }
    }
}

impl Deref for Fresh {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}

/// The address of a store that is opened several times.
pub(crate) struct Lasting {
    pub(crate) address: String,
    _place: Place,
}

impl Lasting {
    pub(crate) fn in_a_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.db");
        Self { address: path.to_str().unwrap().to_owned(), _place: Place::Folder(folder) }
    }

    pub(crate) fn in_a_database() -> Self {
        let database = Postgres::shared().fresh();
        Self { address: database.url.clone(), _place: Place::Database(database) }
    }

    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        open(&self.address).await.unwrap()
    }
}
