//! Ends a stream early: at the caller's deadline, or when the server stops.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;

use crate::{Deadline, Response, refusal};

/// Lets the body end at this deadline or when the server stops.
pub(crate) fn ended_early(
    response: Response,
    until: Option<Deadline>,
    stop: &CancellationToken,
) -> Response {
    response.map(|inner| Body::new(Guarded { inner, until, stop: stop.clone(), end: None }))
}

/// A body that ends at a deadline or when the server stops.
struct Guarded {
    inner: Body,
    until: Option<Deadline>,
    stop: CancellationToken,
    /// What ends it early; created when it first has to wait.
    end: Option<Pin<Box<dyn Future<Output = Status> + Send>>>,
}

async fn early_end(until: Option<Deadline>, stop: CancellationToken) -> Status {
    let time_is_up = async {
        match until {
            Some(deadline) => sleep_until(deadline.instant().into()).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = time_is_up => refusal::deadline_exceeded(),
        () = stop.cancelled() => refusal::going_away(),
    }
}

impl http_body::Body for Guarded {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let (until, stop) = (self.until, self.stop.clone());
        let end = self.end.get_or_insert_with(|| Box::pin(early_end(until, stop)));
        let status = std::task::ready!(end.as_mut().poll(cx));
        // Trailers end a stream with its status; nothing is polled after them.
        let mut trailers = HeaderMap::new();
        self.inner = Body::empty();
        match status.add_header(&mut trailers) {
            Ok(()) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Err(status) => Poll::Ready(Some(Err(status))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
