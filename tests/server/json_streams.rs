//! Server streams over plain HTTP: one JSON message per line, and Connect envelopes with JSON.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use rstest::rstest;
use serde_json::json;

use crate::http_stream::HttpStream;
use crate::http1;
use crate::http2::framed;
use crate::process::Server;

const WATCH: &str = "/grpc.health.v1.Health/Watch";
const REFLECTION: &str = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const LINES: (&str, &str) = ("content-type", "application/json");
const ENVELOPES: (&str, &str) = ("content-type", "application/connect+json");

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn each_message_is_a_line_as_soon_as_it_happens() {
    let server = Server::start(&[]);
    let mut stream = HttpStream::post(server.public, WATCH, &[LINES], b"{\"service\":\"ready\"}");
    assert_eq!((stream.status, &*stream.content), (200, "application/x-ndjson"));
    assert_eq!(stream.line(), Some(json!({"status": "SERVING"})));
    server.terminate();
    assert_eq!(stream.line(), Some(json!({"status": "NOT_SERVING"})));
    assert_eq!(stream.line(), None);
}

#[test]
fn each_message_is_an_envelope_and_the_last_envelope_is_the_end() {
    let server = Server::start(&[]);
    let body = framed(0, b"{\"service\":\"ready\"}");
    let mut stream = HttpStream::post(server.public, WATCH, &[ENVELOPES], &body);
    assert_eq!((stream.status, &*stream.content), (200, "application/connect+json"));
    assert_eq!(stream.envelope(), Some((0, json!({"status": "SERVING"}))));
    server.terminate();
    assert_eq!(stream.envelope(), Some((0, json!({"status": "NOT_SERVING"}))));
    assert_eq!(stream.envelope(), Some((2, json!({}))));
    assert_eq!(stream.envelope(), None);
}

#[test]
fn the_request_may_be_compressed() {
    let server = Server::start(&[]);
    let packed = gzip(b"{\"service\":\"live\"}");
    let headers = [ENVELOPES, ("connect-content-encoding", "gzip")];
    let mut stream = HttpStream::post(server.public, WATCH, &headers, &framed(1, &packed));
    assert_eq!(stream.envelope(), Some((0, json!({"status": "SERVING"}))));
    let headers = [LINES, ("content-encoding", "gzip")];
    let mut stream = HttpStream::post(server.public, WATCH, &headers, &packed);
    assert_eq!(stream.line(), Some(json!({"status": "SERVING"})));
}

/// `curl -X POST` without a body works where an empty message does.
#[test]
fn no_body_at_all_is_an_empty_message() {
    let server = Server::start(&[]);
    let mut stream = HttpStream::post(server.public, WATCH, &[LINES], b"");
    assert_eq!(stream.line(), Some(json!({"status": "SERVING"})));
}

#[test]
fn a_stream_that_is_refused_has_the_http_status_of_its_error() {
    let server = Server::start(&[]);
    let answer = http1::request(server.public, "POST", WATCH, &[LINES], b"{\"service\":\"no\"}");
    assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("not_found")));
    let answer = http1::request(server.public, "POST", WATCH, &[LINES], b"{\"name\":\"no\"}");
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    let violations = &answer.json()["details"][1]["debug"]["fieldViolations"];
    assert_eq!(violations[0]["field"], "name");
}

#[rstest]
#[case::by_the_service(framed(0, b"{\"service\":\"no\"}"), "not_found")]
#[case::an_unknown_field(framed(0, b"{\"name\":\"no\"}"), "invalid_argument")]
#[case::no_envelope("{}", "invalid_argument")]
#[case::no_body("", "invalid_argument")]
#[case::two_messages([framed(0, b"{}"), framed(0, b"{}")].concat(), "invalid_argument")]
#[case::too_large(framed(0, &[b' '; 2001]), "resource_exhausted")]
#[case::far_too_large(vec![0; 20_000], "resource_exhausted")]
#[case::too_large_after_decompression(framed(1, &gzip(&[b' '; 2001])), "resource_exhausted")]
fn a_refused_stream_of_envelopes_has_the_end_only(
    #[case] body: impl AsRef<[u8]>,
    #[case] code: &str,
) {
    let server = Server::start(&["--max-request-bytes", "2000"]);
    let headers = [ENVELOPES, ("connect-content-encoding", "gzip")];
    let mut stream = HttpStream::post(server.public, WATCH, &headers, body.as_ref());
    assert_eq!((stream.status, &*stream.content), (200, "application/connect+json"));
    let (flags, end) = stream.envelope().unwrap();
    assert_eq!((flags, &end["error"]["code"]), (2, &json!(code)), "{end}");
    assert_eq!(stream.envelope(), None);
}

#[test]
fn a_body_that_does_not_arrive_is_not_waited_for_longer_than_for_a_call() {
    let server = Server::start(&["--call-timeout", "300", "--max-calls", "1"]);
    let mut stream = HttpStream::post_without_body(server.public, WATCH, &[LINES]);
    assert_eq!(stream.status, 504);
    assert_eq!(stream.line().unwrap()["code"], "deadline_exceeded");
    let mut stream = HttpStream::post_without_body(server.public, WATCH, &[ENVELOPES]);
    assert_eq!(stream.envelope().unwrap().1["error"]["code"], "deadline_exceeded");
}

#[test]
fn other_ways_to_call_a_stream_are_refused_with_those_that_work() {
    let server = Server::start(&[]);
    for (verb, path, content) in [
        ("POST", WATCH, "application/proto"),
        ("POST", WATCH, "application/x-www-form-urlencoded"),
        ("GET", WATCH, "application/json"),
        ("POST", REFLECTION, "application/json"),
        ("POST", REFLECTION, "application/connect+json"),
    ] {
        let headers = [("content-type", content)];
        let answer = http1::request(server.public, verb, path, &headers, b"");
        answer.assert_refused(501, "unimplemented", "STREAM_ONLY");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        let is_one_way = path == WATCH;
        assert_eq!(message.contains("application/json"), is_one_way, "{message}");
        assert!(message.contains("application/connect+proto"), "{message}");
    }
}
