//! Logs, traces and metrics. The names and labels of the metrics are listed in the README.

use std::io::IsTerminal as _;
use std::time::Duration;

use anyhow::{Context, Result};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Histogram, MeterProvider as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::metrics::SECONDS;
use crate::{LogFormat, ServerOptions};

/// How long a server that stops tries to send what it has not sent yet.
const FAREWELL: Duration = Duration::from_secs(3);

/// What collects and sends. Whoever starts a server keeps it until the end.
#[derive(Debug)]
pub struct Telemetry {
    meters: Option<SdkMeterProvider>,
    tracers: Option<SdkTracerProvider>,
}

impl Telemetry {
    /// Starts telling; needs a tokio runtime if there is somebody to send to.
    pub fn start(options: &ServerOptions, service: &'static str) -> Result<Self> {
        let filter = EnvFilter::try_new(&options.log)
            .with_context(|| format!("--log {:?} is no filter", options.log))?;
        let (meters, tracers) = match &options.otlp_endpoint {
            None => (None, None),
            Some(endpoint) => {
                let (meters, tracers) = senders(endpoint, service)
                    .with_context(|| format!("--otlp-endpoint {endpoint:?}"))?;
                (Some(meters), Some(tracers))
            }
        };
        let spans = tracers.as_ref().map(|tracers| {
            tracing_opentelemetry::layer()
                .with_tracer(tracers.tracer("azulejo"))
                .with_filter(EnvFilter::new("info"))
        });
        let colored = std::io::stderr().is_terminal();
        let logs = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colored);
        let logs = match options.log_format {
            LogFormat::Pretty => logs.boxed(),
            LogFormat::Json => logs.json().boxed(),
        };
        // Somebody else may have set a subscriber already, as tests do.
        let _already =
            tracing_subscriber::registry().with(spans).with(logs.with_filter(filter)).try_init();
        Ok(Self { meters, tracers })
    }

    pub(crate) const fn is_traced(&self) -> bool {
        self.tracers.is_some()
    }

    /// How long calls take, for whoever listens at the other end.
    pub(crate) fn call_duration(&self) -> Option<Histogram<f64>> {
        let meter = self.meters.as_ref()?.meter("azulejo");
        let duration = meter
            .f64_histogram("rpc.server.call.duration")
            .with_unit("s")
            .with_description("How long calls took, until their answer began.")
            .with_boundaries(SECONDS.to_vec());
        Some(duration.build())
    }

    /// Sends what is left to send, unless that takes long.
    pub async fn finish(self) {
        let Self { meters, tracers } = self;
        let sent = tokio::task::spawn_blocking(move || {
            // Nobody is left to be told that the collector is away.
            let _sent = tracers.map(|tracers| tracers.shutdown_with_timeout(FAREWELL));
            let _sent = meters.map(|meters| meters.shutdown_with_timeout(FAREWELL));
        });
        // Each of them waits longer for a collector that hangs than it is told to.
        let _late = tokio::time::timeout(FAREWELL, sent).await;
    }
}

fn senders(endpoint: &str, service: &'static str) -> Result<(SdkMeterProvider, SdkTracerProvider)> {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_service_name(service).with_attribute(version).build();
    let spans = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
    let metrics = MetricExporter::builder().with_tonic().with_endpoint(endpoint).build()?;
    let meters =
        SdkMeterProvider::builder().with_periodic_exporter(metrics).with_resource(resource.clone());
    let tracers = SdkTracerProvider::builder().with_batch_exporter(spans).with_resource(resource);
    Ok((meters.build(), tracers.build()))
}
