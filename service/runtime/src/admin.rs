//! The admin port: health for the kubelet, metrics for Prometheus, and the version.

use std::sync::Arc;

use axum::Json;
use axum::routing::get;
use serde_json::json;
use tonic::service::Routes;

use crate::front::FrontConfig;
use crate::health::Health;

pub(crate) fn routes(health: &Health, config: Arc<FrontConfig>) -> Routes {
    let version = json!({ "name": "azulejo", "version": env!("CARGO_PKG_VERSION") });
    let router = axum::Router::new()
        .route("/metrics", get(async move || config.metrics.text(&config.admission)))
        .route("/version", get(async move || Json(version)));
    Routes::from(router).add_service(health.service())
}
