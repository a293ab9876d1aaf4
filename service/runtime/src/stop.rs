//! Signals to stop.

use std::io;

use tokio::signal::unix::{SignalKind, signal as on};

use crate::ServerError;

/// Listens for SIGTERM, which Kubernetes sends, and for Ctrl-C, from this call on: an earlier one
/// ends the process at once. The future waits for the first of them.
pub fn signal() -> Result<impl Future<Output = ()> + Send + 'static, ServerError> {
    let mut terminate = on(SignalKind::terminate()).map_err(|source| failed("SIGTERM", source))?;
    let mut interrupt = on(SignalKind::interrupt()).map_err(|source| failed("Ctrl-C", source))?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

const fn failed(signal: &'static str, source: io::Error) -> ServerError {
    ServerError::Signal { signal, source }
}
