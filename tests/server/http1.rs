//! Calls of the engine over HTTP/1.1.

use std::net::SocketAddr;

pub(crate) use azulejo_tests::http::{Response, get, open, parse, read, request};

use crate::requests::path;

/// A call of the engine with JSON.
pub(crate) fn call(address: SocketAddr, method: &str, json: &[u8]) -> Response {
    azulejo_tests::http::post(address, &path(method), json)
}
