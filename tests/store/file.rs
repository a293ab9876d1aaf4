//! A store in a file: it can be opened again, and is private.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Filter, Sqlite, Store};
use sqlx::{Connection, SqliteConnection};

use crate::fixtures::*;

#[tokio::test]
async fn a_file_is_opened_again_after_its_store_was_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let mut last = with_alice_and_bob(&store).await;
    drop(store);
    for n in 0..10 {
        let store = Sqlite::open(&path).await.unwrap();
        assert_fenced(
            Sqlite::open(&path).await.unwrap().renew(azulejo_arena::store::Epoch(0)).await,
        );
        store.renew(last).await.unwrap();
        let epoch = store.take_over("the next").await.unwrap();
        assert!(epoch > last);
        last = epoch;
        let batch = [ladder(n), event(n, 0), rated(n, EndReason::Finished, 1)];
        store.commit(epoch, &batch).await.unwrap();
        assert_eq!(store.list(&Filter::default(), None, 99).await.unwrap().len() as u64, n + 1);
    }
}

#[tokio::test]
async fn files_that_others_could_read_are_made_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let files = ["arena.db", "arena.db-wal", "arena.db-shm"].map(|file| folder.path().join(file));
    // Open, so that the other files exist.
    let _first = Sqlite::open(&path).await.unwrap();
    for file in &files {
        std::fs::set_permissions(file, Permissions::from_mode(0o664)).unwrap();
    }
    let _second = Sqlite::open(&path).await.unwrap();
    for file in &files {
        let rights = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600, "{}", file.display());
    }
}

async fn pragma(path: &Path, name: &'static str) -> String {
    let path = format!("sqlite://{}", path.display());
    let mut file = SqliteConnection::connect(&path).await.unwrap();
    sqlx::query_scalar(name).fetch_one(&mut file).await.unwrap()
}

#[tokio::test]
async fn the_file_is_private_uses_write_ahead_logging_and_passes_its_integrity_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    store.commit(epoch, &[ladder(1), rated(1, EndReason::Gone, 1)]).await.unwrap();
    for file in ["arena.db", "arena.db-wal", "arena.db-shm"] {
        let rights = std::fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600, "only the owner may read {file}");
    }
    assert_eq!(pragma(&path, "PRAGMA journal_mode").await, "wal");
    assert_eq!(pragma(&path, "PRAGMA integrity_check").await, "ok");
}
