//! Finished matches are archived while the arena runs: readers notice no difference. Old challenges
//! are deleted, matches of the ladder never.

use azulejo_tests::process::azulejo;
use azulejo_tests::waiting::{PATIENCE, until, until_async};
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

use crate::arena::{Arena, said};
use crate::http::{ask, call};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, well};

use azulejo_wire::arena::v1::TimeClass::Bullet;

async fn count(arena: &Arena, select: &'static str) -> i64 {
    let mut store = SqliteConnectOptions::new().filename(arena.store()).connect().await.unwrap();
    sqlx::query_scalar(select).fetch_one(&mut store).await.unwrap()
}

fn record(arena: &Arena, id: &str) -> Value {
    call(arena.public, "MatchesService/GetMatch", "", &json!({"matchId": id}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_match_is_archived_and_read_verified_and_counted_as_before() {
    let arena = Arena::start(&["--archive-after", "3"]);
    let one = ScriptedBot::new(&arena, "one/bot").await;
    let two = ScriptedBot::new(&arena, "two/bot").await;
    let (events, others) = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    let (ended, _) = tokio::join!(first_match(&one, events, well), first_match(&two, others, well));
    let id = ended.r#match.unwrap().id;
    let before = record(&arena, &id);
    assert!(count(&arena, "SELECT count(*) FROM match_events").await > 50);

    until_async("the match is archived", PATIENCE, || async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let archived = "SELECT count(*) FROM match_archives";
        (count(&arena, archived).await == 1).then_some(())
    })
    .await;

    let left = "SELECT count(*) FROM match_events e JOIN matches m ON m.number = e.match_number
        WHERE m.ended IS NOT NULL";
    assert_eq!(count(&arena, left).await, 0);
    assert_eq!(record(&arena, &id), before);
    assert_eq!(azulejo_tests::http::get(arena.public, format!("/match/{id}")).status, 200);
    assert!(arena.metrics().contains("azulejo_store_archived_matches_total 1"));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("matches.jsonl");
    let file = file.to_str().unwrap();
    let exported = said(&["export", file, "--server", &arena.url()]);
    assert!(exported.status.success(), "{exported:?}");
    assert!(std::fs::read_to_string(file).unwrap().contains(&id));
    let verified = said(&["verify", file]);
    assert!(verified.status.success(), "{verified:?}");
    let mut arena = arena;
    arena.stop();
    let rebuilt = said(&["admin", "rebuild", "--check", "--store", arena.address()]);
    assert!(rebuilt.status.success(), "{rebuilt:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_challenges_are_deleted_while_the_arena_runs() {
    let mut arena = Arena::start(&["--keep-challenges", "30"]);
    let bot = ScriptedBot::new(&arena, "one/bot").await;
    let _events = bot.open(offer(2, Bullet)).await;
    let challenge = json!({
        "ruleset": {"azul": {"side": "BOARD_SIDE_COLORED", "players": 2}},
        "opponents": [{"house": "random"}],
    });
    let created = call(arena.public, "ChallengesService/CreateChallenge", &bot.token, &challenge);
    let id = created["match"]["id"].as_str().unwrap().to_owned();
    let resign = json!({"matchId": id});
    call(arena.public, "PlayService/Resign", &bot.token, &resign);
    assert_eq!(record(&arena, &id)["match"]["id"], id);
    arena.stop();
    let mut store = SqliteConnectOptions::new().filename(arena.store()).connect().await.unwrap();
    let age = "UPDATE matches SET ended = ended - 31 * 24 * 3600 * 1000";
    assert_eq!(sqlx::query(age).execute(&mut store).await.unwrap().rows_affected(), 1);
    drop(store);

    arena.restart();

    until("the challenge is deleted", PATIENCE, || {
        let answer = ask(arena.public, "MatchesService/GetMatch", "", &json!({"matchId": id}));
        (answer.status == 404).then_some(())
    });
    assert_eq!(count(&arena, "SELECT count(*) FROM match_events").await, 0);
    assert!(arena.metrics().contains("azulejo_store_deleted_challenges_total 1"));
}

#[test]
fn the_help_says_how_long_matches_are_kept() {
    let help = azulejo(&["arena", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("--archive-after") && help.contains("--keep-challenges"), "{help}");
}
