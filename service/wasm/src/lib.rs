//! Both games as a WebAssembly module with plain exports, for hosts in any language.
//!
//! # Layout
//!
//! - [`exports`]: the calls of the host, one line each.
//! - [`Engine`]: everything that an instance of the module owns.
//! - `games`, `batches`, `documents`: the calls.
//! - `slab`: objects behind handles.
//! - [`Failure`]: why a call failed.

mod batches;
mod documents;
mod engine;
pub mod exports;
mod failure;
mod games;
mod slab;
#[cfg(test)]
mod tests;

pub use engine::Engine;
pub use failure::Failure;
