//! Deadlines of the caller and of the server.

use std::time::{Duration, Instant};

use azulejo_tests::waiting::until_async;
use prost::Message as _;
use rstest::rstest;
use tonic::Code;

use crate::grpc::{OpenStream, assert_refused, channel, engine, refusal, with};
use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::overload::Overload;
use crate::process::Server;
use crate::requests::{assert_well, dealt, long_work, path, pavilion, short_work};

/// A deadline of milliseconds was kept, with some tolerance for a busy machine.
#[track_caller]
fn assert_soon(begun: Instant) {
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

#[rstest]
#[case("50m")]
#[case("50000u")]
#[case("1m")]
#[case("1n")]
#[case("0S")]
#[tokio::test(flavor = "multi_thread")]
async fn work_that_takes_longer_than_the_caller_allows_ends_with_that_reason(
    #[case] timeout: &str,
) {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    for _ in 0..30 {
        let begun = Instant::now();
        // A caller without its own timer: the error is the one that the server sends.
        let headers = [GRPC, ("grpc-timeout", timeout)];
        let frame = framed(0, &long_work(&state).encode_to_vec());
        let answer = http2::call(server.public, &path("Playouts"), &headers, frame).await;
        answer.assert_refused(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
        assert_soon(begun);
    }
}

#[rstest]
#[case::without_a_timeout(None)]
#[case::with_a_longer_one(Some("5S"))]
#[case::with_one_that_cannot_be_read(Some("soon"))]
#[tokio::test(flavor = "multi_thread")]
async fn the_servers_cap_holds_for_every_caller(#[case] timeout: Option<&str>) {
    let server = Server::start(&["--call-timeout", "100"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    let begun = Instant::now();
    let mut request = tonic::Request::new(long_work(&state));
    if let Some(timeout) = timeout {
        request = with(long_work(&state), "grpc-timeout", timeout);
    }
    let answer = one.playouts(request).await;
    assert_refused(answer, Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    assert!(begun.elapsed() >= Duration::from_millis(80), "{:?}", begun.elapsed());
    assert_soon(begun);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_callers_time_is_up() {
    let server = Server::start(&[]);
    let begun = Instant::now();
    let stream = OpenStream::open(channel(server.url()).await, Some("300m")).await.unwrap();
    let status = stream.end().await.unwrap_err();
    assert_eq!(refusal(&status), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned()));
    assert!(begun.elapsed() >= Duration::from_millis(250), "{:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_may_go_on_for_longer_than_the_servers_cap() {
    let server = Server::start(&["--call-timeout", "100"]);
    let stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    let end = tokio::time::timeout(Duration::from_millis(500), stream.end()).await;
    assert!(end.is_err(), "it ended: {end:?}");
}

#[test]
fn the_timeout_of_the_connect_protocol_is_kept() {
    let server = Server::start(&[]);
    let new = br#"{"ruleset":{"summerPavilion":{"side":"BOARD_SIDE_COLORED","players":4}},
        "seed":{"number":"7"}}"#;
    let state = http1::call(server.public, "NewGame", new).json()["state"].clone();
    let work = serde_json::json!({ "state": state, "games": 10_000, "seed": { "number": "1" } });
    let work = work.to_string();
    let sent = |timeout| {
        let headers = [("content-type", "application/json"), ("connect-timeout-ms", timeout)];
        http1::request(server.public, "POST", path("Playouts"), &headers, work.as_bytes())
    };
    let begun = Instant::now();
    sent("50").assert_refused(504, "deadline_exceeded", "DEADLINE_EXCEEDED");
    assert_soon(begun);
    for wrong in ["", "soon", "-1", "12345678901"] {
        sent(wrong).assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_work_of_disconnected_callers_stops() {
    let server = Server::start(&["--workers", "2", "--call-timeout", "60000"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    for _ in 0..10 {
        let overload = Overload::fill(&one, &state, 2).await;
        drop(overload);
        until_async("the pool is free again", Duration::from_secs(1), async || {
            one.clone().expand(short_work(&state)).await.ok()
        })
        .await;
    }
    assert_well(&mut one).await;
}
