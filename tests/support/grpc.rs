//! gRPC: connections, and the reasons of errors, which programs depend on.

use std::collections::HashMap;

use tonic::transport::Channel;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::waiting::soon;

/// A connection to the server at this URL.
pub async fn channel(url: String) -> Channel {
    soon("a connection", Channel::from_shared(url).unwrap().connect()).await.unwrap()
}

/// The code and the reason of an error. Every error of the server has a reason in the domain `azulejo`.
#[track_caller]
#[must_use]
pub fn refusal(status: &Status) -> (Code, String) {
    let info = status.get_details_error_info();
    let info = info.unwrap_or_else(|| panic!("an error without a reason: {status:?}"));
    assert_eq!(info.domain, "azulejo", "{status:?}");
    (status.code(), info.reason)
}

/// The metadata of the reason.
#[must_use]
pub fn metadata(status: &Status) -> HashMap<String, String> {
    status.get_details_error_info().map(|info| info.metadata).unwrap_or_default()
}

#[track_caller]
pub fn assert_refused<T: std::fmt::Debug>(answer: Result<T, Status>, code: Code, reason: &str) {
    assert_eq!(refusal(&answer.unwrap_err()), (code, reason.to_owned()));
}
