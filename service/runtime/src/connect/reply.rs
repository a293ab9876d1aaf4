//! Responses of the Connect protocol.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::Full;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Serialize;
use serde_json::Value;
use tonic::Status;
use tonic::body::Body;

use crate::{Response, json, refusal};

use super::codec::Codec;
use super::{MethodJson, frame};

/// The response to a unary call that succeeded.
pub(super) fn message(
    json: &MethodJson,
    codec: Codec,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let written = frame::unframed(body).and_then(|message| codec.write(json, message));
    let Some(written) = written else { return error(&refusal::internal()) };
    with_headers(headers, codec.content(), Body::new(Full::new(written)))
}

/// A response with the headers that the service set.
pub(super) fn with_headers(headers: &HeaderMap, content: &'static str, body: Body) -> Response {
    let mut response = http::Response::new(body);
    for (name, value) in headers {
        if *name != header::CONTENT_TYPE && !name.as_str().starts_with("grpc-") {
            response.headers_mut().append(name.clone(), value.clone());
        }
    }
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
    response
}

pub(super) fn error(status: &Status) -> Response {
    let (http, _) = refusal::over_http(status.code());
    // 499 is not in the standard, but it is a valid HTTP status.
    with_http_status(StatusCode::from_u16(http).unwrap_or(StatusCode::BAD_REQUEST), status)
}

/// The JSON with which a stream ends after an error: `{"error":{…}}`.
pub(super) fn end_of_stream(status: &Status) -> Vec<u8> {
    #[derive(Serialize)]
    struct End<'a> {
        error: ErrorJson<'a>,
    }
    serde_json::to_vec(&End { error: ErrorJson::of(status) }).unwrap_or_default()
}

pub(super) fn with_http_status(http: StatusCode, status: &Status) -> Response {
    let body = serde_json::to_vec(&ErrorJson::of(status)).unwrap_or_default();
    let mut response = http::Response::new(Body::new(Full::new(Bytes::from(body))));
    *response.status_mut() = http;
    let content = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, content);
    response
}

/// An error as the Connect protocol writes it.
#[derive(Serialize)]
struct ErrorJson<'a> {
    code: &'a str,
    message: &'a str,
    details: Vec<Detail>,
}

impl<'a> ErrorJson<'a> {
    fn of(status: &'a Status) -> Self {
        let (_, code) = refusal::over_http(status.code());
        Self { code, message: status.message(), details: details(status) }
    }
}

/// A detail: `value` for programs, `debug` for people.
#[derive(Serialize)]
struct Detail {
    r#type: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<Value>,
}

/// The types of google.rpc, for `debug`.
static DETAILS: LazyLock<Option<DescriptorPool>> =
    LazyLock::new(|| DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET).ok());

fn details(status: &Status) -> Vec<Detail> {
    let Ok(inner) = tonic_types::Status::decode(status.details()) else { return Vec::new() };
    let detail = |any: &prost_types::Any| {
        let name = any.type_url.rsplit('/').next().unwrap_or_default();
        let kind = DETAILS.as_ref().and_then(|pool| pool.get_message_by_name(name));
        let message = kind.and_then(|kind| DynamicMessage::decode(kind, &*any.value).ok());
        Detail {
            r#type: name.to_owned(),
            value: STANDARD_NO_PAD.encode(&any.value),
            debug: message.and_then(|message| debug(&message)),
        }
    };
    inner.details.iter().map(detail).collect()
}

fn debug(detail: &DynamicMessage) -> Option<Value> {
    let mut text = Vec::new();
    json::write_dynamic(detail, &mut text)?;
    serde_json::from_slice(&text).ok()
}
