//! Health as `grpc.health.v1`: `live` (the process runs) and `ready` (it accepts calls). The empty
//! name means the same as `ready`.

use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, HealthService};

use tonic_health::pb::health_server::HealthServer;

#[derive(Clone, Debug)]
pub(crate) struct Health {
    reporter: HealthReporter,
}

impl Health {
    pub(crate) async fn starting() -> Self {
        let reporter = HealthReporter::new();
        reporter.set_service_status("live", ServingStatus::Serving).await;
        let health = Self { reporter };
        health.set_ready(false).await;
        health
    }

    pub(crate) async fn set_ready(&self, ready: bool) {
        let status = if ready { ServingStatus::Serving } else { ServingStatus::NotServing };
        self.reporter.set_service_status("ready", status).await;
        self.reporter.set_service_status("", status).await;
    }

    /// Ends the streams of watchers: nothing will change any more.
    pub(crate) async fn close(&self) {
        let mut reporter = self.reporter.clone();
        for name in ["", "ready", "live"] {
            reporter.clear_service_status(name).await;
        }
    }

    pub(crate) fn service(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }
}
