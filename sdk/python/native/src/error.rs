//! `azulejo.PlayError`: a message, a stable reason, and the rule that forbids a move.

use azulejo_play::PlayError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The Python exception of an error.
pub(crate) fn raise(error: PlayError) -> PyErr {
    named(error.to_string(), error.reason(), error.rule())
}

/// An argument that is not what it has to be.
pub(crate) fn wrong_type(what: &str) -> PyErr {
    named(what.to_owned(), "WRONG_TYPE", None)
}

/// The object is at work in another thread.
pub(crate) fn in_use(what: &str) -> PyErr {
    named(format!("another thread is using this {what}"), "IN_USE", None)
}

pub(crate) fn named(message: String, reason: &'static str, rule: Option<&'static str>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| match CLASS.import(py, "azulejo.errors", "PlayError") {
        Ok(class) => PyErr::from_type(class.clone(), (message, reason, rule)),
        Err(error) => error,
    })
}
