//! Refusals, and what they say for programs to read.

use std::collections::HashMap;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// The code and the reason; every refusal of ours has one, in our domain.
#[track_caller]
pub(crate) fn refusal(status: &Status) -> (Code, String) {
    let info = status.get_details_error_info();
    let info = info.unwrap_or_else(|| panic!("a refusal without a reason: {status:?}"));
    assert_eq!(info.domain, "azulejo", "{status:?}");
    (status.code(), info.reason)
}

/// What is known beyond the reason.
pub(crate) fn metadata(status: &Status) -> HashMap<String, String> {
    status.get_details_error_info().map(|info| info.metadata).unwrap_or_default()
}

#[track_caller]
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    answer: Result<T, Status>,
    code: Code,
    reason: &str,
) {
    assert_eq!(refusal(&answer.unwrap_err()), (code, reason.to_owned()));
}
