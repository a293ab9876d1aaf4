//! Requests that are too large are refused, and cost the server almost no memory.

use std::io::Write as _;

use azulejo_wire::engine::v1 as pb;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use tonic::Code;

use crate::grpc::{assert_refused, engine};
use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::requests::{assert_well, azul, dealt, first_move, path};

const BOMB: usize = 64 << 20;
/// How much memory the server may use while it refuses bombs, in MiB: less than one bomb takes.
const GROWTH: u64 = 48;
const BOMBS: usize = 30;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn replay(length: usize) -> pb::ReplayRequest {
    pb::ReplayRequest { record: "x".repeat(length) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_by_grpc_may_have_as_many_bytes_as_the_flag_says_and_not_one_more() {
    let server = Server::start(&["--max-request-bytes", "2000"]);
    let mut one = engine(&server).await;
    // The field has a tag of one byte and a length of two.
    assert_refused(one.replay(replay(1997)).await, Code::InvalidArgument, "BAD_RECORD");
    assert_refused(one.replay(replay(1998)).await, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    assert_refused(one.replay(replay(1 << 20)).await, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    assert_refused(one.replay(replay(1997)).await, Code::InvalidArgument, "BAD_RECORD");
}

#[test]
fn a_request_by_plain_http_may_have_as_many_bytes_as_the_flag_says_and_not_one_more() {
    let server = Server::start(&["--max-request-bytes", "2000"]);
    let record = |length: usize| format!("{{\"record\":\"{}\"}}", "x".repeat(length - 13));
    let sent = |length| http1::call(server.public, "Replay", record(length).as_bytes());
    sent(2000).assert_refused(400, "invalid_argument", "BAD_RECORD");
    sent(2001).assert_refused(429, "resource_exhausted", "MESSAGE_TOO_LARGE");
    sent(20_000).assert_refused(429, "resource_exhausted", "MESSAGE_TOO_LARGE");
    sent(2000).assert_refused(400, "invalid_argument", "BAD_RECORD");
}

#[test]
fn a_far_too_large_request_by_plain_http_is_refused_with_its_reason() {
    let server = Server::start(&[]);
    let body = vec![b' '; 16 << 20];
    for _ in 0..5 {
        let answer = http1::call(server.public, "Replay", &body);
        answer.assert_refused(429, "resource_exhausted", "MESSAGE_TOO_LARGE");
    }
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compression_bomb_by_grpc_is_refused_before_it_is_expanded() {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    assert_well(&mut one).await;
    let before = server.memory();
    let bomb = gzip(&vec![0; BOMB]);
    assert!(bomb.len() < 1 << 20, "it must look harmless");
    let headers = [GRPC, ("grpc-encoding", "gzip")];
    for _ in 0..BOMBS {
        let frame = framed(1, &bomb);
        let answer = http2::call(server.public, &path("Replay"), &headers, frame).await;
        answer.assert_refused(Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown <= GROWTH, "{grown} MiB");
    assert_well(&mut one).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_valid_compressed_request_is_accepted() {
    let server = Server::start(&[]);
    let message = prost::Message::encode_to_vec(&crate::requests::new_game(azul(2), 7));
    let headers = [GRPC, ("grpc-encoding", "gzip")];
    let method = path("NewGame");
    let small = framed(1, &gzip(&message));
    let small = http2::call(server.public, &method, &headers, small).await;
    let plain = http2::call(server.public, &method, &[GRPC], framed(0, &message)).await;
    assert_eq!(small.message(), plain.message());
}

#[test]
fn a_compression_bomb_by_plain_http_is_refused_before_it_is_expanded() {
    let server = Server::start(&[]);
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
    let before = server.memory();
    let bomb = gzip(&vec![b' '; BOMB]);
    let headers = [("content-type", "application/json"), ("content-encoding", "gzip")];
    for _ in 0..BOMBS {
        let answer = http1::request(server.public, "POST", path("Replay"), &headers, &bomb);
        answer.assert_refused(429, "resource_exhausted", "MESSAGE_TOO_LARGE");
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown <= GROWTH, "{grown} MiB");
    let small = http1::request(server.public, "POST", path("ListRulesets"), &headers, &gzip(b"{}"));
    assert_eq!(small.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_over_16_kib_are_refused_by_http_2() {
    let server = Server::start(&[]);
    let sent = async |length: usize| {
        let long = "x".repeat(length);
        let headers = [GRPC, ("x-long", long.as_str())];
        let empty = framed(0, b"");
        http2::call(server.public, &path("ListRulesets"), &headers, empty).await
    };
    assert_eq!(sent(15 << 10).await.status().code(), Code::Ok);
    assert_eq!(sent(17 << 10).await.http, 431);
    assert_eq!(sent(15 << 10).await.status().code(), Code::Ok);
}

#[test]
fn headers_over_16_kib_are_refused_by_http_1() {
    let server = Server::start(&[]);
    let sent = |length: usize| {
        let long = "x".repeat(length);
        let headers = [("content-type", "application/json"), ("x-long", long.as_str())];
        http1::request(server.public, "POST", path("ListRulesets"), &headers, b"{}").status
    };
    assert_eq!(sent(15 << 10), 200);
    assert_eq!(sent(17 << 10), 431);
    assert_eq!(sent(1 << 20), 431);
    assert_eq!(sent(15 << 10), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_has_at_most_1024_requests() {
    let server = Server::start(&["--max-request-bytes", "4194304"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, azul(2)).await;
    let request = first_move(&mut one, &state).await;
    let batch = |number| pb::BatchApplyRequest { requests: vec![request.clone(); number] };
    assert_eq!(one.batch_apply(batch(1024)).await.unwrap().into_inner().results.len(), 1024);
    assert_refused(one.batch_apply(batch(1025)).await, Code::InvalidArgument, "TOO_MANY");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_length_over_the_limit_is_refused_before_memory_is_allocated() {
    let server = Server::start(&[]);
    let before = server.memory();
    for _ in 0..10 {
        let promise = Bytes::from_static(&[0, 0xff, 0xff, 0xff, 0xff]);
        let answer = http2::call(server.public, &path("Replay"), &[GRPC], promise).await;
        answer.assert_refused(Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    }
    assert!(server.memory().saturating_sub(before) <= GROWTH);
}
