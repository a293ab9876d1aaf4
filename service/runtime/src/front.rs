//! The front: every call passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tonic::Code;
use tower::{Layer, Service};
use tracing::Instrument as _;

use crate::admission::Admission;
use crate::methods::Methods;
use crate::observe::Observer;
use crate::{Deadline, Request, Response, connect, cors, deadline, explain, refusal};

/// What the front is made of.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) methods: Methods,
    pub(crate) observer: Observer,
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
        let method = self.rules.methods.at(request.uri().path()).cloned();
        let observed = self.rules.observer.begin(method, request.headers());
        let span = observed.span.clone();
        let response = if observed.is_known() {
            self.admitted(request).instrument(span).await
        } else {
            refusal::unknown_method(request.uri().path()).into_http()
        };
        let code = explain::refused_with(response.headers()).map_or(Code::Ok, |told| told.code());
        observed.end(code);
        response
    }

    async fn admitted(self, request: Request) -> Response {
        // Whoever asks whether the server lives must be told so even when it is full.
        if request.uri().path().starts_with("/grpc.health.") {
            return self.in_time(request).await.0;
        }
        let rules = Arc::clone(&self.rules);
        match rules.admission.enter() {
            Err(full) => full.into_http(),
            Ok(place) => {
                let (response, until) = self.in_time(request).await;
                rules.admission.held(response, place, until)
            }
        }
    }

    /// The response, and when a stream that it begins has to end.
    async fn in_time(mut self, mut request: Request) -> (Response, Option<Deadline>) {
        let allowed = deadline::allowed(request.headers()).map(deadline::with_margin);
        let time =
            allowed.map_or(self.rules.call_timeout, |time| time.min(self.rules.call_timeout));
        let due = Deadline::after(time);
        // The server's own cap is for answers; a stream may go on for as long as its caller likes.
        let until = allowed.map(Deadline::after);
        request.extensions_mut().insert(due);
        let answer = AssertUnwindSafe(async move { self.inner.call(request).await });
        let answer = tokio::time::timeout_at(due.instant().into(), answer.catch_unwind());
        let response = match answer.await {
            Ok(Ok(Ok(response))) => explain::with_reason(response),
            Ok(Ok(Err(never))) => match never {},
            Ok(Err(panic)) => explain::panicked(&*panic),
            Err(_late) => refusal::deadline_exceeded().into_http(),
        };
        (response, until)
    }
}
