//! Logs, traces and metrics. The names and labels of the metrics are listed in the README.

use std::io::IsTerminal as _;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::metrics::{CALLS_HELP, OtlpHistograms, PAGES_HELP, SECONDS};
use crate::{LogFormat, ServerError, ServerOptions};

/// How long a stopping server tries to send what is left.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// Collects and sends. Keep it until the server has ended.
#[derive(Debug)]
pub struct Telemetry {
    meters: Option<SdkMeterProvider>,
    tracers: Option<SdkTracerProvider>,
}

impl Telemetry {
    /// Starts logging and, if it is configured, OTLP, which requires a tokio runtime.
    pub fn start(options: &ServerOptions, service: &'static str) -> Result<Self, ServerError> {
        let filter = options
            .log
            .parse::<Targets>()
            .map_err(|source| ServerError::LogFilter { filter: options.log.clone(), source })?;
        let (meters, tracers) = match &options.otlp_endpoint {
            None => (None, None),
            Some(endpoint) => {
                let (meters, tracers) = senders(endpoint, service)
                    .map_err(|source| ServerError::Otlp { endpoint: endpoint.clone(), source })?;
                (Some(meters), Some(tracers))
            }
        };
        let spans = tracers.as_ref().map(|tracers| {
            tracing_opentelemetry::layer()
                .with_tracer(tracers.tracer("azulejo"))
                .with_filter(LevelFilter::INFO)
        });
        let colored = std::io::stderr().is_terminal();
        let logs = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colored);
        let logs = match options.log_format {
            LogFormat::Pretty => logs.boxed(),
            LogFormat::Json => logs.json().boxed(),
        };
        // A subscriber may be set already, for example by a test.
        let _already =
            tracing_subscriber::registry().with(spans).with(logs.with_filter(filter)).try_init();
        Ok(Self { meters, tracers })
    }

    pub(crate) const fn is_traced(&self) -> bool {
        self.tracers.is_some()
    }

    /// The histograms that are sent by OTLP.
    pub(crate) fn histograms(&self) -> Option<OtlpHistograms> {
        let meter = self.meters.as_ref()?.meter("azulejo");
        let duration = |name: &'static str, help: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(help);
            histogram.with_boundaries(SECONDS.to_vec()).build()
        };
        Some(OtlpHistograms {
            calls: duration("rpc.server.call.duration", CALLS_HELP),
            pages: duration("http.server.request.duration", PAGES_HELP),
        })
    }

    /// Sends what is left to send, unless that takes long.
    pub async fn finish(self) {
        let Self { meters, tracers } = self;
        let sent = tokio::task::spawn_blocking(move || {
            // An unreachable collector is not worth reporting at the end.
            let _sent = tracers.map(|tracers| tracers.shutdown_with_timeout(FLUSH_TIMEOUT));
            let _sent = meters.map(|meters| meters.shutdown_with_timeout(FLUSH_TIMEOUT));
        });
        // With a collector that hangs, both wait longer than their own timeout.
        let _late = tokio::time::timeout(FLUSH_TIMEOUT, sent).await;
    }
}

fn senders(
    endpoint: &str,
    service: &'static str,
) -> Result<(SdkMeterProvider, SdkTracerProvider), ExporterBuildError> {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_service_name(service).with_attribute(version).build();
    let spans = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
    let metrics = MetricExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
    let meters =
        SdkMeterProvider::builder().with_periodic_exporter(metrics).with_resource(resource.clone());
    let tracers = SdkTracerProvider::builder().with_batch_exporter(spans).with_resource(resource);
    Ok((meters.build(), tracers.build()))
}
