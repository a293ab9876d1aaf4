//! A bot that uses only HTTP and JSON.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::play_event::Event;
use serde_json::{Value, json};

use crate::arena::Arena;
use crate::http::{ask, call};
use crate::results::find;
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, legal, well};

/// The events of the polling bot, in short.
#[derive(Default, Debug)]
struct Announced {
    ended: Vec<Value>,
    last: u64,
}

/// Plays until this many matches have ended. Every call uses a new connection.
fn poll(address: SocketAddr, token: &str, matches: usize) -> Announced {
    let rules = json!({"azul": {"version": 1, "side": "BOARD_SIDE_COLORED", "players": 2}});
    let offer = json!({"rulesets": [rules], "timeClasses": ["TIME_CLASS_BLITZ"], "maxConcurrentMatches": 1});
    let hello = json!({"hello": {"version": "1", "offer": offer, "sdk": "curl"}});
    let mut answer = call(address, "PlayService/NextEvents", token, &hello);
    assert!(answer["events"][0]["snapshot"].is_object(), "a snapshot is first: {answer}");
    let mut heard = Announced::default();
    let begun = Instant::now();
    while heard.ended.len() < matches {
        assert!(begun.elapsed() < Duration::from_mins(1), "{heard:?}");
        for event in answer["events"].as_array().into_iter().flatten() {
            take(address, token, event, &mut heard);
        }
        let message =
            json!({"session": answer["session"], "afterSeq": heard.last, "maxWait": "2s"});
        answer = call(address, "PlayService/NextEvents", token, &message);
    }
    heard
}

fn take(address: SocketAddr, token: &str, event: &Value, heard: &mut Announced) {
    // 64-bit numbers are strings in JSON.
    let seq: u64 = event["seq"].as_str().unwrap().parse().unwrap();
    assert_eq!(seq, heard.last + 1, "in order, each once");
    heard.last = seq;
    if let Some(starting) = event.get("matchStarting") {
        let nonce = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
        let message = json!({"matchId": starting["match"]["id"], "nonce": nonce});
        call(address, "PlayService/Ready", token, &message);
    } else if let Some(turn) = event.get("turn") {
        let first = &turn["legalMoves"][0];
        let number = turn.get("turn").cloned().unwrap_or(json!(0));
        let message =
            json!({"matchId": turn["matchId"], "turn": number, "notation": first["notation"]});
        call(address, "PlayService/SubmitMove", token, &message);
    } else if let Some(ended) = event.get("matchEnded") {
        heard.ended.push(ended.clone());
    } else if let Some(ping) = event.get("ping") {
        let message = json!({"ping": ping["number"]});
        call(address, "PlayService/Heartbeat", token, &message);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_can_play_rated_matches_by_polling_with_json_alone() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let (address, new) = (arena.public, json!({"owner": "poller", "name": "bot"}));
    let registered = call(address, "BotsService/RegisterBot", "", &new);
    let token = registered["token"].as_str().unwrap().to_owned();
    let poller = tokio::task::spawn_blocking(move || poll(address, &token, 2));
    for _ in 0..2 {
        let events = good.open(offer(2, Blitz)).await;
        first_match(&good, events, well).await;
    }
    let heard = poller.await.unwrap();
    for ended in &heard.ended {
        let received = &ended["match"];
        assert_eq!(
            (&received["rated"], &received["status"]),
            (&json!(true), &json!("MATCH_STATUS_ENDED"))
        );
        let seats = received["result"]["seats"].as_array().unwrap();
        assert!(seats.iter().all(|seat| seat["endReason"] == "END_REASON_FINISHED"), "{received}");
        let stored = find(&good.channel, received["id"].as_str().unwrap()).await;
        assert_eq!((stored.rated, stored.status()), (true, pb::MatchStatus::Ended));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_poll_session_replaces_the_older_one() {
    let arena = Arena::start(&[]);
    let bot = ScriptedBot::new(&arena, "poller/bot").await;
    let hello = json!({"hello": {"version": "1", "offer": {"maxConcurrentMatches": 1}}});
    let older = call(arena.public, "PlayService/NextEvents", &bot.token, &hello);
    let newer = call(arena.public, "PlayService/NextEvents", &bot.token, &hello);
    // The snapshot and the first ping.
    let go_on = |session: &Value| json!({"session": session, "afterSeq": 2, "maxWait": "0.1s"});
    let refused =
        ask(arena.public, "PlayService/NextEvents", &bot.token, &go_on(&older["session"]));
    assert_eq!((refused.status, refused.refusal().0), (409, "REPLACED".to_owned()));
    let quiet = call(arena.public, "PlayService/NextEvents", &bot.token, &go_on(&newer["session"]));
    assert_eq!(quiet["session"], newer["session"]);
    assert_eq!(quiet["events"], json!([]), "nothing happened");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_session_ends_with_a_restart_and_a_new_one_replaces_it() {
    let mut arena = Arena::start(&[]);
    let bot = ScriptedBot::new(&arena, "poller/bot").await;
    let hello = json!({"hello": {"version": "1", "offer": {"maxConcurrentMatches": 1}}});
    let before = call(arena.public, "PlayService/NextEvents", &bot.token, &hello);
    arena.restart();
    let go_on = json!({"session": before["session"], "afterSeq": 1, "maxWait": "0.1s"});
    let refused = ask(arena.public, "PlayService/NextEvents", &bot.token, &go_on);
    assert_eq!((refused.status, refused.refusal().0), (409, "SESSION_ENDED".to_owned()));
    let after = call(arena.public, "PlayService/NextEvents", &bot.token, &hello);
    assert_ne!(after["session"], before["session"]);
}

#[test]
fn a_bot_that_polls_learns_once_that_the_server_is_going_away() {
    let mut arena = Arena::start(&["--drain", "3000"]);
    let address = arena.public;
    let new = json!({"owner": "poller", "name": "bot"});
    let registered = call(address, "BotsService/RegisterBot", "", &new);
    let token = registered["token"].as_str().unwrap();
    let hello = json!({"hello": {"version": "1", "offer": {}, "sdk": "curl"}});
    let mut answer = call(address, "PlayService/NextEvents", token, &hello);
    arena.begin_stop();
    let (mut calls, mut leaving, began) = (0, 0, Instant::now());
    // Until the drain is nearly over, as a bot polls that acknowledges what it receives.
    while began.elapsed() < Duration::from_secs(2) {
        let events = answer["events"].as_array().cloned().unwrap_or_default();
        leaving += events.iter().filter(|event| event.get("goingAway").is_some()).count();
        let seen = events.iter().filter_map(|event| event["seq"].as_str()?.parse::<u64>().ok());
        let seen = seen.max().unwrap_or_default();
        let next = json!({"session": answer["session"], "afterSeq": seen, "maxWait": "0.5s"});
        answer = call(address, "PlayService/NextEvents", token, &next);
        calls += 1;
    }
    assert_eq!(leaving, 1);
    assert!(calls <= 12, "{calls} calls: it must wait for its next event");
    arena.stop();
}

/// A bot that polls once per call.
struct Peeker {
    bot: ScriptedBot,
    address: SocketAddr,
    answer: Value,
    last: u64,
}

impl Peeker {
    async fn open(arena: &Arena) -> Self {
        let bot = ScriptedBot::new(arena, "peeker/bot").await;
        let rules = json!({"azul": {"version": 1, "side": "BOARD_SIDE_COLORED", "players": 2}});
        let offer = json!({"rulesets": [rules], "timeClasses": ["TIME_CLASS_RAPID"], "maxConcurrentMatches": 1});
        let hello = json!({"hello": {"version": "1", "offer": offer}});
        let answer = call(arena.public, "PlayService/NextEvents", &bot.token, &hello);
        Self { bot, address: arena.public, answer, last: 0 }
    }

    /// Plays the turns that it has fetched, and fetches more.
    async fn plays(&mut self, id: &str) {
        for event in self.answer["events"].as_array().into_iter().flatten() {
            self.last = event["seq"].as_str().unwrap().parse().unwrap();
            let Some(due) = event.get("turn") else { continue };
            let turn = due["turn"].as_u64().unwrap_or_default();
            let fetched = Instant::now();
            while u64::from(find(&self.bot.channel, id).await.turns) != turn {
                assert!(fetched.elapsed() < Duration::from_secs(5), "it is public: its clock runs");
            }
            let notation = &due["legalMoves"][0]["notation"];
            let message = json!({"matchId": id, "turn": turn, "notation": notation});
            call(self.address, "PlayService/SubmitMove", &self.bot.token, &message);
        }
        let session = &self.answer["session"];
        let message = json!({"session": session, "afterSeq": self.last, "maxWait": "0.1s"});
        self.answer = call(self.address, "PlayService/NextEvents", &self.bot.token, &message);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_polling_bot_sees_no_position_before_it_fetches_the_turn() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let mut events = good.open(offer(2, pb::TimeClass::Rapid)).await;
    let mut peeker = Peeker::open(&arena).await;
    let (mut id, mut peeked, begun) = (String::new(), 0, Instant::now());
    while peeked < 3 {
        assert!(begun.elapsed() < Duration::from_mins(1), "peeked {peeked} times");
        peeker.plays(&id).await;
        // Between its polls the other bot moves.
        let Ok(event) = tokio::time::timeout(Duration::from_millis(100), events.next()).await
        else {
            continue;
        };
        match event.unwrap().1 {
            Event::MatchStarting(starting) => {
                id = starting.r#match.unwrap().id;
                good.ready(&id).await.unwrap();
                peeker.bot.ready(&id).await.unwrap();
            }
            Event::Turn(turn) => {
                let submitted = Instant::now();
                good.submit(&id, turn.turn, legal(&turn)).await.unwrap();
                let shown = find(&good.channel, &id).await.turns;
                // It waits for 250 ms to be fetched.
                if submitted.elapsed() < Duration::from_millis(200) {
                    assert_eq!(shown, turn.turn, "the peeker has not fetched the next turn");
                    peeked += 1;
                }
            }
            Event::Ping(pb::Ping { number }) => drop(good.beat(number, &[]).await),
            _ => {}
        }
    }
}
