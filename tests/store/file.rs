//! A store in a file outlives whoever opened it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Filter, Sqlite, Store};
use sqlx::{Connection, SqliteConnection};

use crate::things::*;

#[tokio::test]
async fn a_file_is_opened_again_after_it_was_just_dropped() {
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
async fn two_handles_on_one_file_fence_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let one = Sqlite::open(&path).await.unwrap();
    let two = Sqlite::open(&path).await.unwrap();
    let first = with_alice_and_bob(&one).await;
    let second = two.take_over("two").await.unwrap();
    assert_fenced(one.commit(first, &[ladder(1)]).await);
    two.commit(second, &[ladder(2)]).await.unwrap();
    assert!(one.find(&id(2)).await.unwrap().is_some());
    let third = one.take_over("one").await.unwrap();
    assert_fenced(two.renew(second).await);
    one.commit(third, &[ladder(3)]).await.unwrap();
}

#[tokio::test]
async fn several_arenas_may_make_the_file_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let path = path.clone();
        all.spawn(async move {
            let store = Sqlite::open(&path).await.unwrap();
            store.take_over("one of eight").await.unwrap()
        });
    }
    let mut epochs = all.join_all().await;
    epochs.sort();
    assert_eq!(epochs.iter().map(|epoch| epoch.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

async fn pragma(path: &Path, name: &'static str) -> String {
    let path = format!("sqlite://{}", path.display());
    let mut file = SqliteConnection::connect(&path).await.unwrap();
    sqlx::query_scalar(name).fetch_one(&mut file).await.unwrap()
}

#[tokio::test]
async fn the_file_is_private_and_written_ahead_and_sound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    store.commit(epoch, &[ladder(1), rated(1, EndReason::Gone, 1)]).await.unwrap();
    for file in ["arena.db", "arena.db-wal", "arena.db-shm"] {
        let rights = std::fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600, "{file} is for its owner alone");
    }
    assert_eq!(pragma(&path, "PRAGMA journal_mode").await, "wal");
    assert_eq!(pragma(&path, "PRAGMA integrity_check").await, "ok");
}
