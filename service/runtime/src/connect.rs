//! The Connect protocol: every method of every service by plain HTTP, as JSON or in binary. A
//! request is turned into a gRPC call and the answer back, by means of the descriptors, so that no
//! method needs code of its own.
//!
//! | file | what |
//! |---|---|
//! | `request` | limits, headers, and the gRPC call |
//! | `unary` | calls with one message each way |
//! | `stream`, `json_stream` | server streams in binary and as JSON |
//! | `frame`, `codec` | messages: framing, compression, JSON |
//! | `locate`, `spelling` | errors that name a field as JSON spells it |
//! | `reply` | responses and errors |

mod codec;
mod frame;
mod json_stream;
mod locate;
mod reply;
mod request;
mod spelling;
mod stream;
#[cfg(test)]
mod testing;
mod unary;

use std::future::Future;
use std::sync::Arc;

use http::{HeaderValue, Method as Verb, StatusCode, header};
use tonic::body::Body;
use tonic::{Code, Status};

use crate::admission::Place;
use crate::methods::{Method, Methods};
use crate::{Request, Response, cors, refusal};

use codec::Codec;
use request::content_type;
use stream::Format;
use unary::Refused;

pub(crate) use request::Limits;
pub(crate) use spelling::ErrorHolders;

/// What a request is.
pub(crate) enum Kind {
    Grpc,
    Connect(Arc<Method>),
    /// A call that is refused by its headers.
    Refused(Response),
    /// A call of a method that does not exist.
    Unknown(Response),
    /// Anything else, for example a page.
    Page,
}

pub(crate) fn kind(methods: &Methods, request: &Request) -> Kind {
    let content = request.headers().get(header::CONTENT_TYPE);
    // The exact value that nearly every gRPC client sends: the fast path.
    if content.is_some_and(|content| content == "application/grpc") {
        return Kind::Grpc;
    }
    let content = content_type(request.headers());
    if matches!(content, "application/grpc" | "application/grpc+proto") {
        return Kind::Grpc;
    }
    if cors::is_preflight(request) {
        return Kind::Refused(cors::preflight());
    }
    let path = request.uri().path();
    let is_call = matches!(*request.method(), Verb::POST | Verb::GET);
    match methods.at(path) {
        Some(method) if is_call => Kind::Connect(Arc::clone(method)),
        Some(_) => Kind::Refused(plain(StatusCode::METHOD_NOT_ALLOWED, "allow", "GET, POST")),
        None if content.starts_with("application/grpc") => Kind::Refused(unary::unsupported_type()),
        None if is_connect(content) => {
            let refused = refusal::unknown_method(path);
            Kind::Unknown(reply::with_http_status(StatusCode::NOT_FOUND, &refused))
        }
        None => Kind::Page,
    }
}

fn is_connect(content: &str) -> bool {
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

/// Answers a call by means of the gRPC call `inner`. A request whose body is still arriving holds
/// a place like a call.
pub(crate) async fn answer<F: Future<Output = Response>>(
    method: &Method,
    request: Request,
    limits: Limits,
    place: Result<Place, Status>,
    inner: impl FnOnce(Request) -> F,
) -> Answer {
    let format = Format::of(method, &request);
    let place = match place {
        Ok(place) => place,
        Err(full) => return Answer::refused(format, full.into()),
    };
    let Some(format) = format else {
        let read = unary::read(method, request, limits).await;
        drop(place);
        return match read {
            Ok((codec, call)) => Answer::made(unary::answer(method, codec, inner(call)).await),
            Err(refused) => Answer::refused(None, refused),
        };
    };
    let read = match format {
        Format::Binary => stream::binary_call(request),
        Format::Json | Format::Lines => json_stream::read(method, format, request, limits).await,
    };
    drop(place);
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

fn plain(status: StatusCode, name: &'static str, value: &'static str) -> Response {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
