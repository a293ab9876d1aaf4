//! A damaged match is left out or named, and never a panic. Other matches are not affected.

use std::path::Path;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Sqlite, Store, StoreError};
use rstest::rstest;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::fixtures::*;

pub(crate) async fn corrupt(path: &Path, statement: &str) {
    assert!(change(path, statement).await > 0);
}

/// Runs a statement as another program would. Returns the number of changed rows.
pub(crate) async fn change(path: &Path, statement: &str) -> u64 {
    let path = format!("sqlite://{}", path.display());
    let mut file = SqliteConnection::connect(&path).await.unwrap();
    sqlx::query("PRAGMA foreign_keys = off").execute(&mut file).await.unwrap();
    let changed = sqlx::query(AssertSqlSafe(statement)).execute(&mut file).await.unwrap();
    file.close().await.unwrap();
    changed.rows_affected()
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
#[case::spec_of_another_match("UPDATE matches SET spec = replace(spec, id, '0000000000000000')")]
#[case::short_secret("UPDATE matches SET secret = x'68757368'")]
#[tokio::test]
async fn a_damaged_match_is_named_and_spoils_no_other(#[case] statement: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    let events = [ladder(1), event(1, 0), event(1, 1), event(1, 2)];
    store.commit(epoch, &events).await.unwrap();
    corrupt(&path, statement).await;
    store.commit(epoch, &[ladder(2), event(2, 0), ladder(3)]).await.unwrap();
    assert_only_match_1_is_damaged(&store, epoch).await;
}

#[rstest]
#[case::reason("UPDATE seats SET reason = 'hush'")]
#[case::player("UPDATE seats SET bot = 'hush', version = '?'")]
#[case::pool("UPDATE matches SET pool = 'hush'")]
#[tokio::test]
async fn an_outcome_that_cannot_be_read_is_left_out(#[case] statement: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    store.commit(epoch, &[ladder(1), rated(1, EndReason::Gone, 1)]).await.unwrap();
    corrupt(&path, statement).await;
    store.commit(epoch, &[ladder(2), rated(2, EndReason::Gone, 2)]).await.unwrap();
    let outcomes = store.outcomes(0, 9).await.unwrap();
    assert_eq!(outcomes.iter().map(|outcome| &outcome.id).collect::<Vec<_>>(), [&id(2)]);
    if statement.contains("reason") {
        let bots = store.load().await.unwrap().bots;
        assert!(bots.iter().all(|bot| bot.recent.len() == 1), "their health is judged without it");
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
