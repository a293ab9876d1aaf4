//! The Connect protocol: every unary method of every service by plain HTTP, as JSON or binary, and
//! streams in binary. A call is turned into the gRPC call that it stands for, and the answer back;
//! the descriptors say how, so that no method needs code of its own.

mod codec;
mod reply;
mod stream;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method as Verb, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tonic::body::Body;
use tonic::{Code, Status};

use crate::admission::Place;
use crate::methods::{Method, Methods};
use crate::{Request, Response, cors, explain, refusal};

use codec::Codec;

/// What a request wants.
pub(crate) enum Kind {
    Grpc,
    Connect(Arc<Method>),
    /// A call that can be answered without looking at it.
    Refused(Response),
    /// A call of something that is not there.
    Unknown(Response),
    /// Anything else.
    Page,
}

/// What a call may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

pub(crate) fn kind(methods: &Methods, request: &Request) -> Kind {
    let content = request.headers().get(header::CONTENT_TYPE);
    // As nearly every gRPC client says it; the rest is read with more care.
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
        None if content.starts_with("application/grpc") => Kind::Refused(unsupported_type()),
        None if Codec::of_content(content).is_some() => {
            let refused = refusal::unknown_method(path);
            Kind::Unknown(reply::with_http_status(StatusCode::NOT_FOUND, &refused))
        }
        None => Kind::Page,
    }
}

/// An answer, and the code with which the call was refused before it was made, if it was.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) refused: Option<Code>,
}

impl Answer {
    const fn made(response: Response) -> Self {
        Self { response, refused: None }
    }

    fn refused(refused: Refused) -> Self {
        match refused {
            Refused::Status(status) => {
                Self { response: reply::error(&status), refused: Some(status.code()) }
            }
            Refused::Http(response) => Self { response: *response, refused: Some(Code::Unknown) },
        }
    }
}

/// Answers a call by means of the gRPC call `inner`. A body that is still coming holds a place like
/// a call.
pub(crate) async fn answer<F: Future<Output = Response>>(
    method: &Method,
    request: Request,
    limits: Limits,
    place: Result<Place, Status>,
    inner: impl FnOnce(Request) -> F,
) -> Answer {
    let place = match place {
        Ok(place) => place,
        Err(full) => return Answer::refused(full.into()),
    };
    if !method.is_unary && content_type(request.headers()) == stream::CONTENT {
        drop(place);
        return Answer::made(stream::answer(request, inner).await);
    }
    let read = read(method, request, limits).await;
    drop(place);
    let (codec, call) = match read {
        Ok(read) => read,
        Err(refused) => return Answer::refused(refused),
    };
    let (head, body) = inner(call).await.into_parts();
    if let Some(status) = explain::refused_with(&head.headers) {
        return Answer::made(reply::error(&status));
    }
    Answer::made(match body.collect().await {
        Err(status) => reply::error(&status),
        Ok(collected) => {
            let trailers = collected.trailers().cloned().unwrap_or_default();
            match explain::refused_with(&trailers) {
                Some(status) if status.code() != Code::Ok => reply::error(&status),
                _ => reply::message(method, codec, &head.headers, &collected.to_bytes()),
            }
        }
    })
}

/// More headers than anybody needs.
pub(crate) fn too_many_headers() -> Response {
    let refused = refusal::too_large("the headers of a request have at most 16 KiB");
    reply::with_http_status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &refused)
}

enum Refused {
    Status(Status),
    Http(Box<Response>),
}

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

/// The gRPC call that a request stands for.
async fn read(
    method: &Method,
    request: Request,
    limits: Limits,
) -> Result<(Codec, Request), Refused> {
    let http = |response| Refused::Http(Box::new(response));
    let (head, body) = request.into_parts();
    if !method.is_unary {
        return Err(refusal::not_unary(head.uri.path()).into());
    }
    check_version(&head.headers)?;
    let (codec, encoded) = if head.method == Verb::GET {
        if !method.is_safe {
            return Err(http(plain(StatusCode::METHOD_NOT_ALLOWED, "allow", "POST")));
        }
        codec::of_query(head.uri.query().unwrap_or_default(), limits.bytes)?
    } else {
        let content = content_type(&head.headers);
        let codec = Codec::of_content(content).ok_or_else(|| http(unsupported_type()))?;
        let bytes = collect(body, limits).await?;
        let encoding = head.headers.get(header::CONTENT_ENCODING);
        let encoding = encoding.map_or("identity", |name| name.to_str().unwrap_or("?"));
        (codec, codec::decompress(bytes, encoding, limits.bytes)?)
    };
    let message = codec.read(method.descriptor.input(), &encoded)?;
    let mut call = http::Request::new(Body::new(Full::new(codec::framed(&message))));
    *call.uri_mut() = head.uri;
    *call.method_mut() = Verb::POST;
    *call.version_mut() = http::Version::HTTP_2;
    *call.headers_mut() = grpc_headers(head.headers)?;
    *call.extensions_mut() = head.extensions;
    Ok((codec, call))
}

async fn collect(body: Body, limits: Limits) -> Result<Bytes, Status> {
    let body = Limited::new(body, limits.bytes).collect();
    let body = tokio::time::timeout(limits.time, body).await;
    let body = body.map_err(|_late| refusal::deadline_exceeded())?;
    body.map(http_body_util::Collected::to_bytes).map_err(|error| {
        if error.is::<LengthLimitError>() {
            refusal::too_large(&format!("a request has at most {} bytes", limits.bytes))
        } else {
            refusal::bad_message("the body broke off")
        }
    })
}

fn check_version(headers: &HeaderMap) -> Result<(), Status> {
    match headers.get("connect-protocol-version") {
        Some(version) if version != "1" => {
            Err(refusal::bad_message("connect-protocol-version must be 1"))
        }
        _ => Ok(()),
    }
}

/// The caller's headers, without those that belong to his transport.
fn grpc_headers(mut headers: HeaderMap) -> Result<HeaderMap, Status> {
    headers.remove("connect-accept-encoding");
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
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(header::TE, HeaderValue::from_static("trailers"));
    headers.remove("grpc-timeout");
    if let Some(timeout) = headers.remove("connect-timeout-ms") {
        let digits = timeout.to_str().ok().filter(|text| (1..=10).contains(&text.len()));
        let millis = digits.and_then(|text| text.parse::<u64>().ok());
        let millis = millis.ok_or_else(|| {
            refusal::bad_message("connect-timeout-ms must be a number of at most ten digits")
        })?;
        // Eight digits are the most that gRPC can say: more than a day in any case.
        let value = format!("{}m", millis.min(99_999_999));
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert("grpc-timeout", value);
        }
    }
    Ok(headers)
}

/// The media type, without its parameters.
fn content_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim()
}

/// Often a forgotten header: curl sends a form unless told otherwise.
fn unsupported_type() -> Response {
    const KNOWN: &str = "application/json, application/proto, application/grpc";
    let refused = refusal::unsupported_type(KNOWN);
    let mut response = reply::with_http_status(StatusCode::UNSUPPORTED_MEDIA_TYPE, &refused);
    response.headers_mut().insert("accept-post", HeaderValue::from_static(KNOWN));
    response
}

fn plain(status: StatusCode, name: &'static str, value: &'static str) -> Response {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
