//! Answers of the Connect protocol.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::Full;
use prost::Message;
use prost_reflect::DescriptorPool;
use serde::Serialize;
use serde_json::Value;
use tonic::Status;
use tonic::body::Body;

use crate::methods::Method;
use crate::{Response, refusal};

use super::codec::{self, Codec};

/// The message of a gRPC answer, as the caller wants it.
pub(super) fn message(
    method: &Method,
    codec: Codec,
    headers: &HeaderMap,
    frame: &Bytes,
) -> Response {
    let written =
        codec::unframed(frame).and_then(|message| codec.write(method.descriptor.output(), message));
    let Some(written) = written else { return error(&refusal::panicked()) };
    let mut response = http::Response::new(Body::new(Full::new(written)));
    for (name, value) in headers {
        if *name != header::CONTENT_TYPE && !name.as_str().starts_with("grpc-") {
            response.headers_mut().append(name.clone(), value.clone());
        }
    }
    let content = HeaderValue::from_static(codec.content());
    response.headers_mut().insert(header::CONTENT_TYPE, content);
    response
}

pub(super) fn error(status: &Status) -> Response {
    let (http, _) = refusal::over_http(status.code());
    // 499 has no name in the standard, but it is a number that HTTP allows.
    with_http_status(StatusCode::from_u16(http).unwrap_or(StatusCode::BAD_REQUEST), status)
}

/// How a stream says that it failed.
pub(super) fn end_of_stream(status: &Status) -> Vec<u8> {
    #[derive(Serialize)]
    struct End<'a> {
        error: Told<'a>,
    }
    serde_json::to_vec(&End { error: Told::of(status) }).unwrap_or_default()
}

pub(super) fn with_http_status(http: StatusCode, status: &Status) -> Response {
    let body = serde_json::to_vec(&Told::of(status)).unwrap_or_default();
    let mut response = http::Response::new(Body::new(Full::new(Bytes::from(body))));
    *response.status_mut() = http;
    let content = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, content);
    response
}

/// An error as the protocol writes it.
#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    message: &'a str,
    details: Vec<Detail>,
}

impl<'a> Told<'a> {
    fn of(status: &'a Status) -> Self {
        let (_, code) = refusal::over_http(status.code());
        Self { code, message: status.message(), details: details(status) }
    }
}

/// A detail, binary for programs and readable beside it.
#[derive(Serialize)]
struct Detail {
    r#type: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<Value>,
}

/// The types of google.rpc, to show what the details say.
static DETAILS: LazyLock<Option<DescriptorPool>> =
    LazyLock::new(|| DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET).ok());

fn details(status: &Status) -> Vec<Detail> {
    let Ok(inner) = tonic_types::Status::decode(status.details()) else { return Vec::new() };
    let detail = |any: &prost_types::Any| {
        let name = any.type_url.rsplit('/').next().unwrap_or_default();
        let kind = DETAILS.as_ref().and_then(|pool| pool.get_message_by_name(name));
        let debug = kind.and_then(|kind| codec::json(kind, &any.value));
        Detail {
            r#type: name.to_owned(),
            value: STANDARD_NO_PAD.encode(&any.value),
            debug: debug.and_then(|text| serde_json::from_slice(&text).ok()),
        }
    };
    inner.details.iter().map(detail).collect()
}
