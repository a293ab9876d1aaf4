//! An OTLP collector that keeps what it receives.

use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1 as metrics;
use opentelemetry_proto::tonic::collector::trace::v1 as trace;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    services: Vec<String>,
    spans: Vec<Span>,
    metrics: Vec<String>,
}

impl Collector {
    /// Listens, and returns its address. It ends with the runtime of the test.
    pub(crate) async fn listen() -> (Self, String) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let collector = Self::default();
        let serving = Server::builder()
            .add_service(trace::trace_service_server::TraceServiceServer::new(collector.clone()))
            .add_service(metrics::metrics_service_server::MetricsServiceServer::new(
                collector.clone(),
            ))
            .serve_with_incoming(TcpIncoming::from(listener));
        tokio::spawn(serving);
        (collector, url)
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.kept.lock().unwrap().spans.clone()
    }

    /// The names of the metrics.
    pub(crate) fn metrics(&self) -> Vec<String> {
        self.kept.lock().unwrap().metrics.clone()
    }

    /// `service.name` of every sender of spans.
    pub(crate) fn services(&self) -> Vec<String> {
        self.kept.lock().unwrap().services.clone()
    }
}

/// The text of an attribute.
pub(crate) fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    let value = found.value.as_ref()?.value.as_ref()?;
    let any_value::Value::StringValue(text) = value else {
        panic!("{key} is not a text: {value:?}")
    };
    Some(text.clone())
}

#[tonic::async_trait]
impl trace::trace_service_server::TraceService for Collector {
    async fn export(
        &self,
        request: Request<trace::ExportTraceServiceRequest>,
    ) -> Result<Response<trace::ExportTraceServiceResponse>, Status> {
        let mut kept = self.kept.lock().unwrap();
        for from in request.into_inner().resource_spans {
            let resource = from.resource.unwrap_or_default();
            kept.services.extend(attribute(&resource.attributes, "service.name"));
            kept.spans.extend(from.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
        Ok(Response::new(trace::ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl metrics::metrics_service_server::MetricsService for Collector {
    async fn export(
        &self,
        request: Request<metrics::ExportMetricsServiceRequest>,
    ) -> Result<Response<metrics::ExportMetricsServiceResponse>, Status> {
        let all = request.into_inner().resource_metrics;
        let scopes = all.into_iter().flat_map(|from| from.scope_metrics);
        let names = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name);
        self.kept.lock().unwrap().metrics.extend(names);
        Ok(Response::new(metrics::ExportMetricsServiceResponse::default()))
    }
}
