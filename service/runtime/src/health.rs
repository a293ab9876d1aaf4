//! Health as `grpc.health.v1`: `live` (the process runs) and `ready` (it can carry out calls). The empty
//! name means the same as `ready`.

use std::sync::Arc;

use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, HealthService};

use tonic_health::pb::health_server::HealthServer;

#[derive(Clone, Debug)]
pub(crate) struct Health {
    reporter: HealthReporter,
    /// The last value. The reporter would repeat an equal one to its watchers.
    ready: Arc<Mutex<bool>>,
}

impl Health {
    pub(crate) async fn starting() -> Self {
        let reporter = HealthReporter::new();
        reporter.set_service_status("live", ServingStatus::Serving).await;
        let health = Self { reporter, ready: Arc::default() };
        health.report(false).await;
        health
    }

    pub(crate) async fn set_ready(&self, ready: bool) {
        let mut last = self.ready.lock().await;
        if *last != ready {
            *last = ready;
            self.report(ready).await;
        }
    }

    async fn report(&self, ready: bool) {
        let status = if ready { ServingStatus::Serving } else { ServingStatus::NotServing };
        self.reporter.set_service_status("ready", status).await;
        self.reporter.set_service_status("", status).await;
    }

    /// Reports `ready` as the application does, until `stop`.
    pub(crate) async fn follow(&self, mut ready: watch::Receiver<bool>, stop: &CancellationToken) {
        loop {
            let now = *ready.borrow_and_update();
            self.set_ready(now).await;
            match stop.run_until_cancelled(ready.changed()).await {
                Some(Ok(())) => tracing::info!(ready = *ready.borrow(), "readiness changes"),
                // The application has ended, or never changes.
                Some(Err(_ended)) => return stop.cancelled().await,
                None => return,
            }
        }
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

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, StreamExt as _};
    use tonic::Request;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_check_response::ServingStatus as Status;
    use tonic_health::pb::health_server::Health as _;

    use super::*;

    async fn is_ready(health: &Health) -> bool {
        let service = HealthService::from_health_reporter(health.reporter.clone());
        let request = Request::new(HealthCheckRequest { service: "ready".to_owned() });
        let status = service.check(request).await.unwrap().into_inner().status();
        status == Status::Serving
    }

    #[tokio::test]
    async fn watchers_receive_changes_only() {
        let health = Health::starting().await;
        let service = HealthService::from_health_reporter(health.reporter.clone());
        let request = Request::new(HealthCheckRequest { service: "ready".to_owned() });
        let mut watched = service.watch(request).await.unwrap().into_inner();
        for (ready, heard) in
            [(false, Some(false)), (false, None), (true, Some(true)), (true, None)]
        {
            health.set_ready(ready).await;
            let next = watched.next().now_or_never();
            let next = next.map(|status| status.unwrap().unwrap().status() == Status::Serving);
            assert_eq!(next, heard, "after {ready}");
        }
    }

    #[tokio::test]
    async fn readiness_follows_the_application_until_the_server_stops() {
        let (health, stop) = (Health::starting().await, CancellationToken::new());
        let (application, ready) = watch::channel(true);
        let following = tokio::spawn({
            let (health, stop) = (health.clone(), stop.clone());
            async move { health.follow(ready, &stop).await }
        });
        for expected in [true, false, true] {
            application.send_replace(expected);
            while is_ready(&health).await != expected {
                tokio::task::yield_now().await;
            }
        }
        drop(application);
        stop.cancel();
        following.await.unwrap();
        assert!(is_ready(&health).await, "the last value stays");
    }
}
