//! The body of a response on its way to the caller. It holds the place of the call, and tells its
//! connection when data waits to be sent, so that a peer that does not read can be disconnected.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use crate::Response;
use crate::activity::{OpenCall, Waiting};
use crate::budget::Place;

/// A response, and the place that its call holds.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) place: Option<Place>,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response, place: None }
    }
}

impl Answer {
    /// Lets the body hold everything until it is sent.
    pub(crate) fn sent(self, call: Option<OpenCall>) -> Response {
        let Self { response, place } = self;
        if response.body().is_end_stream() {
            return response;
        }
        let waiting = call.map(Waiting::new);
        response.map(|inner| Body::new(Sent { inner, waiting, is_over: false, _place: place }))
    }
}

struct Sent {
    inner: Body,
    waiting: Option<Waiting>,
    is_over: bool,
    _place: Option<Place>,
}

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        // The transport asks for more only when it could send what it had.
        if let Some(waiting) = &mut self.waiting {
            waiting.end();
        }
        let frame = std::task::ready!(Pin::new(&mut self.inner).poll_frame(cx));
        match &frame {
            Some(Ok(frame)) if frame.is_data() => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.begin();
                }
            }
            // Trailers are the last frame.
            Some(_) | None => self.is_over = true,
        }
        Poll::Ready(frame)
    }

    /// Only when the transport has asked once more after the last data: until then it may not have
    /// been sent, and the place is still needed.
    fn is_end_stream(&self) -> bool {
        self.is_over
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
