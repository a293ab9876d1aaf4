//! Both games as a WebAssembly module with plain exports.
