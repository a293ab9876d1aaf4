//! When to stop.

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal as on};

/// Listens for SIGTERM, as Kubernetes sends it, and for Ctrl-C, from this very moment: one that came
/// before would end the process at once. What it gives back waits for the first of them.
pub fn signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = on(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = on(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
