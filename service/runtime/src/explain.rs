//! Errors that the transport made get a stable reason, like all others.

use std::any::Any;

use http::HeaderMap;
use tonic::{Code, Status};

use crate::{Response, refusal};

/// A response that is nothing but a refusal carries its status in the headers.
pub(crate) fn refused_with(headers: &HeaderMap) -> Option<Status> {
    headers.contains_key("grpc-status").then(|| Status::from_header_map(headers)).flatten()
}

/// The response, with a reason if it is a refusal, and its code.
pub(crate) fn with_reason(response: Response) -> (Response, Code) {
    let Some(status) = refused_with(response.headers()) else { return (response, Code::Ok) };
    let bare = status.details().is_empty();
    match bare.then(|| refusal::with_reason(&status)).flatten() {
        Some(explained) => (explained.clone().into_http(), explained.code()),
        None => (response, status.code()),
    }
}

/// A panic is a defect of ours: it is logged, and the caller is told no more than that.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Response {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = message.unwrap_or("of unknown kind"), "a call panicked");
    refusal::panicked().into_http()
}
