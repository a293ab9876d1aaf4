//! The metrics of the server: always for Prometheus, and for OTLP if it is configured. Services
//! register their own metrics in the same registry.
//!
//! These are Prometheus' own histograms, not OpenTelemetry's: a handle for each method costs a few
//! atomic additions, where OpenTelemetry hashes every label of every call.

use http::StatusCode;
use opentelemetry::KeyValue;
use opentelemetry::metrics::Histogram as OtlpHistogram;
use prometheus::{Histogram, HistogramOpts, HistogramVec, IntGauge, Opts, Registry, TextEncoder};
use tonic::Code;

use crate::admission::Admission;
use crate::process_metrics::ProcessMetrics;
use crate::refusal;

/// From 50 microseconds, about what an Apply takes, to the longest that a call may take.
pub(crate) const SECONDS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1.0, 2.5, 10.0,
];

const SYSTEM: &str = "grpc";
pub(crate) const CALLS_HELP: &str = "Duration of calls until the response started.";
pub(crate) const PAGES_HELP: &str = "Duration of requests for pages until the response started.";

#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: HistogramVec,
    pages: HistogramVec,
    active: IntGauge,
    otlp: Option<OtlpHistograms>,
}

/// What is sent by OTLP.
#[derive(Clone, Debug)]
pub(crate) struct OtlpHistograms {
    pub(crate) calls: OtlpHistogram<f64>,
    pub(crate) pages: OtlpHistogram<f64>,
}

impl Metrics {
    pub(crate) fn new(
        registry: Registry,
        max_calls: usize,
        otlp: Option<OtlpHistograms>,
    ) -> Result<Self, prometheus::Error> {
        let version = Opts::new("azulejo_build_info", "The version that is running; always 1.")
            .const_label("version", env!("CARGO_PKG_VERSION"));
        constant(&registry, version, 1)?;
        let most = Opts::new(
            "azulejo_server_max_calls",
            "Maximum number of calls and streams served at the same time.",
        );
        constant(&registry, most, max_calls)?;
        registry.register(Box::new(ProcessMetrics::new()?))?;
        let calls = HistogramOpts::new("rpc_server_call_duration_seconds", CALLS_HELP);
        let labels = ["rpc_method", "rpc_response_status_code", "rpc_system_name"];
        let calls = HistogramVec::new(calls.buckets(SECONDS.to_vec()), &labels)?;
        let pages = HistogramOpts::new("http_server_request_duration_seconds", PAGES_HELP);
        let labels = ["http_response_status_code", "http_route"];
        let pages = HistogramVec::new(pages.buckets(SECONDS.to_vec()), &labels)?;
        let active = Opts::new("azulejo_server_active_calls", "Calls and streams being served.");
        let active = IntGauge::with_opts(active)?;
        registry.register(Box::new(calls.clone()))?;
        registry.register(Box::new(pages.clone()))?;
        registry.register(Box::new(active.clone()))?;
        Ok(Self { registry, calls, pages, active, otlp })
    }

    /// The histogram of successful calls of this method.
    pub(crate) fn of_method(&self, method: &str) -> Histogram {
        self.calls.with_label_values(&[method, refusal::name(Code::Ok), SYSTEM])
    }

    pub(crate) fn count(&self, method: &str, code: Code, seconds: f64) {
        let labels = [method, refusal::name(code), SYSTEM];
        self.calls.with_label_values(&labels).observe(seconds);
    }

    /// The same for OTLP, if it is configured.
    pub(crate) fn send(&self, method: &str, code: Code, seconds: f64) {
        if let Some(otlp) = &self.otlp {
            let labels = [
                KeyValue::new("rpc.method", method.to_owned()),
                KeyValue::new("rpc.response.status_code", refusal::name(code)),
                KeyValue::new("rpc.system.name", SYSTEM),
            ];
            otlp.calls.record(seconds, &labels);
        }
    }

    /// Counts a page.
    pub(crate) fn page(&self, route: &str, status: StatusCode, seconds: f64) {
        let labels = [status.as_str(), route];
        self.pages.with_label_values(&labels).observe(seconds);
        if let Some(otlp) = &self.otlp {
            let labels = [
                KeyValue::new("http.response.status_code", i64::from(status.as_u16())),
                KeyValue::new("http.route", route.to_owned()),
            ];
            otlp.pages.record(seconds, &labels);
        }
    }

    /// All metrics in the text format of Prometheus.
    pub(crate) fn text(&self, admission: &Admission) -> String {
        self.active.set(i64::try_from(admission.taken()).unwrap_or(i64::MAX));
        TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap_or_default()
    }
}

fn constant(registry: &Registry, opts: Opts, value: usize) -> Result<(), prometheus::Error> {
    let gauge = IntGauge::with_opts(opts)?;
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
    registry.register(Box::new(gauge))
}
