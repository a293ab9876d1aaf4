//! A service that is called without the router.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use tonic::codegen::BoxFuture;
use tonic::server::NamedService;
use tower::Service;

use crate::{Request, Response};

type Call = dyn Fn(Request) -> BoxFuture<Response, Infallible> + Send + Sync;

/// A service without its type: the server is compiled once, and not again for each service.
#[derive(Clone)]
pub struct FastPath {
    pub(crate) name: &'static str,
    call: Arc<Call>,
}

impl FastPath {
    /// A service as tonic generates them; it is always ready.
    pub fn new<S>(service: S) -> Self
    where
        S: Service<
                Request,
                Response = Response,
                Error = Infallible,
                Future = BoxFuture<Response, Infallible>,
            > + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
    {
        Self { name: S::NAME, call: Arc::new(move |request| service.clone().call(request)) }
    }

    pub(crate) fn call(&self, request: Request) -> BoxFuture<Response, Infallible> {
        (self.call)(request)
    }
}

impl fmt::Debug for FastPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FastPath").field(&self.name).finish()
    }
}
