//! Errors that the transport made get a stable reason, like all others.

use std::any::Any;

use http::{HeaderMap, HeaderName};
use tonic::{Code, Status};

use crate::{Response, refusal};

static GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// A response that is nothing but a refusal carries its status in the headers.
pub(crate) fn refused_with(headers: &HeaderMap) -> Option<Status> {
    headers.contains_key(&GRPC_STATUS).then(|| Status::from_header_map(headers)).flatten()
}

/// Gives the response a reason if it is a refusal, and tells its code.
pub(crate) fn with_reason(response: &mut Response) -> Code {
    let Some(status) = refused_with(response.headers()) else { return Code::Ok };
    let bare = status.details().is_empty();
    let Some(explained) = bare.then(|| refusal::with_reason(&status)).flatten() else {
        return status.code();
    };
    let code = explained.code();
    *response = explained.into_http();
    code
}

/// A panic is a defect of ours: it is logged, and the caller is told no more than that.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Response {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = message.unwrap_or("of unknown kind"), "a call panicked");
    refusal::panicked().into_http()
}
