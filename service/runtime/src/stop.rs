//! When to stop.

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal as on};

/// Waits for SIGTERM, as Kubernetes sends it, or for Ctrl-C.
pub async fn signal() -> Result<()> {
    let mut terminate = on(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        pressed = tokio::signal::ctrl_c() => pressed.context("cannot listen for Ctrl-C"),
    }
}
