//! SQL that is the same for every database, as data: each store binds the values in its own way.

use super::StoreError;
use super::failure::conflict;
use crate::record::Bytes32;
use crate::time::Wall;

/// One statement with its values.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) sql: &'static str,
    pub(super) values: Vec<Value>,
    /// What it writes, for errors.
    pub(super) what: String,
    /// The conflict if no row is affected.
    pub(super) conflict: Option<String>,
}

#[derive(Debug)]
pub(super) enum Value {
    Text(Option<String>),
    /// Text for people; PostgreSQL stores it as bytes, because it may hold any character.
    Note(Option<String>),
    Number(i64),
    OptionalNumber(Option<i64>),
    Flag(bool),
    Bytes(Option<Vec<u8>>),
}

impl Value {
    pub(super) fn text(text: &impl ToString) -> Self {
        Self::Text(Some(text.to_string()))
    }

    /// Text for people that is not optional.
    pub(super) fn note(text: &str) -> Self {
        Self::Note(Some(text.to_owned()))
    }

    pub(super) const fn time(Wall(millis): Wall) -> Self {
        Self::Number(millis.cast_signed())
    }

    pub(super) fn hash(hash: &Bytes32) -> Self {
        Self::Bytes(Some(hash.0.to_vec()))
    }
}

impl Statement {
    pub(super) const fn new(sql: &'static str, values: Vec<Value>, what: String) -> Self {
        Self { sql, values, what, conflict: None }
    }

    /// The same, but it must affect a row.
    pub(super) fn or_conflict(self, text: String) -> Self {
        Self { conflict: Some(text), ..self }
    }
}

/// Refuses if a statement that must affect a row did not.
pub(super) fn check_affected(rows: u64, if_none: Option<String>) -> Result<(), StoreError> {
    match if_none {
        Some(text) if rows == 0 => Err(conflict(text)),
        Some(_) | None => Ok(()),
    }
}
