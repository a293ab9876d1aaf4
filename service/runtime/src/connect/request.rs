//! Requests of the Connect protocol, turned into gRPC calls.

use std::time::Duration;

use bytes::Bytes;
use http::header::AsHeaderName;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method as Verb, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::time::Instant;
use tonic::Status;
use tonic::body::Body;

use crate::{Request, refusal};

use super::frame;

/// How the compressed messages of a stream are compressed.
pub(super) const STREAM_ENCODING: &str = "connect-content-encoding";

/// The deadline of the caller.
const TIMEOUT: &str = "connect-timeout-ms";

/// What a request may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Size of the message, before and after decompression.
    pub(super) bytes: usize,
    /// When the body has to have arrived.
    pub(super) due: Instant,
}

impl Limits {
    /// The body has to arrive within the caller's deadline, and within the server's.
    pub(crate) fn of(request: &Request, bytes: usize, cap: Duration) -> Self {
        let asked = request.headers().get(TIMEOUT).and_then(millis).map(Duration::from_millis);
        Self { bytes, due: Instant::now() + asked.map_or(cap, |asked| asked.min(cap)) }
    }

    /// The whole body, which may be longer than the message by `overhead`. What the caller's
    /// deadline leaves is left to the call.
    pub(super) async fn collect(
        self,
        headers: &mut HeaderMap,
        body: Body,
        overhead: usize,
    ) -> Result<Bytes, Status> {
        let body = Limited::new(body, self.bytes.saturating_add(overhead)).collect();
        let begun = Instant::now();
        let body = tokio::time::timeout_at(self.due, body).await;
        let body = body.map_err(|_late| refusal::deadline_exceeded())?;
        if let Some(asked) = headers.get(TIMEOUT).and_then(millis) {
            let spent = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            headers.insert(TIMEOUT, HeaderValue::from(asked.saturating_sub(spent)));
        }
        body.map(http_body_util::Collected::to_bytes).map_err(|error| {
            if error.is::<LengthLimitError>() {
                refusal::too_large(&format!("a request has at most {} bytes", self.bytes))
            } else {
                refusal::bad_message("the body is incomplete")
            }
        })
    }
}

/// The gRPC call with this message.
pub(super) fn grpc_call(head: Parts, message: &[u8]) -> Result<Request, Status> {
    let body = Body::new(Full::new(frame::framed(frame::PLAIN, message)));
    let mut call = http::Request::new(body);
    *call.uri_mut() = head.uri;
    *call.method_mut() = Verb::POST;
    *call.version_mut() = http::Version::HTTP_2;
    *call.headers_mut() = grpc_headers(head.headers)?;
    *call.extensions_mut() = head.extensions;
    Ok(call)
}

/// The caller's headers as a gRPC call has them.
pub(super) fn grpc_headers(mut headers: HeaderMap) -> Result<HeaderMap, Status> {
    check_version(&headers)?;
    for name in [
        header::CONTENT_LENGTH,
        header::CONTENT_ENCODING,
        header::ACCEPT_ENCODING,
        header::TRANSFER_ENCODING,
        header::CONNECTION,
        header::HOST,
    ] {
        headers.remove(name);
    }
    // Answers of the service are read here: it must not compress them.
    for name in ["connect-accept-encoding", "grpc-accept-encoding", "grpc-encoding"] {
        headers.remove(name);
    }
    headers.remove(STREAM_ENCODING);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(header::TE, HeaderValue::from_static("trailers"));
    headers.remove("grpc-timeout");
    if let Some(timeout) = headers.remove(TIMEOUT) {
        headers.insert("grpc-timeout", grpc_timeout(&timeout)?);
    }
    Ok(headers)
}

fn check_version(headers: &HeaderMap) -> Result<(), Status> {
    match headers.get("connect-protocol-version") {
        Some(version) if version != "1" => {
            Err(refusal::bad_message("connect-protocol-version must be 1"))
        }
        _ => Ok(()),
    }
}

/// A number of at most ten digits.
fn millis(value: &HeaderValue) -> Option<u64> {
    let digits = value.to_str().ok().filter(|text| (1..=10).contains(&text.len()));
    digits.and_then(|text| text.parse().ok())
}

fn grpc_timeout(value: &HeaderValue) -> Result<HeaderValue, Status> {
    // gRPC allows eight digits, which is more than a day.
    let value = millis(value).map(|millis| format!("{}m", millis.min(99_999_999)));
    value.and_then(|value| HeaderValue::from_str(&value).ok()).ok_or_else(|| {
        refusal::bad_message("connect-timeout-ms must be a number of at most ten digits")
    })
}

/// The encoding that a header names.
pub(super) fn encoding(headers: &HeaderMap, name: impl AsHeaderName) -> &str {
    headers.get(name).map_or("identity", |value| value.to_str().unwrap_or("?"))
}

/// The media type, without its parameters.
pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim()
}
