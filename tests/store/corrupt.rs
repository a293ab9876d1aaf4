//! A corrupted file is an error that names the match, never a panic.

use std::path::Path;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Filter, Sqlite, Store, StoreError};
use rstest::rstest;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::fixtures::*;

pub(crate) async fn corrupt(path: &Path, statement: &str) {
    let path = format!("sqlite://{}", path.display());
    let mut file = SqliteConnection::connect(&path).await.unwrap();
    sqlx::query("PRAGMA foreign_keys = off").execute(&mut file).await.unwrap();
    let changed = sqlx::query(AssertSqlSafe(statement)).execute(&mut file).await.unwrap();
    assert!(changed.rows_affected() > 0);
    file.close().await.unwrap();
}

#[rstest]
#[case::not_json("UPDATE match_events SET payload = 'hush {' WHERE seq = 1")]
#[case::nothing("UPDATE match_events SET payload = '' WHERE seq = 1")]
#[case::no_such_event("UPDATE match_events SET payload = '{\"event\":\"hush\"}' WHERE seq = 1")]
#[case::wrong_type("UPDATE match_events SET payload = '{\"event\":\"ready\",\"seat\":\"hush\"}'")]
#[case::not_text("UPDATE match_events SET payload = CAST(x'ff' AS TEXT) WHERE seq = 1")]
#[case::a_lost_event("DELETE FROM match_events WHERE seq = 1")]
#[case::spec_is_not_json("UPDATE matches SET spec = 'hush'")]
#[case::spec_is_cut("UPDATE matches SET spec = substr(spec, 1, 80)")]
#[case::spec_of_no_pool("UPDATE matches SET spec = replace(spec, 'azul-colored', 'hush')")]
#[case::spec_is_not_text("UPDATE matches SET spec = CAST(x'ff' AS TEXT)")]
#[case::short_secret("UPDATE matches SET secret = x'68757368'")]
#[tokio::test]
async fn a_match_that_cannot_be_read_is_named(#[case] statement: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    let events = [ladder(1), event(1, 0), event(1, 1), event(1, 2)];
    store.commit(epoch, &events).await.unwrap();
    corrupt(&path, statement).await;
    assert_names(store.find(&id(1)).await, 1);
    assert_names(store.list(&Filter::default(), None, 9).await, 1);
    assert_names(store.load().await, 1);
    store.commit(epoch, &[unrated(1)]).await.unwrap();
    assert_names(store.ended(0, 9).await, 1);
}

#[rstest]
#[case::reason("UPDATE seats SET reason = 'hush'")]
#[case::player("UPDATE seats SET bot = 'hush', version = '?'")]
#[case::pool("UPDATE matches SET pool = 'hush'")]
#[tokio::test]
async fn an_outcome_that_cannot_be_read_is_named(#[case] statement: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    store.commit(epoch, &[ladder(1), rated(1, EndReason::Gone, 1)]).await.unwrap();
    corrupt(&path, statement).await;
    assert_names(store.outcomes(0, 9).await, 1);
    if statement.contains("reason") {
        assert_names(store.load().await, 1);
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    std::fs::write(&path, "this is a letter to my aunt, ".repeat(100)).unwrap();
    let nowhere = folder.path().join("no/such/folder/arena.db");
    for path in [path, nowhere] {
        let Err(StoreError::Failed(text)) = Sqlite::open(&path).await else { panic!() };
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
}
