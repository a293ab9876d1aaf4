//! Errors as gRPC statuses: the only file of the engine that names status codes.

use std::collections::HashMap;

use azulejo_runtime::{DOMAIN, Overloaded, overloaded};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::EngineError;

impl From<EngineError> for Status {
    fn from(error: EngineError) -> Self {
        let code = match &error {
            EngineError::BadField(_)
            | EngineError::AzulPosition(_)
            | EngineError::PavilionPosition(_)
            | EngineError::IllegalMove { .. }
            | EngineError::NoSuchAction { .. }
            | EngineError::BadNotation(_)
            | EngineError::BadDeal { .. }
            | EngineError::BadRecord(_) => Code::InvalidArgument,
            EngineError::NoDealDue => Code::FailedPrecondition,
            EngineError::OutOfTime => Code::DeadlineExceeded,
        };
        let rule = error.rule().map(|rule| ("rule".to_owned(), rule.to_owned()));
        let metadata: HashMap<String, String> = rule.into_iter().collect();
        let mut details = ErrorDetails::with_error_info(error.reason(), DOMAIN, metadata);
        let (field, message) = (error.field(), error.to_string());
        if code == Code::InvalidArgument && !field.is_empty() {
            details.add_bad_request_violation(field, message.clone());
        }
        Self::with_error_details(code, message, details)
    }
}

/// The workshop has more to do than it can.
pub(super) fn refused(overload: Overloaded) -> Status {
    overloaded(&overload)
}

/// The machine has no random numbers to give: nothing that a caller could mend.
pub(super) fn no_entropy() -> Status {
    let details = ErrorDetails::with_error_info("NO_ENTROPY", DOMAIN, HashMap::new());
    let message = "the server cannot make a seed; give one with the request";
    Status::with_error_details(Code::Unavailable, message, details)
}
