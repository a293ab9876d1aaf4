//! Server streams as JSON: in the envelopes of the Connect protocol, or one message per line.
//!
//! A message is requested from the service only when the caller can take one, so a slow caller slows
//! down the stream instead of filling a buffer.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header;
use http_body::{Body as _, Frame};
use tonic::Status;
use tonic::body::Body;

use crate::background::Transcoder;
use crate::methods::Method;
use crate::{Request, Response, explain, refusal};

use super::frame::{self, Decoder};
use super::request::{Limits, STREAM_ENCODING, encoding, grpc_call};
use super::stream::{Format, failure, last_envelope};
use super::{MethodJson, reply, spelling, unary};

/// The gRPC call that a request stands for.
pub(super) async fn read(
    method: &Method,
    format: Format,
    request: Request,
    limits: Limits,
    work: Transcoder<'_>,
) -> Result<Request, Status> {
    let (mut head, body) = request.into_parts();
    let (compressed, frame) = match format {
        Format::Lines => (head.headers.contains_key(header::CONTENT_ENCODING), 0),
        Format::Json | Format::Binary => (head.headers.contains_key(STREAM_ENCODING), frame::HEAD),
    };
    let body = limits.collect(&mut head.headers, body, frame).await?;
    // A few compressed bytes may become many.
    let size = if compressed { usize::MAX } else { body.len() };
    let (json, headers) = (Arc::clone(&method.json), head.headers.clone());
    let read = work.run(size, move || {
        let text = if format == Format::Lines {
            unary::decompressed(&headers, body, limits)?
        } else {
            frame::only(&body, encoding(&headers, STREAM_ENCODING), limits.bytes)?
        };
        json.read(&text)
    });
    let message = read.await.unwrap_or_else(|| Err(refusal::going_away()))?;
    grpc_call(head, &message)
}

/// The answer of the gRPC call, as a stream of JSON.
pub(super) async fn answer(
    method: &Method,
    format: Format,
    answer: impl Future<Output = Response>,
) -> Response {
    let (head, inner) = answer.await.into_parts();
    if let Some(status) = explain::refused_with(&head.headers) {
        return format.error(&spelling::for_json(status));
    }
    let mut messages =
        Messages { inner, decoder: Decoder::default(), json: Arc::clone(&method.json) };
    let mut first = None;
    if format == Format::Lines {
        // An error before the first message determines the HTTP status, so the response cannot begin
        // earlier.
        match poll_fn(|cx| messages.poll_next(cx)).await {
            Item::End(Some(status)) => return format.error(&status),
            item @ (Item::Message(_) | Item::End(None)) => first = Some(item),
        }
    }
    let body = Written { messages, format, first, is_over: false };
    reply::with_headers(&head.headers, format.content(), Body::new(body))
}

/// An item of a stream.
enum Item {
    /// A message, as JSON.
    Message(Vec<u8>),
    /// The end, with the error if there is one.
    End(Option<Status>),
}

/// The messages of a gRPC answer.
struct Messages {
    inner: Body,
    decoder: Decoder,
    json: Arc<MethodJson>,
}

impl Messages {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Item> {
        loop {
            match self.decoder.next() {
                Ok(Some(message)) => return Poll::Ready(self.item(&message)),
                Ok(None) => {}
                Err(frame::Malformed) => return Poll::Ready(broken()),
            }
            let failure = match ready!(Pin::new(&mut self.inner).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => {
                        self.decoder.push(&data);
                        continue;
                    }
                    Err(frame) => failure(&frame.into_trailers().unwrap_or_default()),
                },
                Some(Err(status)) => Some(status),
                None => None,
            };
            return Poll::Ready(match failure {
                Some(status) => Item::End(Some(spelling::for_json(status))),
                None if self.decoder.is_empty() => Item::End(None),
                None => broken(),
            });
        }
    }

    fn item(&self, message: &[u8]) -> Item {
        self.json.write(message).map_or_else(broken, Item::Message)
    }
}

/// A defect of the service.
fn broken() -> Item {
    Item::End(Some(refusal::internal()))
}

/// The body of the response.
struct Written {
    messages: Messages,
    format: Format,
    /// An item that was read before the response began.
    first: Option<Item>,
    is_over: bool,
}

impl Written {
    fn write(&mut self, item: Item) -> Option<Bytes> {
        self.is_over = matches!(item, Item::End(_));
        match (self.format, item) {
            (Format::Lines, Item::Message(json)) => Some(line(json)),
            (Format::Lines, Item::End(status)) => {
                status.map(|status| line(reply::end_of_stream(&status)))
            }
            (_, Item::Message(json)) => Some(frame::framed(frame::PLAIN, &json)),
            (_, Item::End(status)) => Some(last_envelope(status.as_ref())),
        }
    }
}

fn line(mut json: Vec<u8>) -> Bytes {
    json.push(b'\n');
    json.into()
}

impl http_body::Body for Written {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let item = match self.first.take() {
            Some(item) => item,
            None => ready!(self.messages.poll_next(cx)),
        };
        Poll::Ready(self.write(item).map(|data| Ok(Frame::data(data))))
    }
}

#[cfg(test)]
mod tests;
