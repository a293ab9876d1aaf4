//! The end of a match that cannot be read from the store at the moment is delivered later: a bot never
//! acknowledges an end that it has not received.

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, SqliteConnection};

use crate::arena::Arena;
use crate::http::{ask, call};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, well};

const POLL: &str = "PlayService/NextEvents";

/// Hides the events of all matches from the arena, or shows them again. Only the ends need them.
async fn rename(store: &mut SqliteConnection, from: &str, to: &str) {
    let rename = AssertSqlSafe(format!("ALTER TABLE {from} RENAME TO {to}"));
    sqlx::query(rename).execute(store).await.unwrap();
}

/// The ids of the matches whose ends a first response contains.
fn ends(answer: &Value) -> Vec<&str> {
    let ended = answer["events"][0]["snapshot"]["ended"].as_array().unwrap();
    ended.iter().map(|ended| ended["match"]["id"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_cannot_be_read_is_delivered_later_to_bots_that_poll_and_to_streams() {
    let arena = Arena::start(&[]);
    let one = ScriptedBot::new(&arena, "one/bot").await;
    let two = ScriptedBot::new(&arena, "two/bot").await;
    let (events, others) = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    // Neither acknowledges the end.
    let (ended, _) = tokio::join!(first_match(&one, events, well), first_match(&two, others, well));
    let id = ended.r#match.unwrap().id;
    let mut store = SqliteConnectOptions::new().filename(arena.store()).connect().await.unwrap();
    let hello = json!({"hello": {"version": "1", "offer": {"maxConcurrentMatches": 0}}});

    rename(&mut store, "match_events", "hidden").await;
    for _ in 0..2 {
        let refused = ask(arena.public, POLL, &one.token, &hello);
        assert_eq!(refused.refusal().0, "RESTARTING");
    }
    let mut unread = two.open(offer(2, Bullet)).await;
    assert!(unread.next().await.is_none(), "the stream fails instead of leaving out the end");
    rename(&mut store, "hidden", "match_events").await;

    for bot in [&one, &two] {
        let first = call(arena.public, POLL, &bot.token, &hello);
        assert!(ends(&first).contains(&id.as_str()), "{first}");
    }
}
