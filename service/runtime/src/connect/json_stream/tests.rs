use std::time::Duration;

use http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt, Full, StreamBody};
use prost::Message;
use serde_json::{Value, json};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;
use tonic_types::{ErrorDetails, StatusExt};

use super::*;
use crate::background::{Background, Priority};
use crate::connect::testing;

fn limits() -> Limits {
    Limits { bytes: 1000, due: tokio::time::Instant::now() + Duration::from_secs(5) }
}

/// `test.v1.Response` with its seat.
#[derive(Clone, PartialEq, Message)]
struct Seat {
    #[prost(uint32, tag = "1")]
    seat: u32,
}

fn seats(seats: &[u32]) -> Bytes {
    let messages = seats.iter().map(|&seat| Seat { seat }.encode_to_vec());
    messages
        .map(|message| frame::framed(frame::PLAIN, &message))
        .collect::<Vec<_>>()
        .concat()
        .into()
}

fn trailers(status: &Status) -> Frame<Bytes> {
    let mut trailers = HeaderMap::new();
    status.add_header(&mut trailers).unwrap();
    Frame::trailers(trailers)
}

fn bad_field() -> Status {
    let message = "first_board.side: missing";
    let details = ErrorDetails::with_bad_request_violation("first_board.side", message);
    Status::with_error_details(Code::InvalidArgument, message, details)
}

/// A gRPC response with these frames.
fn grpc(frames: Vec<Frame<Bytes>>) -> Response {
    let frames = frames.into_iter().map(Ok::<_, Status>);
    http::Response::new(Body::new(StreamBody::new(tokio_stream::iter(frames))))
}

async fn answered(format: Format, inner: Response) -> (StatusCode, String, Bytes) {
    let response = answer(&testing::method("Watch"), format, async { inner }).await;
    let content = response.headers()["content-type"].to_str().unwrap().to_owned();
    (response.status(), content, response.into_body().collect().await.unwrap().to_bytes())
}

/// The lines of a response in which every line is JSON.
async fn lines(inner: Response) -> (StatusCode, String, Vec<Value>) {
    let (status, content, body) = answered(Format::Lines, inner).await;
    let text = String::from_utf8(body.to_vec()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (status, content, lines.collect())
}

/// The envelopes of a response: flags and JSON.
async fn envelopes(inner: Response) -> (StatusCode, String, Vec<(u8, Value)>) {
    let (status, content, mut body) = answered(Format::Json, inner).await;
    let mut found = Vec::new();
    while !body.is_empty() {
        let length = u32::from_be_bytes(body[1..5].try_into().unwrap()) as usize;
        let envelope = body.split_to(length + 5);
        found.push((envelope[0], serde_json::from_slice(&envelope[5..]).unwrap()));
    }
    (status, content, found)
}

fn message(seat: u32) -> Value {
    json!({"seat": seat, "lastMove": ""})
}

#[tokio::test]
async fn each_message_is_a_line_however_the_frames_cut_them() {
    let data = seats(&[0, 300, 2]);
    for cut in 0..=data.len() {
        let pieces = [data.slice(..cut), data.slice(cut..)].map(Frame::data);
        let frames = pieces.into_iter().chain([trailers(&Status::ok(""))]).collect();
        let (status, content, lines) = lines(grpc(frames)).await;
        assert_eq!((status, &*content), (StatusCode::OK, "application/x-ndjson"));
        assert_eq!(lines, [0, 300, 2].map(message), "cut at {cut}");
    }
}

#[tokio::test]
async fn each_message_is_an_envelope_and_the_last_one_is_the_end() {
    let frames = vec![Frame::data(seats(&[0, 1])), trailers(&Status::ok(""))];
    let (status, content, envelopes) = envelopes(grpc(frames)).await;
    assert_eq!((status, &*content), (StatusCode::OK, "application/connect+json"));
    assert_eq!(envelopes, [(0, message(0)), (0, message(1)), (2, json!({}))]);
}

#[tokio::test]
async fn an_error_before_the_first_message_of_lines_has_its_http_status() {
    for inner in [bad_field().into_http(), grpc(vec![trailers(&bad_field())])] {
        let (status, content, lines) = lines(inner).await;
        assert_eq!((status, &*content), (StatusCode::BAD_REQUEST, "application/json"));
        assert_eq!(lines[0]["message"], "firstBoard.side: missing");
        let violations = &lines[0]["details"][0]["debug"]["fieldViolations"];
        assert_eq!(violations[0]["field"], "firstBoard.side");
    }
}

#[tokio::test]
async fn an_error_before_the_first_envelope_is_the_end_envelope() {
    for inner in [bad_field().into_http(), grpc(vec![trailers(&bad_field())])] {
        let (status, content, envelopes) = envelopes(inner).await;
        assert_eq!((status, &*content), (StatusCode::OK, "application/connect+json"));
        let [(2, end)] = &*envelopes else { panic!("{envelopes:?}") };
        assert_eq!(end["error"]["code"], "invalid_argument");
        assert_eq!(end["error"]["message"], "firstBoard.side: missing");
    }
}

#[tokio::test]
async fn a_later_error_is_the_last_line_or_the_end_envelope() {
    let frames = || vec![Frame::data(seats(&[1])), trailers(&bad_field())];
    let (status, _, lines) = lines(grpc(frames())).await;
    assert_eq!((status, lines.len()), (StatusCode::OK, 2));
    assert_eq!(lines[1]["error"]["code"], "invalid_argument");
    assert_eq!(lines[1]["error"]["message"], "firstBoard.side: missing");
    let (_, _, envelopes) = envelopes(grpc(frames())).await;
    assert_eq!(envelopes[1], (2, lines[1].clone()));
}

#[tokio::test]
async fn a_stream_without_messages_is_an_empty_body_or_the_end_alone() {
    let (status, content, body) = answered(Format::Lines, grpc(vec![])).await;
    assert_eq!((status, &*content), (StatusCode::OK, "application/x-ndjson"));
    assert_eq!(body, "");
    assert_eq!(envelopes(grpc(vec![])).await.2, [(2, json!({}))]);
}

#[tokio::test]
async fn a_stream_that_breaks_within_a_message_is_an_internal_error() {
    let half = seats(&[1, 2]).slice(..9);
    let (_, _, lines) = lines(grpc(vec![Frame::data(half), trailers(&Status::ok(""))])).await;
    assert_eq!(lines[0], message(1));
    assert_eq!(lines[1]["error"]["code"], "internal");
}

#[tokio::test]
async fn messages_are_sent_when_they_happen_and_read_only_when_asked_for() {
    let (send, receive) = tokio::sync::mpsc::channel(1);
    let inner = Body::new(StreamBody::new(ReceiverStream::new(receive)));
    let data = |seat| Ok::<_, Status>(Frame::data(seats(&[seat])));
    send.send(data(1)).await.unwrap();
    let method = testing::method("Watch");
    let response = answer(&method, Format::Lines, async { http::Response::new(inner) }).await;
    // The first message was read to begin the response; the next one waits in the channel.
    send.try_send(data(2)).unwrap();
    assert!(send.try_send(data(3)).is_err(), "a message was read before it was asked for");
    let mut body = response.into_body();
    let mut next = async || body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(next().await, "{\"seat\":1,\"lastMove\":\"\"}\n");
    assert_eq!(next().await, "{\"seat\":2,\"lastMove\":\"\"}\n");
    send.try_send(data(3)).unwrap();
    assert_eq!(next().await, "{\"seat\":3,\"lastMove\":\"\"}\n");
}

/// The gRPC call that a request with this body becomes.
async fn called(format: Format, headers: &[(&str, &str)], body: &[u8]) -> Result<Request, Status> {
    let mut request = http::Request::post("/test.v1.TestService/Watch");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Body::new(Full::new(Bytes::copy_from_slice(body)));
    let background = Background::start(Priority::Normal).unwrap();
    let work = Transcoder { background: &background, share: None };
    read(&testing::method("Watch"), format, request.body(body).unwrap(), limits(), work).await
}

#[tokio::test]
async fn a_request_becomes_a_grpc_call_with_its_headers() {
    let headers = [
        ("authorization", "Bearer x"),
        ("connect-timeout-ms", "1500"),
        ("connect-protocol-version", "1"),
        ("connect-content-encoding", "gzip"),
        ("grpc-accept-encoding", "gzip"),
    ];
    let json = b"{\"small\":1}";
    let enveloped = frame::framed(frame::PLAIN, json);
    for (format, body) in [(Format::Lines, &json[..]), (Format::Json, &enveloped)] {
        let call = called(format, &headers, body).await.unwrap();
        let header = |name: &str| call.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(header("content-type"), Some("application/grpc"));
        assert_eq!(header("authorization"), Some("Bearer x"));
        assert_eq!(header("grpc-timeout"), Some("1500m"));
        assert_eq!(header("grpc-accept-encoding"), None);
        assert_eq!(header("connect-content-encoding"), None);
        let body = call.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, frame::framed(frame::PLAIN, &[0x28, 1]));
    }
}

#[tokio::test]
async fn a_request_is_limited_and_checked() {
    let large = [b' '; 1001];
    for (format, body) in [
        (Format::Lines, Bytes::copy_from_slice(&large)),
        (Format::Json, frame::framed(frame::PLAIN, &large)),
    ] {
        let refused = called(format, &[], &body).await.unwrap_err();
        assert_eq!(refused.code(), Code::ResourceExhausted);
        assert_eq!(refused.message(), "a request has at most 1000 bytes");
    }
    let fits = [&[b' '; 998][..], b"{}"].concat();
    called(Format::Json, &[], &frame::framed(frame::PLAIN, &fits)).await.unwrap();
    called(Format::Lines, &[], b"").await.unwrap();
    for headers in [("connect-timeout-ms", "soon"), ("connect-protocol-version", "2")] {
        let refused = called(Format::Lines, &[headers], b"{}").await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    let refused = called(Format::Lines, &[], b"{\"names\":1}").await.unwrap_err();
    assert!(refused.message().starts_with("names: unknown field"), "{refused:?}");
}
