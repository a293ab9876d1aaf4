//! Errors as gRPC statuses.

use std::collections::HashMap;

use azulejo_runtime::{DOMAIN, Overloaded, overloaded};
use prost::Message;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::EngineError;

impl From<EngineError> for Status {
    fn from(error: EngineError) -> Self {
        let status = error.status();
        let details = status.encode_to_vec();
        Self::with_details(Code::from_i32(status.code), status.message, details.into())
    }
}

/// The worker pool is full.
pub(super) fn refused(overload: Overloaded) -> Status {
    overloaded(&overload)
}

/// The operating system has no random numbers.
pub(super) fn no_entropy() -> Status {
    let details = ErrorDetails::with_error_info("NO_ENTROPY", DOMAIN, HashMap::new());
    let message = "cannot generate a seed; send one with the request";
    Status::with_error_details(Code::Unavailable, message, details)
}
