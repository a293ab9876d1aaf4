//! The stream of a bot over plain HTTP, against a whole arena.

use azulejo_tests::process::{ANY_PORTS, azulejo};
use azulejo_tests::waiting::{PATIENCE, until};
use serde_json::{Value, json};

use crate::http_stream::HttpStream;
use crate::http1;
use crate::http2::framed;
use crate::process::Server;

const PLAY: &str = "/azulejo.arena.v1.PlayService/Play";
const LINES: &str = "application/json";
const ENVELOPES: &str = "application/connect+json";
const HELLO: &[u8] = b"{\"hello\":{\"version\":\"1\"}}";

/// An arena in memory, and the credentials of a bot.
struct Arena {
    server: Server,
    authorization: String,
}

impl Arena {
    fn start() -> Self {
        let arguments = [&["serve", "--store", "memory"], &ANY_PORTS[..]].concat();
        let server = Server::of(azulejo(&arguments));
        let register = "/azulejo.arena.v1.BotsService/RegisterBot";
        let bot = json!({"owner": "ann", "name": "bot"}).to_string();
        let headers = [("content-type", LINES)];
        let bot = http1::request(server.public, "POST", register, &headers, bot.as_bytes()).json();
        let token = bot["token"].as_str().unwrap_or_else(|| panic!("{bot}"));
        Self { authorization: format!("Bearer {token}"), server }
    }

    fn play(&self, content: &str, more: &[(&str, &str)]) -> HttpStream {
        let body = if content == LINES { HELLO.to_vec() } else { framed(0, HELLO).to_vec() };
        let headers = [("content-type", content), ("authorization", &*self.authorization)];
        HttpStream::post(self.server.public, PLAY, &[&headers, more].concat(), &body)
    }

    fn active_calls(&self) -> String {
        let metrics = http1::get(self.server.admin, "/metrics").text();
        let mut lines = metrics.lines();
        let line = lines.find_map(|line| line.strip_prefix("azulejo_server_active_calls "));
        line.unwrap().to_owned()
    }
}

#[track_caller]
fn assert_ended(end: &Value, code: &str, reason: &str) {
    assert_eq!(end["error"]["code"], code, "{end}");
    let details = end["error"]["details"].as_array().unwrap();
    assert!(details.iter().any(|detail| detail["debug"]["reason"] == reason), "{end}");
}

#[test]
fn the_events_of_a_bot_are_lines_until_its_time_limit() {
    let arena = Arena::start();
    let mut stream = arena.play(LINES, &[("connect-timeout-ms", "700")]);
    assert_eq!((stream.status, &*stream.content), (200, "application/x-ndjson"));
    let first = stream.line().unwrap();
    assert!(first["event"]["snapshot"].is_object(), "{first}");
    let last = std::iter::from_fn(|| stream.line()).last().unwrap();
    assert_ended(&last, "deadline_exceeded", "DEADLINE_EXCEEDED");
}

#[test]
fn the_events_of_a_bot_are_envelopes_until_the_server_stops() {
    let arena = Arena::start();
    let mut stream = arena.play(ENVELOPES, &[]);
    assert_eq!((stream.status, &*stream.content), (200, "application/connect+json"));
    let (flags, first) = stream.envelope().unwrap();
    assert_eq!(flags, 0);
    assert!(first["event"]["snapshot"].is_object(), "{first}");
    arena.server.terminate();
    let all: Vec<_> = std::iter::from_fn(|| stream.envelope()).collect();
    let (flags, end) = all.last().unwrap();
    assert_eq!(*flags, 2, "{all:?}");
    assert!(all.iter().rev().skip(1).all(|(flags, _)| *flags == 0), "{all:?}");
    if end["error"] != Value::Null {
        assert_ended(end, "unavailable", "GOING_AWAY");
    }
}

#[test]
fn a_stream_holds_a_place_until_its_reader_is_gone() {
    let arena = Arena::start();
    for content in [LINES, ENVELOPES] {
        let stream = arena.play(content, &[]);
        assert_eq!(arena.active_calls(), "1");
        drop(stream);
        until("the place is free", PATIENCE, || (arena.active_calls() == "0").then_some(()));
    }
}

#[test]
fn without_a_token_the_error_is_that_of_a_unary_call_or_the_end_envelope() {
    let arena = Arena::start();
    let public = arena.server.public;
    let answer = http1::request(public, "POST", PLAY, &[("content-type", LINES)], HELLO);
    answer.assert_refused(401, "unauthenticated", "NO_TOKEN");
    let headers = [("content-type", ENVELOPES)];
    let mut stream = HttpStream::post(public, PLAY, &headers, &framed(0, HELLO));
    assert_eq!(stream.status, 200);
    let (flags, end) = stream.envelope().unwrap();
    assert_eq!(flags, 2);
    assert_ended(&end, "unauthenticated", "NO_TOKEN");
}
