//! Bytes that are not HTTP, and frames that are not gRPC.

use std::io::Write as _;

use bytes::Bytes;
use rstest::rstest;
use tonic::Code;

use crate::grpc::engine;
use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::requests::{assert_well, azul, new_game, path};

/// The same server still answers, and it logged no panic.
async fn assert_unharmed(server: &Server) {
    assert_well(&mut engine(server).await).await;
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}

#[rstest]
#[case::random_bytes(&[0x00, 0xff, 0x13, 0x37, 0x0a, 0x0d, 0x80, 0x7f, 0x0a, 0x0a])]
#[case::a_tls_hello(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")]
#[case::another_protocol(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")]
#[case::no_version(b"GET /\r\n\r\n")]
#[case::a_wrong_version(b"GET / HTTP/9.9\r\n\r\n")]
#[case::half_a_preface(b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")]
#[case::two_lengths(b"POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab")]
#[case::a_negative_length(b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n")]
#[case::a_zero_in_a_header(b"GET / HTTP/1.1\r\nx: a\0b\r\n\r\n")]
#[tokio::test(flavor = "multi_thread")]
async fn garbage_ends_only_its_own_connection(#[case] bytes: &[u8]) {
    let server = Server::start(&["--log", "debug"]);
    let mut stream = http1::open(server.public);
    stream.write_all(bytes).unwrap();
    let said = http1::read(&mut stream);
    if said.starts_with(b"HTTP/1.") {
        assert_eq!(http1::parse(&said).status / 100, 4, "{}", String::from_utf8_lossy(&said));
    }
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_send_nothing_do_not_disturb_others() {
    let server = Server::start(&["--log", "debug", "--max-calls", "4"]);
    let silent: Vec<_> = (0..200).map(|_| http1::open(server.public)).collect();
    for _ in 0..20 {
        assert_well(&mut engine(&server).await).await;
    }
    drop(silent);
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_chunk_is_refused() {
    let server = Server::start(&["--log", "debug"]);
    let target = path("NewGame");
    let head = format!(
        "POST {target} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n"
    );
    for body in ["xyz\r\n{}\r\n0\r\n\r\n", "2\r\n{}}}\r\n0\r\n\r\n", "ffffffffffffffffff\r\n"] {
        let mut stream = http1::open(server.public);
        stream.write_all([&head, body].concat().as_bytes()).unwrap();
        let said = http1::read(&mut stream);
        if !said.is_empty() {
            http1::parse(&said).assert_refused(400, "invalid_argument", "BAD_MESSAGE");
        }
    }
    assert_unharmed(&server).await;
}

/// A valid message, to be corrupted.
fn good() -> Vec<u8> {
    prost::Message::encode_to_vec(&new_game(azul(2), 7))
}

#[rstest]
#[case::shorter_than_it_says(&[0, 0, 0, 0, 9, 1, 2])]
#[case::half_a_head(&[0, 0, 0])]
#[case::nothing_at_all(&[])]
#[case::not_a_message(&[0, 0, 0, 0, 3, 0xff, 0xff, 0xff])]
#[case::a_field_cut_off(&[0, 0, 0, 0, 2, 0x0a, 0x7f])]
#[case::compressed_without_an_encoding(&[1, 0, 0, 0, 2, 0x0a, 0x00])]
#[case::an_invalid_flag(&[7, 0, 0, 0, 2, 0x0a, 0x00])]
#[tokio::test(flavor = "multi_thread")]
async fn a_broken_frame_is_a_bad_message(#[case] body: &[u8]) {
    let server = Server::start(&["--log", "debug"]);
    let body = Bytes::copy_from_slice(body);
    let answer = http2::call(server.public, &path("NewGame"), &[GRPC], body).await;
    answer.assert_refused(Code::InvalidArgument, "BAD_MESSAGE");
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_message_of_a_unary_call_is_an_error_of_the_caller() {
    let server = Server::start(&["--log", "debug"]);
    let twice = [framed(0, &good()), framed(0, &good())].concat();
    let answer = http2::call(server.public, &path("NewGame"), &[GRPC], twice.into()).await;
    // Servers may use the first message; they must not fail with an internal error.
    let code = answer.status().code();
    assert!(matches!(code, Code::Ok | Code::InvalidArgument | Code::Unimplemented), "{answer:?}");
    assert_unharmed(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_with_the_wrong_compression_is_an_invalid_argument() {
    let server = Server::start(&["--log", "debug"]);
    let headers = [GRPC, ("grpc-encoding", "gzip")];
    let answer = http2::call(server.public, &path("NewGame"), &headers, framed(1, &good())).await;
    answer.assert_refused(Code::InvalidArgument, "BAD_MESSAGE");
    assert_unharmed(&server).await;
}

#[rstest]
#[case::brotli("br")]
#[case::zstd("zstd")]
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_encoding_is_named(#[case] encoding: &str) {
    let server = Server::start(&["--log", "debug"]);
    let headers = [GRPC, ("grpc-encoding", encoding)];
    let answer = http2::call(server.public, &path("NewGame"), &headers, framed(1, &good())).await;
    answer.assert_refused(Code::Unimplemented, "UNSUPPORTED_ENCODING");
    assert_unharmed(&server).await;
}

#[rstest]
#[case::of_this_service("/azulejo.engine.v1.EngineService/Cheat")]
#[case::of_no_service("/azulejo.engine.v9.EngineService/Apply")]
#[case::of_the_root("/")]
#[case::without_a_service("/Apply")]
#[case::with_a_slash("/azulejo.engine.v1.EngineService/Apply/")]
#[case::in_small_letters("/azulejo.engine.v1.engineservice/apply")]
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_method_is_unimplemented(#[case] path: &str) {
    let server = Server::start(&["--log", "debug"]);
    let answer = http2::call(server.public, path, &[GRPC], framed(0, b"")).await;
    answer.assert_refused(Code::Unimplemented, "UNKNOWN_METHOD");
    assert_unharmed(&server).await;
}
