//! The front: every request passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tonic::codegen::BoxFuture;
use tower::{Layer, Service};

use crate::admission::Admission;
use crate::background::Background;
use crate::call::Call;
use crate::methods::{Kind, Method, Methods};
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::page::Page;
use crate::route::Route;
use crate::{Deadline, FastPath, Request, Response, connect, cors, deadline, refusal};

/// The most that the headers of a request may take together.
pub(crate) const HEADER_BYTES: usize = 16 * 1024;

/// Limits, and what measures them.
#[derive(Debug)]
pub(crate) struct FrontConfig {
    pub(crate) methods: Methods,
    pub(crate) observer: Observer,
    pub(crate) metrics: Metrics,
    pub(crate) admission: Admission,
    /// Pages have places of their own: readers must not take those of bots.
    pub(crate) pages: Admission,
    pub(crate) background: Background,
    pub(crate) call_timeout: Duration,
    pub(crate) max_request_bytes: usize,
}

/// `fast_path` is the service that is called most: its calls bypass the router, which would cost
/// half as much as the call itself.
#[derive(Clone, Debug)]
pub(crate) struct FrontLayer<F> {
    pub(crate) config: Arc<FrontConfig>,
    pub(crate) fast_path: F,
}

impl<F: Clone, S> Layer<S> for FrontLayer<F> {
    type Service = Front<F, S>;

    fn layer(&self, others: S) -> Front<F, S> {
        Front { config: Arc::clone(&self.config), fast_path: self.fast_path.clone(), others }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Front<F, S> {
    config: Arc<FrontConfig>,
    fast_path: F,
    others: S,
}

impl<F, S> Service<Request> for Front<F, S>
where
    F: FastPath,
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response, Infallible>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        std::task::ready!(self.fast_path.poll_ready(cx))?;
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if size_of_headers(&request) > HEADER_BYTES {
            return Box::pin(ready(Ok(connect::too_many_headers())));
        }
        match Route::of(&self.config.methods, &request) {
            Route::Grpc => Box::pin(self.grpc(request).map(Ok)),
            Route::Connect(method) => {
                let waiting = self.clone();
                // The service that is ready is the one to call; the clone waits for the next turn.
                let ready = std::mem::replace(self, waiting);
                Box::pin(ready.connect(method, request).map(Ok))
            }
            Route::Page => Box::pin(self.page(request).map(Ok)),
            Route::Preflight => Box::pin(ready(Ok(cors::preflight()))),
            Route::Refused(response) => Box::pin(ready(Ok(cors::allowed(response)))),
            Route::UnknownMethod(response) => {
                self.config.observer.unknown();
                Box::pin(ready(Ok(cors::allowed(response))))
            }
        }
    }
}

impl<F, S> Front<F, S>
where
    F: FastPath,
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    /// A gRPC call: measured, admitted, in time.
    fn grpc(&mut self, request: Request) -> impl Future<Output = Response> + Send + use<F, S> {
        let config = Arc::clone(&self.config);
        let call = match config.methods.at(request.uri().path()) {
            Some(method) => Ok(self.begin(Arc::clone(method), request)),
            None => Err(refusal::unknown_method(request.uri().path())),
        };
        async move {
            match call {
                Ok(call) => call.answered(&config).await,
                Err(unknown) => {
                    config.observer.unknown();
                    unknown.into_http()
                }
            }
        }
    }

    /// A call by the Connect protocol: a gRPC call with another framing.
    async fn connect(mut self, method: Arc<Method>, request: Request) -> Response {
        let config = Arc::clone(&self.config);
        let limits = connect::Limits { bytes: config.max_request_bytes, time: config.call_timeout };
        let place = config.admission.enter();
        let call = |call: Request| self.grpc(call);
        let answer = connect::answer(&method, request, limits, place, call).await;
        if let Some(code) = answer.refused {
            config.observer.refused(&method, code);
        }
        cors::allowed(answer.response)
    }

    /// A page: measured, admitted, in time.
    fn page(&mut self, request: Request) -> impl Future<Output = Response> + Send + use<F, S> {
        let config = Arc::clone(&self.config);
        let begun = config.observer.begin_page(request.headers());
        let answer = config.background.run(Box::pin(self.others.call(request)));
        let page = Page { begun, answer };
        async move { page.answered(&config).await }
    }

    /// Everything that has to be known of the request, which the service takes with it.
    fn begin(&mut self, method: Arc<Method>, request: Request) -> Call {
        let allowed = deadline::allowed(request.headers());
        Call {
            // From now, not from when the call is first polled: the timer of the transport starts
            // now too, and must not fire first.
            due: allowed.map(|time| Deadline::within(Some(time), self.config.call_timeout)),
            // Only the caller limits how long a stream is open; the server's cap is for answers.
            until: if method.is_unary { None } else { allowed.map(Deadline::after) },
            begun: self.config.observer.begin(&method, request.headers()),
            answer: match method.service {
                Kind::FastPath => self.fast_path.call(request),
                Kind::Health | Kind::Other => Box::pin(self.others.call(request)),
                Kind::Read => self.config.background.run(Box::pin(self.others.call(request))),
            },
            method,
        }
    }
}

/// Zero for HTTP/2, which limits its headers itself.
fn size_of_headers(request: &Request) -> usize {
    if request.version() >= http::Version::HTTP_2 {
        return 0;
    }
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
