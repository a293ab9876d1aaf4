//! A service that can be called without the router.

use std::convert::Infallible;

use tonic::codegen::BoxFuture;
use tonic::server::NamedService;
use tower::Service;

use crate::{Request, Response};

/// A service as tonic generates them.
pub trait FastPath:
    Service<
        Request,
        Response = Response,
        Error = Infallible,
        Future = BoxFuture<Response, Infallible>,
    > + NamedService
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> FastPath for S where
    S: Service<
            Request,
            Response = Response,
            Error = Infallible,
            Future = BoxFuture<Response, Infallible>,
        > + NamedService
        + Clone
        + Send
        + Sync
        + 'static
{
}
