//! One of several kinds of calls that take turns: its clients, its results, and the processor time
//! that its server used.

use std::time::Duration;

use anyhow::Result;

use super::clients::{CallStats, Clients};
use super::server::ServerProcess;

/// Short, so that whatever else the machine does affects all contenders alike.
pub(super) const SLICE: Duration = Duration::from_millis(200);

pub(super) struct Contender {
    clients: Clients,
    pub(super) stats: CallStats,
    /// Of its server, in seconds.
    cpu: f64,
}

impl Contender {
    pub(super) fn new(clients: Clients) -> Result<Self> {
        Ok(Self { clients, stats: CallStats::new()?, cpu: 0.0 })
    }

    /// Calls for one slice.
    pub(super) async fn take_turn(&mut self, server: Option<&ServerProcess>) -> Result<()> {
        let cpu = || server.and_then(ServerProcess::cpu_seconds).unwrap_or_default();
        let before = cpu();
        let slice = self.clients.call_for(SLICE).await?;
        self.cpu += cpu() - before;
        self.stats.add(&slice)
    }

    /// Discards the results so far: they were for warming up.
    pub(super) fn reset(&mut self) -> Result<()> {
        (self.stats, self.cpu) = (CallStats::new()?, 0.0);
        Ok(())
    }

    /// Processor time of the server per call, in microseconds.
    pub(super) fn cpu_us(&self) -> Option<f64> {
        (self.cpu > 0.0).then(|| self.cpu * 1e6 / self.stats.calls as f64)
    }
}
