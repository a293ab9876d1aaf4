//! Errors of the server itself: the only file of the runtime that names status codes.

use std::collections::HashMap;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::Overloaded;

/// The domain of every `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "azulejo";

fn status(code: Code, reason: &str, message: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, DOMAIN, HashMap::new());
    Status::with_error_details(code, message, details)
}

/// The server is overloaded. The error says when to retry.
#[must_use]
pub fn overloaded(overload: &Overloaded) -> Status {
    let mut details = ErrorDetails::with_error_info("OVERLOADED", DOMAIN, HashMap::new());
    details.set_retry_info(Some(overload.retry_after));
    Status::with_error_details(Code::ResourceExhausted, overload.to_string(), details)
}

pub(crate) fn deadline_exceeded() -> Status {
    status(Code::DeadlineExceeded, "DEADLINE_EXCEEDED", "the deadline of the call has passed")
}

/// The server is stopping: another replica will answer.
pub(crate) fn going_away() -> Status {
    let mut details = ErrorDetails::with_error_info("GOING_AWAY", DOMAIN, HashMap::new());
    details.set_retry_info(Some(Duration::from_millis(500)));
    Status::with_error_details(Code::Unavailable, "the server is stopping", details)
}

/// A defect of the server, which has been logged.
pub fn internal() -> Status {
    status(Code::Internal, "INTERNAL", "internal error; it was logged")
}

pub(crate) fn unknown_method(path: &str) -> Status {
    let message = format!("there is no method {path}; reflection lists them all");
    status(Code::Unimplemented, "UNKNOWN_METHOD", &message)
}

pub(crate) fn bad_message(problem: &str) -> Status {
    status(Code::InvalidArgument, "BAD_MESSAGE", &format!("the message cannot be read: {problem}"))
}

/// JSON that does not fit the message at this field.
pub(crate) fn bad_field(path: &str, problem: &str) -> Status {
    let mut details = ErrorDetails::with_error_info("BAD_MESSAGE", DOMAIN, HashMap::new());
    let message = format!("{path}: {problem}");
    details.add_bad_request_violation(path, message.clone());
    Status::with_error_details(Code::InvalidArgument, message, details)
}

pub(crate) fn too_large(problem: &str) -> Status {
    status(Code::ResourceExhausted, "MESSAGE_TOO_LARGE", problem)
}

pub(crate) fn unsupported_encoding(problem: &str) -> Status {
    status(Code::Unimplemented, "UNSUPPORTED_ENCODING", problem)
}

pub(crate) fn unsupported_type(known: &str) -> Status {
    let message = format!("set the header content-type to one of {known}");
    status(Code::Unimplemented, "UNSUPPORTED_CONTENT_TYPE", &message)
}

/// A stream that was called in a way that only unary methods support.
pub(crate) fn stream_only(method: &str, works: &str) -> Status {
    let message = format!("{method} is a stream: call it by POST with content-type {works}");
    status(Code::Unimplemented, "STREAM_ONLY", &message)
}

/// Errors of the transport have no reason: they get one here. Errors of services always have one.
pub(crate) fn with_reason(found: &Status) -> Option<Status> {
    let message = found.message();
    match found.code() {
        // The transport's code for bytes that are not a message.
        Code::Internal => Some(bad_message(message)),
        Code::OutOfRange | Code::ResourceExhausted => Some(too_large(message)),
        Code::Unimplemented => Some(unsupported_encoding(message)),
        Code::Cancelled => Some(status(Code::Cancelled, "CANCELLED", message)),
        Code::Unknown => Some(status(Code::InvalidArgument, "BAD_REQUEST", message)),
        Code::Ok
        | Code::InvalidArgument
        | Code::DeadlineExceeded
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::Unavailable
        | Code::DataLoss
        | Code::Unauthenticated => None,
    }
}

/// The code's name in metrics and spans.
pub(crate) const fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// The HTTP status that the Connect protocol gives a code, and the code's name there.
pub(crate) const fn over_http(code: Code) -> (u16, &'static str) {
    match code {
        Code::Ok => (200, "ok"),
        Code::Cancelled => (499, "canceled"),
        Code::Unknown => (500, "unknown"),
        Code::InvalidArgument => (400, "invalid_argument"),
        Code::DeadlineExceeded => (504, "deadline_exceeded"),
        Code::NotFound => (404, "not_found"),
        Code::AlreadyExists => (409, "already_exists"),
        Code::PermissionDenied => (403, "permission_denied"),
        Code::ResourceExhausted => (429, "resource_exhausted"),
        Code::FailedPrecondition => (400, "failed_precondition"),
        Code::Aborted => (409, "aborted"),
        Code::OutOfRange => (400, "out_of_range"),
        Code::Unimplemented => (501, "unimplemented"),
        Code::Internal => (500, "internal"),
        Code::Unavailable => (503, "unavailable"),
        Code::DataLoss => (500, "data_loss"),
        Code::Unauthenticated => (401, "unauthenticated"),
    }
}
