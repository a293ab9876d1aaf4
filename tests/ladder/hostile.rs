//! Malicious names, texts and bytes.

use std::net::SocketAddr;

use azulejo_engine::fairness::Bytes32;
use azulejo_wire::arena::v1 as pb;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use pb::TimeClass::Bullet;
use rstest::rstest;
use serde_json::{Value, json};

use crate::arena::Arena;
use crate::http::{ask, call, send};
use crate::scripted_bot::{NONCE, ScriptedBot, offer};
use crate::strategies::{first_match, well};

const REGISTER: &str = "BotsService/RegisterBot";

/// Texts that are not valid names.
fn texts() -> Vec<String> {
    vec![
        "<script>alert(1)</script>".to_owned(),
        "abc\u{202e}fed".to_owned(),
        "a".repeat(10_000),
        "bell\u{7}\u{1b}[31mred".to_owned(),
        "line\nbreak".to_owned(),
        String::new(),
        "x'; DROP TABLE bots; --".to_owned(),
        "ｆｕｌｌｗｉｄｔｈ".to_owned(),
        "nul\0l".to_owned(),
        "../../etc/passwd".to_owned(),
    ]
}

#[track_caller]
fn assert_blamed(address: SocketAddr, method: &str, token: &str, message: &Value, field: &str) {
    let answer = ask(address, method, token, message);
    let (reason, fields) = answer.refusal();
    assert_eq!(answer.status, 400, "{reason} {message}");
    assert_eq!(fields, [field], "{reason} {message}");
}

#[test]
fn an_invalid_name_is_refused_and_the_field_is_named() {
    let arena = Arena::start(&[]);
    let address = arena.public;
    for text in texts() {
        let owner = json!({"owner": text, "name": "bot"});
        assert_blamed(address, REGISTER, "", &owner, "owner");
        let name = json!({"owner": "ann", "name": text});
        assert_blamed(address, REGISTER, "", &name, "name");
        assert_blamed(address, "BotsService/GetBot", "", &json!({"bot": text}), "bot");
        let id = json!({"matchId": text});
        assert_blamed(address, "MatchesService/GetMatch", "", &id, "matchId");
        assert_blamed(address, "LadderService/GetLadder", "", &json!({"pool": text}), "pool");
    }
    for owner in ["house", "server"] {
        let (reason, _) =
            ask(address, REGISTER, "", &json!({"owner": owner, "name": "x"})).refusal();
        assert_eq!(reason, "OWNER_TAKEN", "{owner}");
    }
    call(address, REGISTER, "", &json!({"owner": "ann", "name": "bot"}));
    assert_plain(&arena, &texts());
}

#[test]
fn a_malicious_version_or_reason_is_refused_or_escaped() {
    let arena = Arena::start(&[]);
    let (address, organiser) = (arena.public, arena.organiser());
    let ann = call(address, REGISTER, "", &json!({"owner": "ann", "name": "bot"}));
    let token = ann["token"].as_str().unwrap();
    let shown = ["<script>alert(1)</script>", "x'; DROP TABLE bots; --", "ｆｕｌｌｗｉｄｔｈ"];
    for text in texts() {
        let hello = json!({"hello": {"version": text, "sdk": text}, "maxWait": "0s"});
        assert_blamed(address, "PlayService/NextEvents", token, &hello, "hello.version");
        let pause = json!({"bot": "ann/bot", "note": text});
        let void = json!({"matchId": "aaaaaaaaaaaaaaaa", "note": text});
        if shown.contains(&&*text) || text.starts_with("..") {
            let paused = call(address, "AdminService/PauseBot", &organiser, &pause);
            assert_eq!(paused["bot"]["health"]["pauseNote"], *text, "as text");
            let answer = ask(address, "AdminService/VoidMatch", &organiser, &void);
            assert_eq!(answer.refusal().0, "NO_SUCH_MATCH");
        } else {
            assert_blamed(address, "AdminService/PauseBot", &organiser, &pause, "note");
            assert_blamed(address, "AdminService/VoidMatch", &organiser, &void, "note");
        }
    }
    assert_plain(&arena, &texts());
}

#[rstest]
#[case::not_utf_8(b"\x0a\x02\xff\xfe\x12\x01b")]
#[case::half_a_message(b"\x0a\xff\xff\xff\x0f")]
#[case::endless_number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")]
#[case::another_type(b"\x08\x01\x10\x02")]
fn bytes_that_are_not_a_message_are_refused(#[case] body: &[u8]) {
    let arena = Arena::start(&[]);
    let answer = send(arena.public, REGISTER, "", "application/proto", body);
    assert_eq!((answer.status, answer.refusal().0), (400, "BAD_MESSAGE".to_owned()));
    call(arena.public, REGISTER, "", &json!({"owner": "ann", "name": "bot"}));
    assert_plain(&arena, &[]);
}

#[tokio::test]
async fn no_token_no_secret_and_no_nonce_is_ever_logged() {
    let arena = Arena::start(&["--log", "trace"]);
    let (one, two) =
        (ScriptedBot::new(&arena, "one/bot").await, ScriptedBot::new(&arena, "two/bot").await);
    let events = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    let received =
        tokio::join!(first_match(&one, events.0, well), first_match(&two, events.1, well)).0;
    let secret = received.reveal.unwrap().secret;
    let wrong = format!("azb_aaaaaaaa_{}", "b".repeat(32));
    assert_eq!(ask(arena.public, "PlayService/Heartbeat", &wrong, &json!({})).status, 401);
    let mut hidden = vec![arena.organiser(), wrong];
    for player in [&one, &two] {
        hidden.extend([player.token.clone(), player.owner_token.clone()]);
    }
    for bytes in [&secret[..], &NONCE] {
        let hex = Bytes32(bytes.try_into().unwrap()).to_string();
        let numbers = format!("{:?}", &bytes[..8]);
        let numbers = numbers.trim_matches(['[', ']']).to_owned();
        hidden.extend([hex.to_uppercase(), hex, BASE64_STANDARD.encode(bytes), numbers]);
    }
    hidden.push(String::from_utf8(NONCE.to_vec()).unwrap());
    let log = arena.log();
    assert!(log.len() > 10_000, "the log level is trace: {}", log.len());
    for text in hidden {
        let line = log.lines().find(|line| line.contains(&text));
        assert!(line.is_none(), "{text} is in the log: {line:?}");
    }
    let sealed: Vec<_> = log.lines().filter(|line| line.contains("Bearer")).collect();
    assert!(sealed.is_empty(), "{sealed:?}");
}

/// The log contains none of the raw texts, and the arena is healthy.
#[track_caller]
fn assert_plain(arena: &Arena, texts: &[String]) {
    let log = arena.log();
    assert!(log.is_ascii(), "{log}");
    assert!(!log.contains("panic"), "{log}");
    for text in texts.iter().filter(|text| text.len() > 3) {
        assert!(!log.contains(&**text), "{text}: {log}");
    }
    call(arena.public, "LadderService/ListPools", "", &json!({}));
}

/// Invalid messages of a bot in the middle of its match.
fn garbage(token: &str, turn: &pb::Turn) -> Vec<(&'static str, Vec<u8>)> {
    let id = &turn.match_id;
    let json = |value: Value| value.to_string().into_bytes();
    let noise: Vec<u8> =
        (0..500_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let short = BASE64_STANDARD.encode(&NONCE[..31]);
    vec![
        ("PlayService/SubmitMove", noise.clone()),
        ("PlayService/Ready", noise),
        ("PlayService/SubmitMove", b"{\"matchId\":".to_vec()),
        ("PlayService/SubmitMove", json(json!({"matchId": id, "move_number": 1}))),
        ("PlayService/SubmitMove", json(json!({"matchId": id, "turn": turn.turn}))),
        ("PlayService/SubmitMove", json(json!({"matchId": id, "turn": 4_294_967_296_u64}))),
        ("PlayService/SubmitMove", json(json!({"matchId": id, "turn": -1}))),
        ("PlayService/SubmitMove", json(json!({"matchId": token, "turn": 0, "actionId": 1}))),
        ("PlayService/SubmitMove", json(json!({"matchId": "", "turn": 0, "actionId": 1}))),
        ("PlayService/SubmitMove", json(json!({"matchId": "aaaaaaaaaaaaaaaa", "actionId": 1}))),
        ("PlayService/SubmitMove", json(json!({"matchId": id, "turn": u32::MAX, "actionId": 1}))),
        ("PlayService/Ready", json(json!({"matchId": id, "nonce": short}))),
        ("PlayService/Ready", json(json!({"matchId": id, "nonce": "AAAA"}))),
        ("PlayService/NextEvents", json(json!({"session": "no session"}))),
        ("PlayService/NextEvents", json(json!({"hello": {"version": ""}}))),
        (
            "PlayService/NextEvents",
            json(json!({"hello": {"version": "1", "offer": {"maxConcurrentMatches": 9}}})),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_is_refused_and_the_match_continues() {
    let arena = Arena::start(&[]);
    let (good, bad) =
        (ScriptedBot::new(&arena, "good/bot").await, ScriptedBot::new(&arena, "bad/bot").await);
    let good_events = good.open(offer(2, pb::TimeClass::Blitz)).await;
    let bad_events = bad.open(offer(2, pb::TimeClass::Blitz)).await;
    let mut sent = 0;
    let address = arena.public;
    let litters = async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.turn < 8 {
            for (method, body) in garbage(&player.token, turn) {
                let token = player.token.clone();
                let text = String::from_utf8_lossy(&body).into_owned();
                let answer = move || send(address, method, &token, "application/json", &body);
                let answer = tokio::task::spawn_blocking(answer).await.unwrap();
                let (reason, _) = answer.refusal();
                assert!((400..500).contains(&answer.status), "{reason}: {method} {text}");
                sent += 1;
            }
        }
        well(player, turn).await;
    };
    let (received, ended) =
        tokio::join!(first_match(&good, good_events, well), first_match(&bad, bad_events, litters));
    assert!(sent > 30, "{sent}");
    let seen =
        [(&good, &received, pb::EndReason::Finished), (&bad, &ended, pb::EndReason::Finished)];
    crate::results::assert_rated(&seen).await;
    assert_plain(&arena, &[]);
}
