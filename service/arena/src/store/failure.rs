//! What a database says, in the words of the store. Their own texts name tables and columns, never
//! values: PostgreSQL puts those into the details, which are not shown.

use std::fmt::Display;

use sqlx::error::ErrorKind;

use crate::store::StoreError;

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn failed(problem: sqlx::Error) -> StoreError {
    StoreError::Failed(problem.to_string())
}

/// Why `what` could not be written: a conflict if a row is in the way, or missing.
pub(super) fn refused(what: impl Display) -> impl FnOnce(sqlx::Error) -> StoreError {
    move |problem| match problem.as_database_error().map(sqlx::error::DatabaseError::kind) {
        Some(ErrorKind::UniqueViolation) => conflict(format!("{what} is there already")),
        Some(ErrorKind::ForeignKeyViolation) => {
            conflict(format!("{what} belongs to something that is not there"))
        }
        Some(ErrorKind::NotNullViolation | ErrorKind::CheckViolation) => {
            conflict(format!("{what} cannot be like this"))
        }
        Some(ErrorKind::ExclusionViolation | ErrorKind::Other | _) | None => failed(problem),
    }
}

pub(super) const fn conflict(text: String) -> StoreError {
    StoreError::Conflict(text)
}

/// Something in the store that cannot be read. What it says is not shown: it may be a secret.
pub(super) fn unreadable(what: impl Display) -> StoreError {
    StoreError::Failed(format!("{what} cannot be read"))
}
