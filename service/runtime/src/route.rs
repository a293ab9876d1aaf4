//! What a request is: a gRPC call, the same call by the Connect protocol, a browser's preflight, or
//! a page.

use std::sync::Arc;

use http::{Method as Verb, header};

use crate::methods::{Method, Methods};
use crate::{Request, Response, connect, cors};

pub(crate) enum Route {
    /// Looked up later: an unknown method is answered as gRPC does.
    Grpc,
    Connect(Arc<Method>),
    Preflight,
    Page,
    /// A call that is refused by its headers.
    Refused(Response),
    /// A Connect call of a method that does not exist.
    UnknownMethod(Response),
}

impl Route {
    pub(crate) fn of(methods: &Methods, request: &Request) -> Self {
        let content = request.headers().get(header::CONTENT_TYPE);
        // The exact value that nearly every gRPC client sends: the fast path.
        if content.is_some_and(|content| content == "application/grpc") {
            return Self::Grpc;
        }
        let content = connect::content_type(request.headers());
        if matches!(content, "application/grpc" | "application/grpc+proto") {
            return Self::Grpc;
        }
        if cors::is_preflight(request) {
            return Self::Preflight;
        }
        let path = request.uri().path();
        let is_call = matches!(*request.method(), Verb::POST | Verb::GET);
        match methods.at(path) {
            Some(method) if is_call => Self::Connect(Arc::clone(method)),
            Some(_) => Self::Refused(connect::method_not_allowed()),
            None if content.starts_with("application/grpc") => {
                Self::Refused(connect::unsupported_type())
            }
            None if connect::is_content_type(content) => {
                Self::UnknownMethod(connect::unknown_method(path))
            }
            None => Self::Page,
        }
    }
}
