//! Server streams of the Connect protocol: how they are written, and the binary one, whose messages
//! pass unchanged because gRPC frames them in the same way. `json_stream` writes the others.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, Method as Verb};
use http_body::Frame;
use http_body_util::Full;
use tonic::body::Body;
use tonic::{Code, Status};

use crate::methods::Method;
use crate::{Request, Response, explain};

use super::request::{STREAM_ENCODING, content_type, grpc_headers};
use super::{frame, reply};

/// How the messages of a stream are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Envelopes with binary messages.
    Binary,
    /// Envelopes with JSON.
    Json,
    /// One JSON message per line, for curl.
    Lines,
}

impl Format {
    /// None for calls that are not streams, and for streams that are called in another way.
    pub(super) fn of(method: &Method, request: &Request) -> Option<Self> {
        if method.is_unary || *request.method() != Verb::POST {
            return None;
        }
        match content_type(request.headers()) {
            "application/connect+proto" => Some(Self::Binary),
            "application/connect+json" if method.is_server_stream => Some(Self::Json),
            "application/json" if method.is_server_stream => Some(Self::Lines),
            _ => None,
        }
    }

    /// The content type of the response.
    pub(super) const fn content(self) -> &'static str {
        match self {
            Self::Binary => "application/connect+proto",
            Self::Json => "application/connect+json",
            Self::Lines => "application/x-ndjson",
        }
    }

    /// The response to a call that failed before its first message.
    pub(super) fn error(self, status: &Status) -> Response {
        match self {
            Self::Lines => reply::error(status),
            Self::Binary | Self::Json => {
                let body = Body::new(Full::new(last_envelope(Some(status))));
                reply::with_headers(&HeaderMap::new(), self.content(), body)
            }
        }
    }
}

/// The content types with which a stream can be called.
pub(super) const fn content_types(method: &Method) -> &'static str {
    if method.is_server_stream {
        "application/json, application/connect+json, application/connect+proto or application/grpc"
    } else {
        "application/connect+proto or application/grpc"
    }
}

/// The gRPC call of a binary stream.
pub(super) fn binary_call(mut request: Request) -> Result<Request, Status> {
    let mut headers = std::mem::take(request.headers_mut());
    let encoding = headers.remove(STREAM_ENCODING);
    let mut headers = grpc_headers(headers)?;
    // Each message may be compressed, as in gRPC.
    if let Some(encoding) = encoding {
        headers.insert("grpc-encoding", encoding);
    }
    *request.headers_mut() = headers;
    Ok(request)
}

/// The answer of the gRPC call, as a binary stream.
pub(super) async fn binary(answer: impl Future<Output = Response>) -> Response {
    let (head, inner) = answer.await.into_parts();
    if let Some(status) = explain::refused_with(&head.headers) {
        return Format::Binary.error(&status);
    }
    let body = Body::new(Ended { inner, is_over: false });
    reply::with_headers(&head.headers, Format::Binary.content(), body)
}

/// The last envelope of a stream, with the error if there is one.
pub(super) fn last_envelope(status: Option<&Status>) -> Bytes {
    let text = status.map_or_else(|| b"{}".to_vec(), reply::end_of_stream);
    frame::framed(frame::END, &text)
}

/// The error in the trailers of a gRPC call, if any.
pub(super) fn failure(trailers: &HeaderMap) -> Option<Status> {
    explain::refused_with(trailers).filter(|status| status.code() != Code::Ok)
}

/// A gRPC body whose trailers become the last envelope.
struct Ended {
    inner: Body,
    is_over: bool,
}

impl http_body::Body for Ended {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let failure = match ready!(Pin::new(&mut self.inner).poll_frame(cx)) {
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => return Poll::Ready(Some(Ok(Frame::data(data)))),
                Err(frame) => failure(&frame.into_trailers().unwrap_or_default()),
            },
            Some(Err(status)) => Some(status),
            None => None,
        };
        self.is_over = true;
        Poll::Ready(Some(Ok(Frame::data(last_envelope(failure.as_ref())))))
    }
}
