//! The front: every call passes here, and this file knows the order.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tonic::codegen::BoxFuture;
use tower::{Layer, Service};

use crate::admission::Admission;
use crate::call::Call;
use crate::methods::{Kind, Method, Methods};
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::{Deadline, Direct, Request, Response, connect, cors, deadline, refusal};

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

/// `direct` is the service that is called most: its calls do not pass the router, which would cost
/// half as much as what they ask for.
#[derive(Clone, Debug)]
pub(crate) struct FrontLayer<D> {
    pub(crate) rules: Arc<Rules>,
    pub(crate) direct: D,
}

impl<D: Clone, S> Layer<S> for FrontLayer<D> {
    type Service = Front<D, S>;

    fn layer(&self, others: S) -> Front<D, S> {
        Front { rules: Arc::clone(&self.rules), direct: self.direct.clone(), others }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Front<D, S> {
    rules: Arc<Rules>,
    direct: D,
    others: S,
}

impl<D, S> Service<Request> for Front<D, S>
where
    D: Direct,
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response, Infallible>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        std::task::ready!(self.direct.poll_ready(cx))?;
        self.others.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if size_of_headers(&request) > HEADER_BYTES {
            return Box::pin(async { Ok(connect::too_many_headers()) });
        }
        match connect::kind(&self.rules.methods, &request) {
            connect::Kind::Grpc => Box::pin(self.grpc(request).map(Ok)),
            connect::Kind::Connect(method) => {
                let waiting = self.clone();
                // The service that is ready is the one to call; the clone waits for the next turn.
                let mut ready = std::mem::replace(self, waiting);
                Box::pin(async move {
                    let rules = Arc::clone(&ready.rules);
                    let limits = connect::Limits {
                        bytes: rules.max_request_bytes,
                        time: rules.call_timeout,
                    };
                    let place = rules.admission.enter();
                    let call = |call: Request| ready.grpc(call);
                    let answer = connect::answer(&method, request, limits, place, call).await;
                    if let Some(code) = answer.refused {
                        rules.observer.refused(&method, code);
                    }
                    Ok(cors::allowed(answer.response))
                })
            }
            connect::Kind::Refused(response) => {
                Box::pin(async move { Ok(cors::allowed(response)) })
            }
            connect::Kind::Unknown(response) => {
                self.rules.observer.unknown();
                Box::pin(async move { Ok(cors::allowed(response)) })
            }
            connect::Kind::Page => Box::pin(self.others.call(request)),
        }
    }
}

impl<D, S> Front<D, S>
where
    D: Direct,
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    /// A gRPC call: watched, admitted, in time.
    fn grpc(&mut self, request: Request) -> impl Future<Output = Response> + Send + use<D, S> {
        let rules = Arc::clone(&self.rules);
        let call = match rules.methods.at(request.uri().path()) {
            Some(method) => Ok(self.begin(Arc::clone(method), request)),
            None => Err(refusal::unknown_method(request.uri().path())),
        };
        async move {
            match call {
                Ok(call) => call.answered(&rules).await,
                Err(unknown) => {
                    rules.observer.unknown();
                    unknown.into_http()
                }
            }
        }
    }

    /// Everything that has to be known of the request, which the service takes with it.
    fn begin(&mut self, method: Arc<Method>, request: Request) -> Call {
        let allowed = deadline::allowed(request.headers());
        Call {
            // From here, not from when the call is first looked at: the transport's own timer
            // starts now too, and must not be first.
            due: allowed.map(|time| Deadline::within(Some(time), self.rules.call_timeout)),
            // A stream may go on for as long as its caller likes; the server's cap is for answers.
            until: if method.is_unary { None } else { allowed.map(Deadline::after) },
            begun: self.rules.observer.begin(&method, request.headers()),
            answer: match method.service {
                Kind::Direct => self.direct.call(request),
                Kind::Health | Kind::Other => Box::pin(self.others.call(request)),
            },
            method,
        }
    }
}

/// HTTP/2 counts for itself, and refuses too much before it is here.
fn size_of_headers(request: &Request) -> usize {
    if request.version() >= http::Version::HTTP_2 {
        return 0;
    }
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}
