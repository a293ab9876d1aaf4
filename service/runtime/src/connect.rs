//! The Connect protocol: every method of every service over plain HTTP, as JSON or in binary. Requests
//! become gRPC calls, and their answers are converted back. The descriptors drive this, so no method
//! needs its own code.
//!
//! | file | what |
//! |---|---|
//! | `request` | limits, headers, and the gRPC call |
//! | `unary` | calls with one message each way |
//! | `stream`, `json_stream` | server streams in binary and as JSON |
//! | `frame`, `codec` | messages: framing, compression, JSON or binary |
//! | `method_json` | the messages of a method as JSON |
//! | `locate`, `spelling` | errors that name a field as JSON spells it |
//! | `reply` | responses and errors |

mod codec;
mod frame;
mod json_stream;
mod locate;
mod method_json;
mod reply;
mod request;
mod spelling;
mod stream;
#[cfg(test)]
pub(crate) mod testing;
mod unary;

use std::future::Future;

use http::{HeaderValue, StatusCode};
use tonic::body::Body;
use tonic::{Code, Status};

use crate::background::Transcoder;
use crate::methods::Method;
use crate::{Request, Response, refusal};

use codec::Codec;
use stream::Format;
use unary::Refused;

pub(crate) use method_json::MethodJson;
pub(crate) use request::{Limits, content_type};
pub(crate) use spelling::ErrorHolders;
pub(crate) use unary::unsupported_type;

/// Whether a request with this content type is a Connect call.
pub(crate) fn is_content_type(content: &str) -> bool {
    Codec::of_content(content).is_some() || content.starts_with("application/connect+")
}

/// A response, and the code of the error if the call was refused before it was made.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) refused: Option<Code>,
}

impl Answer {
    const fn made(response: Response) -> Self {
        Self { response, refused: None }
    }

    fn refused(format: Option<Format>, refused: Refused) -> Self {
        match refused {
            Refused::Status(status) => Self {
                response: format
                    .map_or_else(|| reply::error(&status), |format| format.error(&status)),
                refused: Some(status.code()),
            },
            Refused::Http(response) => Self { response: *response, refused: Some(Code::Unknown) },
        }
    }
}

/// The response to a call for which there is no place.
pub(crate) fn refused(method: &Method, request: &Request, full: Status) -> Answer {
    Answer::refused(Format::of(method, request), full.into())
}

/// Answers a call by means of the gRPC call `inner`.
pub(crate) async fn answer<F: Future<Output = Response>>(
    method: &Method,
    request: Request,
    limits: Limits,
    work: Transcoder<'_>,
    inner: impl FnOnce(Request) -> F,
) -> Answer {
    let Some(format) = Format::of(method, &request) else {
        return match unary::read(method, request, limits, work).await {
            Ok((codec, call)) => {
                Answer::made(unary::answer(method, codec, work, inner(call)).await)
            }
            Err(refused) => Answer::refused(None, refused),
        };
    };
    let read = match format {
        Format::Binary => stream::binary_call(request),
        Format::Json | Format::Lines => {
            json_stream::read(method, format, request, limits, work).await
        }
    };
    match (read, format) {
        (Err(status), format) => Answer::refused(Some(format), status.into()),
        (Ok(call), Format::Binary) => Answer::made(stream::binary(inner(call)).await),
        (Ok(call), format) => Answer::made(json_stream::answer(method, format, inner(call)).await),
    }
}

/// More headers than a request may have.
pub(crate) fn too_many_headers() -> Response {
    let refused = refusal::too_large("the headers of a request have at most 16 KiB");
    reply::with_http_status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &refused)
}

/// A method was called by an HTTP verb that the protocol does not know.
pub(crate) fn method_not_allowed() -> Response {
    plain(StatusCode::METHOD_NOT_ALLOWED, "allow", "GET, POST")
}

/// A call of a method that does not exist.
pub(crate) fn unknown_method(path: &str) -> Response {
    reply::with_http_status(StatusCode::NOT_FOUND, &refusal::unknown_method(path))
}

fn plain(status: StatusCode, name: &'static str, value: &'static str) -> Response {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
