//! Streams of the Connect protocol, in binary: their messages are framed as gRPC frames them, so
//! they pass as they are. Only the end differs: a last message of JSON instead of trailers.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, header};
use http_body::Frame;
use tonic::body::Body;
use tonic::{Code, Status};

use crate::{Request, Response, explain};

use super::{grpc_headers, reply};

pub(super) const CONTENT: &str = "application/connect+proto";
/// The flag of the last message.
const END: u8 = 2;

/// Answers a stream by means of the gRPC call `inner`.
pub(super) async fn answer<F: Future<Output = Response>>(
    mut request: Request,
    inner: impl FnOnce(Request) -> F,
) -> Response {
    let headers = std::mem::take(request.headers_mut());
    let answered = match grpc_headers(headers) {
        Err(status) => Err(status),
        Ok(mut headers) => {
            // Messages may be compressed one by one, as in gRPC.
            if let Some(encoding) = headers.remove("connect-content-encoding") {
                headers.insert("grpc-encoding", encoding);
            }
            *request.headers_mut() = headers;
            let response = inner(request).await;
            explain::refused_with(response.headers()).map_or(Ok(response), Err)
        }
    };
    let body = match answered {
        Ok(response) => Ended { inner: response.into_body(), is_over: false },
        Err(status) => return streamed(Body::new(http_body_util::Full::new(end(Some(&status))))),
    };
    streamed(Body::new(body))
}

fn streamed(body: Body) -> Response {
    let mut response = http::Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(CONTENT));
    response
}

/// The last message of a stream.
fn end(status: Option<&Status>) -> Bytes {
    let text = status.map_or_else(|| b"{}".to_vec(), reply::end_of_stream);
    let mut frame = BytesMut::with_capacity(text.len() + 5);
    frame.put_u8(END);
    frame.put_u32(u32::try_from(text.len()).unwrap_or_default());
    frame.put_slice(&text);
    frame.freeze()
}

fn end_of(trailers: &HeaderMap) -> Bytes {
    end(explain::refused_with(trailers).filter(|status| status.code() != Code::Ok).as_ref())
}

/// A gRPC body whose trailers become the last message.
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
        let last = match ready!(Pin::new(&mut self.inner).poll_frame(cx)) {
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) => return Poll::Ready(Some(Ok(Frame::data(data)))),
                Err(frame) => end_of(&frame.into_trailers().unwrap_or_default()),
            },
            Some(Err(status)) => end(Some(&status)),
            None => end(None),
        };
        self.is_over = true;
        Poll::Ready(Some(Ok(Frame::data(last))))
    }
}
