//! Calls of the arena over HTTP/1.1 with JSON, like curl's.

use std::net::SocketAddr;

use azulejo_tests::http::{self, Response};
use serde_json::Value;

/// A call, for example of `PlayService/Ready`, with this body.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    token: &str,
    kind: &str,
    body: &[u8],
) -> Response {
    let bearer = format!("Bearer {token}");
    let headers = [("content-type", kind), ("authorization", &*bearer)];
    let headers = if token.is_empty() { &headers[..1] } else { &headers[..] };
    let target = format!("/azulejo.arena.v1.{method}");
    let response = http::request(address, "POST", target, headers, body);
    assert!(response.header("transfer-encoding").is_none(), "{}", response.head);
    response
}

/// The body of a GET request.
pub(crate) fn get(address: SocketAddr, path: &str) -> String {
    let response = http::get(address, path);
    assert_eq!(response.status, 200);
    String::from_utf8(response.body).unwrap()
}

/// The response to a message, whatever it is.
pub(crate) fn ask(address: SocketAddr, method: &str, token: &str, message: &Value) -> Response {
    send(address, method, token, "application/json", message.to_string().as_bytes())
}

/// The response to a message that must succeed.
#[track_caller]
pub(crate) fn call(address: SocketAddr, method: &str, token: &str, message: &Value) -> Value {
    let answer = ask(address, method, token, message);
    assert_eq!(answer.status, 200, "{method} {message}: {}", answer.text());
    answer.json()
}
