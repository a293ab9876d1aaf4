//! Both games inside Python: the module `azulejo._native`, which the package `azulejo` exports.
//!
//! # Layout
//!
//! - `game`: one game; works without numpy.
//! - `batch`, `search`: many games and many trees, in numpy arrays that they write in place.
//! - `statistics`: playouts.
//! - `arguments`, `arrays`: what comes from Python, checked.
//! - `error`: `azulejo.PlayError`.

#![allow(clippy::needless_pass_by_value, reason = "the arguments of Python functions")]
#![allow(clippy::doc_link_with_quotes, reason = "lists in examples in Python")]

mod arguments;
mod arrays;
mod batch;
mod error;
mod game;
mod layout;
mod search;
mod statistics;

#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::game::{Game, restore, ruleset_keys, verify};
    #[pymodule_export]
    use crate::layout::{Layout, Section};
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::statistics::playouts;
}
