//! Fresh stores of every kind.

use std::ops::Deref;

use azulejo_arena::store::{Sqlite, Store};
use tempfile::TempDir;

/// An empty store; what it lies in goes with it.
pub(crate) struct Fresh {
    store: Box<dyn Store>,
    _folder: Option<TempDir>,
}

impl Fresh {
    pub(crate) async fn in_a_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("arena.db")).await.unwrap();
        Self { store: Box::new(store), _folder: Some(folder) }
    }

    pub(crate) async fn in_memory() -> Self {
        Self { store: Box::new(Sqlite::in_memory().await.unwrap()), _folder: None }
    }
}

impl Deref for Fresh {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        &*self.store
    }
}
