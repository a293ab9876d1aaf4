//! Callers that send a byte now and then have deadlines too.

use std::io::Write as _;
use std::time::{Duration, Instant};

use azulejo_tests::waiting::{PATIENCE, soon};
use bytes::Bytes;
use tonic::Code;

use crate::grpc::engine;
use crate::http1;
use crate::http2::{self, GRPC};
use crate::process::Server;
use crate::requests::{assert_well, path};

const CAP: &str = "300";
const PAUSE: Duration = Duration::from_millis(20);
/// Pauses until the test gives up.
const PAUSES: usize = 500;

#[track_caller]
fn assert_capped(begun: Instant) {
    assert!(begun.elapsed() >= Duration::from_millis(250), "{:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// Sends a byte now and then until the server answers.
async fn trickle(server: &Server, headers: http2::Headers<'_>) -> http2::Answer {
    let client = http2::connect(server.public).await;
    let (answer, mut send) = http2::begin(&client, &path("Replay"), headers).await.unwrap();
    let trickle = tokio::spawn(async move {
        // A frame of a thousand bytes that is never complete.
        let mut next = Bytes::from_static(&[0, 0, 0, 3, 0xe8]);
        for _ in 0..PAUSES {
            if send.send_data(next, false).is_err() {
                return;
            }
            next = Bytes::from_static(b" ");
            tokio::time::sleep(PAUSE).await;
        }
    });
    let answer = soon("an answer", http2::finish(answer)).await.unwrap();
    trickle.abort();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_sender_by_grpc_is_ended_by_the_call_timeout() {
    let server = Server::start(&["--call-timeout", CAP]);
    let begun = Instant::now();
    let answer = trickle(&server, &[GRPC]).await;
    answer.assert_refused(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    assert_capped(begun);
    assert_well(&mut engine(&server).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_sender_of_json_by_http_2_is_ended_by_the_call_timeout() {
    let server = Server::start(&["--call-timeout", CAP]);
    let begun = Instant::now();
    let answer = trickle(&server, &[("content-type", "application/json")]).await;
    assert_eq!(answer.http, 504, "{answer:?}");
    let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(body["code"], "deadline_exceeded");
    assert_capped(begun);
    assert_well(&mut engine(&server).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_sender_of_json_is_ended_by_its_own_timeout() {
    let server = Server::start(&[]);
    let begun = Instant::now();
    let headers = [("content-type", "application/json"), ("connect-timeout-ms", CAP)];
    let answer = trickle(&server, &headers).await;
    assert_eq!(answer.http, 504, "{answer:?}");
    assert_capped(begun);
    assert_well(&mut engine(&server).await).await;
}

#[test]
fn a_slow_sender_by_http_1_is_ended_by_the_call_timeout() {
    let server = Server::start(&["--call-timeout", CAP]);
    let begun = Instant::now();
    let mut stream = http1::open(server.public);
    let target = path("Replay");
    let head = format!(
        "POST {target} HTTP/1.1\r\nhost: azulejo.test\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let trickle = std::thread::spawn(move || {
        for _ in 0..PAUSES {
            if writer.write_all(b" ").is_err() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    });
    let answer = http1::parse(&http1::read(&mut stream));
    answer.assert_refused(504, "deadline_exceeded", "DEADLINE_EXCEEDED");
    assert_capped(begun);
    drop(stream);
    trickle.join().unwrap();
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
}

#[test]
fn a_connection_whose_headers_never_end_is_closed() {
    let server = Server::start(&["--call-timeout", CAP]);
    let mut stream = http1::open(server.public);
    stream.set_read_timeout(Some(PATIENCE * 2)).unwrap();
    let target = path("Replay");
    stream.write_all(format!("POST {target} HTTP/1.1\r\nhost: a").as_bytes()).unwrap();
    // With or without a response, but closed.
    http1::read(&mut stream);
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
}
