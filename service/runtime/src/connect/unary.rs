//! Unary calls of the Connect protocol: one message each way, as JSON or in binary.

use std::future::Future;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method as Verb, StatusCode, header};
use http_body_util::BodyExt;
use tonic::{Code, Status};

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
) -> Result<(Codec, Request), Refused> {
    let (head, body) = request.into_parts();
    if !method.is_unary {
        return Err(refusal::stream_only(&method.name, stream::content_types(method)).into());
    }
    let (codec, encoded) = if head.method == Verb::GET {
        if !method.is_safe {
            return Err(http(super::plain(StatusCode::METHOD_NOT_ALLOWED, "allow", "POST")));
        }
        codec::of_query(head.uri.query().unwrap_or_default(), limits.bytes)?
    } else {
        let content = content_type(&head.headers);
        let codec = Codec::of_content(content).ok_or_else(|| http(unsupported_type()))?;
        (codec, decompressed(&head.headers, limits.collect(body, 0).await?, limits)?)
    };
    let message = codec.read(method, &encoded)?;
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
                _ => reply::message(method, codec, &head.headers, &collected.to_bytes()),
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
