//! Errors as `google.rpc.Status` messages: the only file of the engine that chooses status codes.

use azulejo_wire::google::rpc;
use prost::Message;

use crate::EngineError;

/// The domain of the reasons.
pub const DOMAIN: &str = "azulejo";

const INVALID_ARGUMENT: i32 = 3;
const DEADLINE_EXCEEDED: i32 = 4;
const FAILED_PRECONDITION: i32 = 9;

impl EngineError {
    /// The gRPC status code.
    const fn code(&self) -> i32 {
        match self {
            Self::BadField(_)
            | Self::AzulPosition(_)
            | Self::PavilionPosition(_)
            | Self::IllegalMove { .. }
            | Self::NoSuchAction { .. }
            | Self::BadNotation(_)
            | Self::BadPositionText(_)
            | Self::BadDeal { .. }
            | Self::BadRecord(_) => INVALID_ARGUMENT,
            Self::NoDealDue => FAILED_PRECONDITION,
            Self::OutOfTime => DEADLINE_EXCEEDED,
        }
    }

    /// The error with its reason and the wrong field, if there is one.
    #[must_use]
    pub fn status(&self) -> rpc::Status {
        let (code, field, message) = (self.code(), self.field(), self.to_string());
        let rule = self.rule().map(|rule| ("rule".to_owned(), rule.to_owned()));
        let info = rpc::ErrorInfo {
            reason: self.reason().to_owned(),
            domain: DOMAIN.to_owned(),
            metadata: rule.into_iter().collect(),
        };
        let mut details = vec![packed("google.rpc.ErrorInfo", &info)];
        if code == INVALID_ARGUMENT && !field.is_empty() {
            let description = message.clone();
            let violation = rpc::bad_request::FieldViolation { field, description };
            let request = rpc::BadRequest { field_violations: vec![violation] };
            details.push(packed("google.rpc.BadRequest", &request));
        }
        rpc::Status { code, message, details }
    }
}

fn packed(name: &str, message: &impl Message) -> prost_types::Any {
    let type_url = format!("type.googleapis.com/{name}");
    prost_types::Any { type_url, value: message.encode_to_vec() }
}
