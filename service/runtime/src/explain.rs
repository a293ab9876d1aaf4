//! Gives errors of the transport a stable reason, like all others.

use http::{HeaderMap, HeaderName};
use tonic::{Code, Status};

use crate::{Response, refusal};

static GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// The error of a response without a body: its status is in the headers.
pub(crate) fn refused_with(headers: &HeaderMap) -> Option<Status> {
    headers.contains_key(&GRPC_STATUS).then(|| Status::from_header_map(headers)).flatten()
}

/// Gives an error response a reason if it has none. Returns its code.
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
