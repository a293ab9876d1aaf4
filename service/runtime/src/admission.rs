//! Limits how many calls are served at the same time. A stream counts until it ends: its place is
//! held by its body, which also ends the stream at the caller's deadline or when the server stops.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;

use crate::{Deadline, Overloaded, Response, refusal};

#[derive(Clone, Debug)]
pub(crate) struct Admission {
    taken: Arc<AtomicUsize>,
    places: usize,
    stop: CancellationToken,
}

/// A place among the calls being served, free again when dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Admission {
    pub(crate) fn new(places: usize, stop: CancellationToken) -> Self {
        Self { taken: Arc::default(), places, stop }
    }

    pub(crate) fn enter(&self) -> Result<Place, Status> {
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.taken));
        if before < self.places { Ok(place) } else { Err(refusal::overloaded(&Overloaded::SOON)) }
    }

    /// Places that are taken.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Lets the body hold the place until it ends.
    pub(crate) fn held(
        &self,
        response: Response,
        place: Place,
        until: Option<Deadline>,
    ) -> Response {
        let guarded =
            |inner| Guarded { inner, until, stop: self.stop.clone(), end: None, _place: place };
        response.map(|inner| Body::new(guarded(inner)))
    }
}

/// A body that ends at a deadline or when the server stops.
struct Guarded {
    inner: Body,
    until: Option<Deadline>,
    stop: CancellationToken,
    /// What ends it early; created when it first has to wait.
    end: Option<Pin<Box<dyn Future<Output = Status> + Send>>>,
    _place: Place,
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
