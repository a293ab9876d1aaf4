//! A store in PostgreSQL: locks, durability, corrupted rows, addresses and TLS.

use std::sync::Arc;

use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Epoch, Store, open};
use azulejo_tests::{Database, Postgres, certificates};
use rstest::rstest;

use crate::fixtures::*;

/// A session that holds the lock of the lease and sends nothing more: its arena is cut off.
#[tokio::test]
async fn a_holder_that_is_cut_off_does_not_keep_the_lock() {
    let database = Postgres::shared().fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    let cut_off = sqlx::postgres::PgPool::connect(&database.url).await.unwrap();
    let lock = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1s';
        SELECT epoch FROM lease FOR UPDATE";
    let mut held = cut_off.acquire().await.unwrap();
    sqlx::raw_sql(lock).execute(&mut *held).await.unwrap();
    let next = store.take_over("the next").await.unwrap();
    assert!(next > epoch);
}

#[tokio::test]
async fn a_batch_waits_for_the_disk_whatever_the_database_is_configured_to_do() {
    // With this configuration alone, the server would write nothing for ten seconds.
    let server = Postgres::alone("synchronous_commit = off\nwal_writer_delay = 10s");
    let database = server.fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1)]).await.unwrap();
    // What is not flushed yet would be lost now.
    server.stop_immediately();
    server.start();
    assert!(open(&database.url).await.unwrap().find(&id(1)).await.unwrap().is_some());
}

async fn corrupted(statement: &str, end: bool) -> (Database<'static>, Arc<dyn Store>, Epoch) {
    let database = Postgres::shared().fresh();
    let store = open(&database.url).await.unwrap();
    let epoch = with_alice_and_bob(&*store).await;
    let events = [ladder(1), event(1, 0), event(1, 1), event(1, 2)];
    store.commit(epoch, &events).await.unwrap();
    if end {
        store.commit(epoch, &[rated(1, EndReason::Gone, 1)]).await.unwrap();
    }
    database.ask(&format!("SET session_replication_role = replica; {statement}"));
    (database, store, epoch)
}

#[rstest]
#[case::not_json("UPDATE match_events SET payload = 'hush {' WHERE seq = 1")]
#[case::wrong_type("UPDATE match_events SET payload = '{\"event\":\"ready\",\"seat\":\"hush\"}'")]
#[case::a_lost_event("DELETE FROM match_events WHERE seq = 1")]
#[case::spec_is_not_json("UPDATE matches SET spec = 'hush'")]
#[case::short_secret("UPDATE matches SET secret = 'hush'")]
#[tokio::test]
async fn a_damaged_match_is_named_and_spoils_no_other(#[case] statement: &str) {
    let (_database, store, epoch) = corrupted(statement, false).await;
    store.commit(epoch, &[ladder(2), event(2, 0), ladder(3)]).await.unwrap();
    assert_only_match_1_is_damaged(&*store, epoch).await;
}

#[rstest]
#[case::reason("UPDATE seats SET reason = 'hush'")]
#[case::player("UPDATE seats SET bot = 'hush', version = '?'")]
#[case::pool("UPDATE matches SET pool = 'hush'")]
#[case::a_placement_that_no_seat_has("UPDATE seats SET placement = -1")]
#[tokio::test]
async fn an_outcome_that_cannot_be_read_is_left_out(#[case] statement: &str) {
    let (_database, store, epoch) = corrupted(statement, true).await;
    store.commit(epoch, &[ladder(2), rated(2, EndReason::Gone, 2)]).await.unwrap();
    let outcomes = store.outcomes(0, 9).await.unwrap();
    assert_eq!(outcomes.iter().map(|outcome| &outcome.id).collect::<Vec<_>>(), [&id(2)]);
}

#[tokio::test]
async fn a_database_that_cannot_be_opened_is_named_without_its_password() {
    let server = Postgres::shared();
    let port = server.port();
    let wrong = [
        format!("postgres://postgres:hush@127.0.0.1:{port}/no_such"),
        format!("postgres://stranger:hush@127.0.0.1:{port}/postgres"),
        "postgres://postgres:hush@127.0.0.1:1/arena".to_owned(),
        format!("postgres://postgres:hush@127.0.0.1:{port}/postgres?sslmode=require"),
        format!("postgres://postgres:hush@127.0.0.1:{port}/postgres?sslmood=require"),
    ];
    for url in wrong {
        let problem = open(&url).await.unwrap_err();
        let said = format!("{problem} {problem:?}");
        assert!(!said.contains("hush"), "{said}");
        assert!(said.contains("127.0.0.1:") || said.contains("sslmood"), "{said}");
        println!("{problem}");
    }
}

#[tokio::test]
async fn a_store_uses_tls_if_its_address_asks_for_it() {
    let folder = certificates();
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let authority = folder.path().join("ca.pem");
    let server = Postgres::with_certificate(&read("cert.pem"), &read("key.pem"));
    let database = server.fresh();
    let used = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'the store'";
    let modes = ["require".to_owned(), format!("verify-full&sslrootcert={}", authority.display())];
    for mode in modes {
        let url = format!("{}?application_name=the%20store&sslmode={mode}", database.url);
        let store = open(&url).await.unwrap();
        store.take_over("the test").await.unwrap();
        assert_eq!(database.ask(used), "t");
    }
    let strangers = format!("{}?sslmode=verify-full", database.url);
    assert!(open(&strangers).await.is_err());
}
