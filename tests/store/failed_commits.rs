//! A commit fails, whatever the cause. As soon as the cause has ended, the same store works again.

use azulejo_arena::store::{Epoch, Sqlite, Store, StoreError, open};
use azulejo_tests::Postgres;
use rstest::rstest;

use crate::corrupt::{change, corrupt};
use crate::fixtures::*;

/// Commits fail with this trigger, and succeed without it.
async fn assert_recovers(
    store: &dyn Store,
    epoch: Epoch,
    fail: impl AsyncFn(),
    repair: impl AsyncFn(),
) {
    for n in 0..3 {
        fail().await;
        for _ in 0..3 {
            let failed = store.commit(epoch, &[ladder(n), event(n, 0)]).await;
            assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
        }
        repair().await;
        assert!(store.find(&id(n)).await.unwrap().is_none(), "nothing of a failed batch is there");
        store.commit(epoch, &[ladder(n), event(n, 0)]).await.unwrap();
        store.renew(epoch).await.unwrap();
        assert_eq!(store.find(&id(n)).await.unwrap().unwrap().events.len(), 1);
    }
}

#[rstest]
#[case::a_statement_fails("SELECT RAISE(FAIL, 'broken')")]
// As after a full disk: SQLite itself ends the transaction.
#[case::the_transaction_is_rolled_back("SELECT RAISE(ROLLBACK, 'broken')")]
#[case::the_commit_fails("INSERT INTO broken VALUES (1)")]
#[tokio::test]
async fn a_file_works_again_after_commits_have_failed(#[case] action: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.db");
    let store = Sqlite::open(&path).await.unwrap();
    let epoch = with_alice_and_bob(&store).await;
    change(&path, "CREATE TABLE elsewhere (n INTEGER PRIMARY KEY)").await;
    // Checked by the COMMIT.
    let broken = "CREATE TABLE broken
        (n INTEGER REFERENCES elsewhere (n) DEFERRABLE INITIALLY DEFERRED)";
    change(&path, broken).await;
    let trigger = format!("CREATE TRIGGER fails BEFORE INSERT ON match_events BEGIN {action}; END");
    assert_recovers(
        &store,
        epoch,
        async || {
            change(&path, &trigger).await;
        },
        async || {
            change(&path, "DROP TRIGGER fails").await;
        },
    )
    .await;
    corrupt(&path, "UPDATE lease SET holder = 'the file is fine'").await;
}

#[tokio::test]
async fn a_database_works_again_after_commits_have_failed() {
    let database = Postgres::shared().fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    database.ask(
        "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$",
    );
    // Deferred: the COMMIT itself fails.
    let trigger = "CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON match_events
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION broken()";
    assert_recovers(
        &*store,
        epoch,
        async || drop(database.ask(trigger)),
        async || drop(database.ask("DROP TRIGGER fails ON match_events")),
    )
    .await;
}
