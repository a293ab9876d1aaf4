//! Database errors as errors of the store. Their messages name tables and columns, never values:
//! PostgreSQL puts values into the details, which are not shown.

use std::fmt::Display;

use sqlx::error::ErrorKind;

use crate::store::StoreError;

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn failed(problem: sqlx::Error) -> StoreError {
    StoreError::Failed(problem.to_string())
}

/// Why `what` could not be written: a conflict if a row exists already, or is missing.
pub(super) fn refused(what: impl Display) -> impl FnOnce(sqlx::Error) -> StoreError {
    move |problem| match problem.as_database_error().map(sqlx::error::DatabaseError::kind) {
        Some(ErrorKind::UniqueViolation) => conflict(format!("{what} already exists")),
        Some(ErrorKind::ForeignKeyViolation) => {
            conflict(format!("{what} refers to something that does not exist"))
        }
        Some(ErrorKind::NotNullViolation | ErrorKind::CheckViolation) => {
            conflict(format!("{what} has an invalid value"))
        }
        Some(ErrorKind::ExclusionViolation | ErrorKind::Other | _) | None => failed(problem),
    }
}

pub(super) const fn conflict(text: String) -> StoreError {
    StoreError::Conflict(text)
}

/// A stored value that cannot be read. The value is not shown: it may be a secret.
pub(super) fn unreadable(what: impl Display) -> StoreError {
    StoreError::Unreadable(what.to_string())
}
