//! Unary calls of the Connect protocol: one message each way, as JSON or in binary.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method as Verb, StatusCode, header};
use http_body_util::BodyExt;
use tonic::{Code, Status};

use crate::background::Transcoder;
use crate::methods::Method;
use crate::{Request, Response, explain, refusal};

use super::codec::{self, Codec};
use super::request::{Limits, content_type, encoding, grpc_call};
use super::{reply, spelling, stream};

/// A call that was refused before it was made.
pub(super) enum Refused {
    Status(Status),
    Http(Box<Response>),
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

fn http(response: Response) -> Refused {
    Refused::Http(Box::new(response))
}

/// The gRPC call that a request stands for, and how to write the answer.
pub(super) async fn read(
    method: &Method,
    request: Request,
    limits: Limits,
    work: Transcoder<'_>,
) -> Result<(Codec, Request), Refused> {
    let (mut head, body) = request.into_parts();
    if !method.is_unary {
        return Err(refusal::stream_only(&method.name, stream::content_types(method)).into());
    }
    let (codec, encoded) = if head.method == Verb::GET {
        if !method.is_safe {
            return Err(http(super::plain(StatusCode::METHOD_NOT_ALLOWED, "allow", "POST")));
        }
        let query = head.uri.query().unwrap_or_default();
        // A few compressed bytes may become many.
        let size = if query.contains("compression=") { usize::MAX } else { query.len() };
        let query = query.to_owned();
        let read = work.run(size, move || codec::of_query(&query, limits.bytes)).await;
        read.unwrap_or_else(|| Err(refusal::going_away()))?
    } else {
        let content = content_type(&head.headers);
        let codec = Codec::of_content(content).ok_or_else(|| http(unsupported_type()))?;
        let body = limits.collect(&mut head.headers, body, 0).await?;
        let body = if head.headers.contains_key(header::CONTENT_ENCODING) {
            let headers = head.headers.clone();
            // A few bytes may become many.
            let plain = work.run(usize::MAX, move || decompressed(&headers, body, limits)).await;
            plain.unwrap_or_else(|| Err(refusal::going_away()))?
        } else {
            body
        };
        (codec, body)
    };
    let json = Arc::clone(&method.json);
    let read = work.run(encoded.len(), move || codec.read(&json, &encoded)).await;
    let message = read.unwrap_or_else(|| Err(refusal::going_away()))?;
    Ok((codec, grpc_call(head, &message)?))
}

/// The body of a request that is compressed as a whole, or not at all.
pub(super) fn decompressed(
    headers: &HeaderMap,
    body: Bytes,
    limits: Limits,
) -> Result<Bytes, Status> {
    codec::decompress(body, encoding(headers, header::CONTENT_ENCODING), limits.bytes)
}

/// The answer of the gRPC call, as the caller wants it.
pub(super) async fn answer(
    method: &Method,
    codec: Codec,
    work: Transcoder<'_>,
    answer: impl Future<Output = Response>,
) -> Response {
    let (head, body) = answer.await.into_parts();
    if let Some(status) = explain::refused_with(&head.headers) {
        return error(codec, status);
    }
    match body.collect().await {
        Err(status) => error(codec, status),
        Ok(collected) => {
            let trailers = collected.trailers().cloned().unwrap_or_default();
            match explain::refused_with(&trailers) {
                Some(status) if status.code() != Code::Ok => error(codec, status),
                _ => {
                    let (json, body) = (Arc::clone(&method.json), collected.to_bytes());
                    let size = body.len();
                    let write = move || reply::message(&json, codec, &head.headers, &body);
                    let written = work.run(size, write).await;
                    written.unwrap_or_else(|| error(codec, refusal::going_away()))
                }
            }
        }
    }
}

fn error(codec: Codec, status: Status) -> Response {
    match codec {
        Codec::Json => reply::error(&spelling::for_json(status)),
        Codec::Proto => reply::error(&status),
    }
}

/// Often a forgotten header: by default curl sends a form.
pub(crate) fn unsupported_type() -> Response {
    const KNOWN: &str = "application/json, application/proto, application/grpc";
    let refused = refusal::unsupported_type(KNOWN);
    let mut response = reply::with_http_status(StatusCode::UNSUPPORTED_MEDIA_TYPE, &refused);
    response.headers_mut().insert("accept-post", HeaderValue::from_static(KNOWN));
    response
}
