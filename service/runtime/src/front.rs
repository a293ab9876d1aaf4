//! The front: every call passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use http::HeaderMap;
use tower::{Layer, Service};
use tracing::Instrument as _;

use crate::admission::Admission;
use crate::methods::{Method, Methods};
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::{Deadline, Request, Response, connect, cors, deadline, explain, refusal};

/// The most that the headers of a request may take together.
pub(crate) const HEADER_BYTES: usize = 16 * 1024;

/// What the front is made of.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) methods: Methods,
    pub(crate) observer: Observer,
    pub(crate) metrics: Metrics,
    pub(crate) admission: Admission,
    pub(crate) call_timeout: Duration,
    pub(crate) max_request_bytes: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct FrontLayer(pub(crate) Arc<Rules>);

impl<S> Layer<S> for FrontLayer {
    type Service = Front<S>;

    fn layer(&self, inner: S) -> Front<S> {
        Front { rules: Arc::clone(&self.0), inner }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Front<S> {
    rules: Arc<Rules>,
    inner: S,
}

impl<S> Service<Request> for Front<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let waiting = self.clone();
        // The service that is ready is the one to call; the clone waits for the next turn.
        let ready = std::mem::replace(self, waiting);
        if size_of_headers(&request) > HEADER_BYTES {
            return Box::pin(async { Ok(connect::too_many_headers()) });
        }
        match connect::kind(&self.rules.methods, &request) {
            connect::Kind::Grpc => {
                // From here, not from when the call is first looked at: the transport's own timer
                // starts now too, and must not be first.
                let due = due(request.headers(), self.rules.call_timeout);
                Box::pin(async move { Ok(ready.grpc(request, due).await) })
            }
            connect::Kind::Connect(method) => Box::pin(async move {
                let rules = Arc::clone(&ready.rules);
                let limits =
                    connect::Limits { bytes: rules.max_request_bytes, time: rules.call_timeout };
                let call = |call: Request| {
                    let due = due(call.headers(), rules.call_timeout);
                    ready.grpc(call, due)
                };
                let place = rules.admission.enter();
                let answer = connect::answer(&method, request, limits, place, call).await;
                if let Some(code) = answer.refused {
                    rules.observer.refused(&method, code);
                }
                Ok(cors::allowed(answer.response))
            }),
            connect::Kind::Refused(response) => {
                Box::pin(async move { Ok(cors::allowed(response)) })
            }
            connect::Kind::Unknown(response) => {
                self.rules.observer.unknown();
                Box::pin(async move { Ok(cors::allowed(response)) })
            }
            connect::Kind::Page => {
                let mut ready = ready;
                let page = ready.inner.call(request);
                Box::pin(page)
            }
        }
    }
}

impl<S> Front<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    /// A gRPC call: watched, admitted, in time.
    async fn grpc(self, request: Request, due: Option<Deadline>) -> Response {
        let rules = Arc::clone(&self.rules);
        let Some(method) = rules.methods.at(request.uri().path()) else {
            rules.observer.unknown();
            return refusal::unknown_method(request.uri().path()).into_http();
        };
        let observed = rules.observer.begin(method, request.headers());
        let answer = self.admitted(method, request, due);
        let answered = match &observed.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        let (response, code) = explain::with_reason(answered);
        observed.end(code);
        response
    }

    async fn admitted(self, method: &Method, request: Request, due: Option<Deadline>) -> Response {
        // Whoever asks whether the server lives must be told so even when it is full.
        if method.is_health {
            return self.in_time(request, due).await;
        }
        let rules = Arc::clone(&self.rules);
        let place = match rules.admission.enter() {
            Ok(place) => place,
            Err(full) => return full.into_http(),
        };
        if method.is_unary {
            // The body of the answer is there with it: nothing is left to wait for.
            return self.in_time(request, due).await;
        }
        // A stream may go on for as long as its caller likes; the server's cap is for answers.
        let until = deadline::allowed(request.headers()).map(Deadline::after);
        let response = self.in_time(request, due).await;
        rules.admission.held(response, place, until)
    }

    async fn in_time(mut self, request: Request, due: Option<Deadline>) -> Response {
        let cap = self.rules.call_timeout;
        let answer = AssertUnwindSafe(async move { self.inner.call(request).await });
        let mut answer = pin!(answer.catch_unwind());
        // Most calls are answered at once: only those that are not need a clock.
        let mut clock = None;
        let answered = poll_fn(|cx| {
            if let Poll::Ready(answered) = answer.as_mut().poll(cx) {
                return Poll::Ready(Some(answered));
            }
            let due = due.unwrap_or_else(|| Deadline::after(cap));
            let (due, clock) = clock.get_or_insert_with(|| {
                (due, Box::pin(tokio::time::sleep_until(due.instant().into())))
            });
            // Whoever woke us: when it is time, it is time.
            if due.has_passed() {
                return Poll::Ready(None);
            }
            clock.as_mut().poll(cx).map(|()| None)
        });
        match answered.await {
            Some(Ok(Ok(response))) => response,
            Some(Ok(Err(never))) => match never {},
            Some(Err(panic)) => explain::panicked(&*panic),
            None => refusal::deadline_exceeded().into_http(),
        }
    }
}

/// When a caller who says how long he waits has to be answered.
fn due(headers: &HeaderMap, cap: Duration) -> Option<Deadline> {
    deadline::allowed(headers).map(|time| Deadline::within(Some(time), cap))
}

/// HTTP/2 counts for itself, and refuses too much before it is here.
fn size_of_headers(request: &Request) -> usize {
    if request.version() >= http::Version::HTTP_2 {
        return 0;
    }
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
