//! Logs, traces and metrics. The names and labels of the metrics are listed in the README.

use std::io::IsTerminal as _;
use std::time::Duration;

use anyhow::{Context, Result};
use opentelemetry::metrics::{Histogram, Meter, MeterProvider as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use prometheus::{Registry, TextEncoder};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::admission::Admission;
use crate::{LogFormat, ServerOptions};

/// From 50 microseconds, as an Apply takes, to the longest that a call may take.
const SECONDS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1.0, 2.5, 10.0,
];

/// What collects and sends. Whoever starts a server keeps it until the end.
#[derive(Debug)]
pub struct Telemetry {
    registry: Registry,
    meters: SdkMeterProvider,
    tracers: Option<SdkTracerProvider>,
}

impl Telemetry {
    /// Starts telling; needs a tokio runtime if there is somebody to send to.
    pub fn start(options: &ServerOptions, service: &'static str) -> Result<Self> {
        let filter = EnvFilter::try_new(&options.log)
            .with_context(|| format!("--log {:?} is no filter", options.log))?;
        let resource = Resource::builder()
            .with_service_name(service)
            .with_attribute(opentelemetry::KeyValue::new(
                "service.version",
                env!("CARGO_PKG_VERSION"),
            ))
            .build();
        let registry = Registry::new();
        let prometheus = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .without_target_info()
            .scope_info_enabled(false)
            .build()?;
        let mut meters =
            SdkMeterProvider::builder().with_reader(prometheus).with_resource(resource.clone());
        let mut tracers = None;
        if let Some(endpoint) = &options.otlp_endpoint {
            let spans = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build();
            let spans = spans.with_context(|| format!("--otlp-endpoint {endpoint:?}"))?;
            let metrics = MetricExporter::builder().with_tonic().with_endpoint(endpoint).build();
            let metrics = metrics.with_context(|| format!("--otlp-endpoint {endpoint:?}"))?;
            meters = meters.with_periodic_exporter(metrics);
            let provider =
                SdkTracerProvider::builder().with_batch_exporter(spans).with_resource(resource);
            tracers = Some(provider.build());
        }
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
        Ok(Self { registry, meters: meters.build(), tracers })
    }

    pub(crate) const fn is_traced(&self) -> bool {
        self.tracers.is_some()
    }

    fn meter(&self) -> Meter {
        self.meters.meter("azulejo")
    }

    /// How long calls take.
    pub(crate) fn call_duration(&self) -> Histogram<f64> {
        self.meter()
            .f64_histogram("rpc.server.call.duration")
            .with_unit("s")
            .with_description("How long calls took, until their answer began.")
            .with_boundaries(SECONDS.to_vec())
            .build()
    }

    /// How many calls and streams are being served.
    pub(crate) fn watch(&self, admission: Admission, places: usize) {
        self.meter()
            .u64_observable_gauge("azulejo.server.active_calls")
            .with_description("Calls and streams that are being served now.")
            .with_callback(move |gauge| {
                gauge.observe(places.saturating_sub(admission.free()) as u64, &[]);
            })
            .build();
    }

    /// Everything so far, in the text format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap_or_default()
    }

    /// Sends what is left to send.
    pub fn finish(&self) {
        const LONGEST: Duration = Duration::from_secs(3);
        if let Some(tracers) = &self.tracers {
            // Nobody is left to be told that the collector is away.
            let _sent = tracers.shutdown_with_timeout(LONGEST);
        }
        let _sent = self.meters.shutdown_with_timeout(LONGEST);
    }
}
