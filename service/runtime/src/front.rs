//! The front: every request passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio_util::sync::CancellationToken;
use tonic::codegen::BoxFuture;
use tower::{Layer, Service};

use crate::admission::{Admission, Entrance};
use crate::background::{Background, Transcoder};
use crate::budget::Budget;
use crate::call::Call;
use crate::connection::Peer;
use crate::methods::{Kind, Method, Methods};
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::page::Page;
use crate::route::Route;
use crate::sent::Answer;
use crate::{Deadline, FastPath, Request, Response, Share, connect, cors, deadline, refusal};

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
    pub(crate) pages: Arc<Budget>,
    /// Cancelled when streams have to end.
    pub(crate) ending: CancellationToken,
    pub(crate) background: Background,
    pub(crate) call_timeout: Duration,
    pub(crate) max_request_bytes: usize,
}

/// Whether a call needs a place, or has it already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Admit {
    Here,
    Already,
}

/// `fast_path` is the service that is called most: its calls bypass the router, which would cost
/// half as much as the call itself.
#[derive(Clone, Debug)]
pub(crate) struct FrontLayer {
    pub(crate) config: Arc<FrontConfig>,
    pub(crate) fast_path: FastPath,
}

impl<S> Layer<S> for FrontLayer {
    type Service = Front<S>;

    fn layer(&self, others: S) -> Front<S> {
        Front { config: Arc::clone(&self.config), fast_path: self.fast_path.clone(), others }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Front<S> {
    config: Arc<FrontConfig>,
    fast_path: FastPath,
    others: S,
}

impl<S> Service<Request> for Front<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response, Infallible>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if size_of_headers(&request) > HEADER_BYTES {
            return Box::pin(ready(Ok(connect::too_many_headers())));
        }
        let open = request.extensions().get::<Peer>().map(Peer::begin_call);
        match Route::of(&self.config.methods, &request) {
            Route::Grpc => {
                let answer = self.grpc(request, Admit::Here);
                Box::pin(answer.map(|answer| Ok(answer.sent(open))))
            }
            Route::Connect(method) => {
                let waiting = self.clone();
                // The service that is ready is the one to call; the clone waits for the next turn.
                let ready = std::mem::replace(self, waiting);
                let answer = ready.connect(method, request);
                Box::pin(answer.map(|answer| Ok(answer.sent(open))))
            }
            Route::Page => Box::pin(self.page(request).map(|answer| Ok(answer.sent(open)))),
            Route::Preflight => Box::pin(ready(Ok(cors::preflight()))),
            Route::Refused(response) => Box::pin(ready(Ok(cors::allowed(response)))),
            Route::UnknownMethod(response) => {
                self.config.observer.unknown();
                Box::pin(ready(Ok(cors::allowed(response))))
            }
        }
    }
}

impl<S> Front<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    /// A gRPC call: measured, admitted, in time.
    fn grpc(
        &mut self,
        request: Request,
        admit: Admit,
    ) -> impl Future<Output = Answer> + Send + use<S> {
        let config = Arc::clone(&self.config);
        let call = match config.methods.at(request.uri().path()) {
            Some(method) => Ok(self.begin(Arc::clone(method), request, admit)),
            None => Err(refusal::unknown_method(request.uri().path())),
        };
        async move {
            match call {
                Ok(call) => call.answered(&config).await,
                Err(unknown) => {
                    config.observer.unknown();
                    unknown.into_http().into()
                }
            }
        }
    }

    /// A call by the Connect protocol: a gRPC call with another framing. A request whose body is
    /// still arriving holds a place, and keeps it until its response is sent.
    async fn connect(mut self, method: Arc<Method>, request: Request) -> Answer {
        let config = Arc::clone(&self.config);
        let limits = connect::Limits::of(&request, config.max_request_bytes, config.call_timeout);
        let entrance = config.admission.entrance(&method, &request);
        let share = entrance.as_ref().and_then(Entrance::share);
        let (place, full) = match entrance.map(|entrance| entrance.enter()).transpose() {
            Ok(place) => (place, None),
            Err(full) => (None, Some(full)),
        };
        let call = |call: Request| self.grpc(call, Admit::Already).map(|answer| answer.response);
        let answer = if let Some(full) = full {
            connect::refused(&method, &request, full)
        } else {
            let work = Transcoder { background: &config.background, share };
            connect::answer(&method, request, limits, work, call).await
        };
        if let Some(code) = answer.refused {
            config.observer.refused(&method, code);
        }
        Answer { response: cors::allowed(answer.response), place }
    }

    /// A page: measured, admitted, in time.
    fn page(&mut self, request: Request) -> impl Future<Output = Answer> + Send + use<S> {
        let config = Arc::clone(&self.config);
        let begun = config.observer.begin_page(request.headers());
        let share = request.extensions().get::<Peer>().and_then(Peer::share);
        let answer = config.background.run(Box::pin(self.others.call(request)), share);
        let page = Page { begun, share, answer };
        async move { page.answered(&config).await }
    }

    /// Everything that has to be known of the request, which the service takes with it.
    fn begin(&mut self, method: Arc<Method>, mut request: Request, admit: Admit) -> Call {
        let allowed = deadline::allowed(request.headers());
        let entrance = self.config.admission.entrance(&method, &request);
        let share = entrance.as_ref().and_then(Entrance::share);
        if let Some(share) = share {
            request.extensions_mut().insert(share);
        }
        let entrance = entrance.filter(|_| admit == Admit::Here);
        let begun = self.config.observer.begin(&method, request.headers());
        let background = &self.config.background;
        // A few compressed bytes may become many. Bots are known, and their moves are urgent.
        let is_heavy = is_compressed(&request) && matches!(share, Some(Share::Address(_)));
        Call {
            entrance,
            // From now, not from when the call is first polled: the timer of the transport starts
            // now too, and must not fire first.
            due: allowed.map(|time| Deadline::within(Some(time), self.config.call_timeout)),
            // Only the caller limits how long a stream is open; the server's cap is for answers.
            until: if method.is_unary { None } else { allowed.map(Deadline::after) },
            begun,
            answer: match method.service {
                Kind::FastPath if is_heavy => background.run(self.fast_path.call(request), share),
                Kind::Other if is_heavy => {
                    background.run(Box::pin(self.others.call(request)), share)
                }
                Kind::FastPath => self.fast_path.call(request),
                Kind::Health | Kind::Other => Box::pin(self.others.call(request)),
                Kind::Heavy => background.run_whole(self.fast_path.call(request), share),
                Kind::Read => background.run_whole(Box::pin(self.others.call(request)), share),
            },
            method,
        }
    }
}

/// Whether the messages of a gRPC call may be compressed.
fn is_compressed(request: &Request) -> bool {
    request.headers().get("grpc-encoding").is_some_and(|encoding| encoding != "identity")
}

/// Zero for HTTP/2, which limits its headers itself.
fn size_of_headers(request: &Request) -> usize {
    if request.version() >= http::Version::HTTP_2 {
        return 0;
    }
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
