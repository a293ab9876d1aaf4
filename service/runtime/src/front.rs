//! The front: every call passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tower::{Layer, Service};
use tracing::Instrument as _;

use crate::admission::Admission;
use crate::methods::{Method, Methods};
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::{Deadline, Request, Response, connect, cors, deadline, explain, refusal};

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
        match connect::kind(&self.rules.methods, &request) {
            connect::Kind::Grpc => Box::pin(async move { Ok(ready.grpc(request).await) }),
            connect::Kind::Connect(method) => Box::pin(async move {
                let rules = Arc::clone(&ready.rules);
                let limits =
                    connect::Limits { bytes: rules.max_request_bytes, time: rules.call_timeout };
                let call = |call| ready.grpc(call);
                Ok(cors::allowed(connect::answer(&method, request, limits, call).await))
            }),
            connect::Kind::Refused(response) => {
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
    async fn grpc(self, request: Request) -> Response {
        let rules = Arc::clone(&self.rules);
        let Some(method) = rules.methods.at(request.uri().path()) else {
            rules.observer.unknown();
            return refusal::unknown_method(request.uri().path()).into_http();
        };
        let observed = rules.observer.begin(method, request.headers());
        let answer = self.admitted(method, request);
        let answered = match &observed.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        let (response, code) = explain::with_reason(answered);
        observed.end(code);
        response
    }

    async fn admitted(self, method: &Method, request: Request) -> Response {
        // Whoever asks whether the server lives must be told so even when it is full.
        if method.is_health {
            return self.in_time(request).await;
        }
        let rules = Arc::clone(&self.rules);
        let place = match rules.admission.enter() {
            Ok(place) => place,
            Err(full) => return full.into_http(),
        };
        if method.is_unary {
            // The body of the answer is there with it: nothing is left to wait for.
            return self.in_time(request).await;
        }
        // A stream may go on for as long as its caller likes; the server's cap is for answers.
        let until = deadline::allowed(request.headers()).map(Deadline::after);
        let response = self.in_time(request).await;
        rules.admission.held(response, place, until)
    }

    async fn in_time(mut self, request: Request) -> Response {
        let allowed = deadline::allowed(request.headers());
        let cap = self.rules.call_timeout;
        let answer = AssertUnwindSafe(async move { self.inner.call(request).await });
        let mut answer = pin!(answer.catch_unwind());
        // Most calls are answered at once: only those that are not need a clock.
        let answered = match poll_fn(|cx| Poll::Ready(answer.as_mut().poll(cx))).await {
            Poll::Ready(answered) => answered,
            Poll::Pending => {
                let due = Deadline::within(allowed, cap);
                match tokio::time::timeout_at(due.instant().into(), answer).await {
                    Ok(answered) => answered,
                    Err(_late) => return refusal::deadline_exceeded().into_http(),
                }
            }
        };
        match answered {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            Err(panic) => explain::panicked(&*panic),
        }
    }
}
