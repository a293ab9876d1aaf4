//! An organiser voids matches that are over: ratings, standings, records and pages are as if they had
//! no result.

use std::process::Stdio;

use azulejo_tests::Postgres;
use azulejo_tests::process::{ChildGuard, azulejo};
use azulejo_tests::waiting::{PATIENCE, until, until_async};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::arena::{Arena, said};
use crate::http::{ask, call, get};
use crate::official_standings::fit_of_export;
use crate::results::{bot, find};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, until_second_turn, well};

const POOL: &str = "azul-colored-2-bullet";
/// As in a file that `--admin-token-file` names.
const ORGANISER: &str = "aza_0123456789abcdefghijklmnopqrstuv";

fn void(arena: &Arena, id: &str) -> Result<(), String> {
    let done = said(&[
        "admin",
        "void",
        id,
        "--reason",
        "a <b>test</b>",
        "--server",
        &arena.url(),
        "--token",
        ORGANISER,
    ]);
    if done.status.success() { Ok(()) } else { Err(String::from_utf8(done.stderr).unwrap()) }
}

/// Matches of this status, the newest first.
fn listed(arena: &Arena, status: &str) -> Vec<Value> {
    let request = json!({ "status": format!("MATCH_STATUS_{status}"), "pageSize": 200 });
    let page = call(arena.public, "MatchesService/ListMatches", "", &request);
    page["matches"].as_array().cloned().unwrap_or_default()
}

fn standings(arena: &Arena) -> Value {
    call(arena.public, "LadderService/GetStandings", "", &json!({ "pool": POOL }))
}

/// The stored ratings are those of the results. The arena may run.
fn assert_ratings_match(arena: &Arena) {
    let checked = said(&["admin", "rebuild", "--check", "--store", arena.address()]);
    assert!(checked.status.success(), "{checked:?}");
}

/// Bots that play each other all the time.
fn players(arena: &Arena) -> Vec<ChildGuard> {
    let url = arena.url();
    let player = |name: &&str| {
        let words = ["bot", "greedy", "--register", name, "--server", &url, "--time", "bullet"];
        let mut bot = azulejo(&words);
        ChildGuard(bot.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    };
    ["ann/a", "bob/b", "cat/c"].iter().map(player).collect()
}

/// Voids matches while others are being rated, and compares everything with what it should be.
#[expect(clippy::too_many_lines, reason = "one story")]
fn voided_while_bots_play(mut arena: Arena, folder: &TempDir) {
    let bots = players(&arena);
    until("there are standings", 3 * PATIENCE, || {
        let lines = standings(&arena)["entries"].as_array().map_or(0, Vec::len);
        (lines == 3 && listed(&arena, "ENDED").len() >= 6).then_some(())
    });
    let ended = listed(&arena, "ENDED");
    // The oldest ones: all ratings since depend on them.
    let ids: Vec<&str> =
        ended.iter().rev().take(3).map(|found| found["id"].as_str().unwrap()).collect();
    for id in &ids {
        void(&arena, id).unwrap();
        assert!(void(&arena, id).unwrap_err().contains("ALREADY_VOIDED"));
    }

    for id in &ids {
        let found = call(arena.public, "MatchesService/GetMatch", "", &json!({ "matchId": id }));
        let voided = &found["match"];
        assert_eq!(voided["status"], "MATCH_STATUS_VOIDED", "{voided}");
        assert_eq!(voided["voidReason"], "VOID_REASON_ORGANISER", "{voided}");
        assert_eq!(voided["unratedReason"], "UNRATED_REASON_VOIDED", "{voided}");
        assert_eq!(
            (&voided["rated"], &voided["voidNote"]),
            (&json!(false), &json!("a <b>test</b>"))
        );
        let record: Value = serde_json::from_str(found["record"].as_str().unwrap()).unwrap();
        assert_eq!(record["arena"]["rated"], false);
        assert_eq!(record["arena"]["voided"], "a <b>test</b>");
        let page = get(arena.public, &format!("/match/{id}"));
        assert!(page.contains("Called off"), "{page}");
        assert!(page.contains("a &lt;b&gt;test&lt;/b&gt;"), "{page}");
    }
    assert_eq!(
        listed(&arena, "VOIDED")
            .iter()
            .filter(|it| ids.contains(&it["id"].as_str().unwrap()))
            .count(),
        3
    );
    drop(bots);

    // Standings are computed again, from all results but those.
    until("the export gives the same standings", 3 * PATIENCE, || {
        let served = standings(&arena);
        let games: usize = served["games"].as_str()?.parse().ok()?;
        let fitted = fit_of_export(&arena, &folder.path().join("rated.jsonl"), games);
        let same = fitted["games"] == games && fitted["seat_points"] == served["seatPoints"];
        same.then_some(())
    });
    let export = folder.path().join("all.jsonl");
    let export = export.to_str().unwrap();
    assert!(said(&["export", export, "--server", &arena.url()]).status.success());
    let verified = said(&["verify", export]);
    assert!(verified.status.success(), "{verified:?}");

    arena.stop();
    assert_ratings_match(&arena);
    arena.restart();
    for id in &ids {
        let found = call(arena.public, "MatchesService/GetMatch", "", &json!({ "matchId": id }));
        assert_eq!(found["match"]["status"], "MATCH_STATUS_VOIDED", "after a restart too");
        assert!(void(&arena, id).unwrap_err().contains("ALREADY_VOIDED"));
    }
    let acts = call(arena.public, "AdminService/ListAudit", ORGANISER, &json!({}));
    let voided: Vec<&str> = acts["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| act["subject"].as_str().unwrap())
        .collect();
    assert_eq!(voided, ids.iter().rev().copied().collect::<Vec<_>>(), "one act each: {acts}");
}

/// The flags of an arena with this organiser's token.
fn with_organiser(folder: &TempDir) -> [String; 2] {
    let file = folder.path().join("organiser");
    std::fs::write(&file, ORGANISER).unwrap();
    ["--admin-token-file".to_owned(), file.to_str().unwrap().to_owned()]
}

#[test]
fn a_voided_result_counts_nowhere_and_stays_verifiable() {
    let folder = TempDir::new().unwrap();
    let flags = with_organiser(&folder);
    voided_while_bots_play(Arena::start(&flags.each_ref().map(String::as_str)), &folder);
}

#[test]
fn a_voided_result_counts_nowhere_in_a_database_either() {
    let folder = TempDir::new().unwrap();
    let flags = with_organiser(&folder);
    let server = Postgres::alone("");
    let arena = Arena::with_store(&server.url("postgres"), &flags.each_ref().map(String::as_str));
    voided_while_bots_play(arena, &folder);
}

/// Official ratings are computed shortly after the matches.
async fn until_rated(player: &ScriptedBot, pools: usize) {
    until_async("the ratings are computed", 3 * PATIENCE, || async {
        let known = bot(&player.channel, &player.id).await;
        (known.versions[0].ratings.len() == pools).then_some(())
    })
    .await;
}

#[tokio::test]
async fn without_its_only_result_a_pool_has_no_ratings() {
    let folder = TempDir::new().unwrap();
    let flags = with_organiser(&folder);
    let mut arena = Arena::start(&flags.each_ref().map(String::as_str));
    let (one, two) =
        (ScriptedBot::new(&arena, "one/bot").await, ScriptedBot::new(&arena, "two/bot").await);
    let (mut first, second) = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    let resigns = async {
        let turn = until_second_turn(&one, &mut first).await;
        one.resign(&turn.match_id).await.unwrap();
        turn.match_id
    };
    let (id, ended) = tokio::join!(resigns, first_match(&two, second, well));
    assert_eq!(ended.r#match.unwrap().id, id);
    until_rated(&one, 1).await;

    void(&arena, &id).unwrap();

    until_rated(&one, 0).await;
    until_rated(&two, 0).await;
    let voided = find(&one.channel, &id).await;
    let reasons: Vec<_> = voided.seats.iter().map(pb::Seat::end_reason).collect();
    assert_eq!(reasons, [pb::EndReason::CalledOff; 2], "{voided:?}");
    until("the standings are empty", 3 * PATIENCE, || {
        standings(&arena)["entries"].as_array().is_none_or(Vec::is_empty).then_some(())
    });
    assert_ratings_match(&arena);
    // A bot that was away receives the end as it is now.
    drop(first);
    let one = one.reconnected(&arena).await;
    let snapshot = one.open(offer(2, Bullet)).await.snapshot().await;
    let end = snapshot.ended.iter().find(|end| end.r#match.as_ref().unwrap().id == id);
    assert_eq!(end.unwrap().r#match.as_ref().unwrap().status(), pb::MatchStatus::Voided);

    arena.restart();
    let again = ask(
        arena.public,
        "AdminService/VoidMatch",
        ORGANISER,
        &json!({ "matchId": id, "note": "x" }),
    );
    assert_eq!(again.refusal().0, "ALREADY_VOIDED");
    let absent = json!({ "matchId": "aaaaaaaaaaaaaaaa", "note": "x" });
    let absent = ask(arena.public, "AdminService/VoidMatch", ORGANISER, &absent);
    assert_eq!(absent.refusal().0, "NO_SUCH_MATCH");
}
