//! A damaged row in the store spoils one match: the arena starts, lists and exports the others, and a
//! running match that cannot be read is voided.

use azulejo_tests::Postgres;
use azulejo_tests::waiting::{PATIENCE, until};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _};

use crate::arena::Arena;
use crate::http::{ask, call};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, until_second_turn, well};

/// Two finished matches and a running one, in the order in which they began.
async fn three_matches(arena: &Arena) -> [String; 3] {
    let one = ScriptedBot::new(arena, "one/bot").await;
    let two = ScriptedBot::new(arena, "two/bot").await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (events, others) = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
        let (ended, _) =
            tokio::join!(first_match(&one, events, well), first_match(&two, others, well));
        let id = ended.r#match.unwrap().id;
        for bot in [&one, &two] {
            bot.beat(0, &[&id]).await.unwrap();
        }
        ids.push(id);
    }
    loop {
        let events = one.open(offer(2, Bullet)).await;
        let mut others = two.open(offer(2, Bullet)).await;
        tokio::select! {
            due = until_second_turn(&two, &mut others) => ids.push(due.match_id),
            // It was called before, while its bots were away.
            _voided = first_match(&one, events, well) => continue,
        }
        return ids.try_into().unwrap();
    }
}

fn listed(arena: &Arena) -> Vec<Value> {
    let list = call(arena.public, "MatchesService/ListMatches", "", &json!({}));
    list["matches"].as_array().unwrap().clone()
}

fn exported(arena: &Arena) -> Vec<String> {
    let export = call(arena.public, "MatchesService/ExportMatches", "", &json!({}));
    let records = export["records"].as_array().unwrap().iter();
    let id = |record: &Value| {
        let record: Value = serde_json::from_str(record.as_str().unwrap()).unwrap();
        record["arena"]["match_id"].as_str().unwrap().to_owned()
    };
    records.map(id).collect()
}

/// The arena on a store in which an event of the first and of the last match were damaged.
fn assert_others_are_fine(arena: &Arena, [ended, good, running]: [String; 3]) {
    let voided = until("the match is voided", PATIENCE, || {
        listed(arena)
            .into_iter()
            .find(|found| found["id"] == *running && found["endTime"].is_string())
    });
    assert_eq!(voided["status"], "MATCH_STATUS_VOIDED", "{voided}");
    assert_eq!(voided["rated"], false);
    let seats = voided["result"]["seats"].as_array().unwrap();
    assert!(seats.iter().all(|seat| seat["endReason"] == "END_REASON_SERVER_ERROR"), "{voided}");
    let ids: Vec<Value> = listed(arena).iter().map(|found| found["id"].clone()).collect();
    assert!(ids.contains(&json!(good)), "{ids:?}");
    let records = exported(arena);
    assert!(records.contains(&good), "{records:?}");
    assert!(!records.contains(&ended) && !records.contains(&running), "{records:?}");
    let find = |id: &str| ask(arena.public, "MatchesService/GetMatch", "", &json!({"matchId": id}));
    assert_eq!(find(&good).status, 200);
    assert_eq!(find(&ended).refusal().0, "DAMAGED");
    let log = arena.log();
    for id in [&ended, &running] {
        let lines = log.lines().filter(|line| line.contains("left out") && line.contains(&**id));
        assert_eq!(lines.count(), 1, "{id} is logged once: {log}");
    }
    assert!(!log.contains("hush"), "the damaged value is not logged: {log}");
}

fn damage(ids: &[String; 3]) -> String {
    let [ended, _, running] = ids;
    format!(
        "UPDATE match_events SET payload = 'hush {{' WHERE seq = 2 AND match_number IN
            (SELECT number FROM matches WHERE id IN ('{ended}', '{running}'))"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_event_in_a_file_spoils_only_its_match() {
    let mut arena = Arena::start(&[]);
    let ids = Box::pin(three_matches(&arena)).await;
    arena.kill();
    let mut store = SqliteConnectOptions::new().filename(arena.store()).connect().await.unwrap();
    let damaged = sqlx::query(AssertSqlSafe(damage(&ids))).execute(&mut store).await.unwrap();
    assert_eq!(damaged.rows_affected(), 2);
    arena.restart();
    assert_others_are_fine(&arena, ids);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_event_in_a_database_spoils_only_its_match() {
    let database = Postgres::shared().fresh();
    let mut arena = Arena::with_store(&database.url, &[]);
    let ids = Box::pin(three_matches(&arena)).await;
    arena.kill();
    database.ask(&damage(&ids));
    arena.restart();
    assert_others_are_fine(&arena, ids);
}
