//! What the server tells of itself: for Prometheus always, for OTLP where it is sent to. Whoever is
//! served here adds what it counts to the same registry.
//!
//! Prometheus' own histograms rather than OpenTelemetry's: a handle for each method costs a few
//! atomic additions, where OpenTelemetry hashes every label of every call.

use anyhow::Result;
use opentelemetry::KeyValue;
use opentelemetry::metrics::Histogram as OtlpHistogram;
use prometheus::process_collector::ProcessCollector;
use prometheus::{Histogram, HistogramOpts, HistogramVec, IntGauge, Opts, Registry, TextEncoder};
use tonic::Code;

use crate::admission::Admission;
use crate::refusal;

/// From 50 microseconds, as an Apply takes, to the longest that a call may take.
pub(crate) const SECONDS: [f64; 16] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
    1.0, 2.5, 10.0,
];

const SYSTEM: &str = "grpc";

#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: HistogramVec,
    active: IntGauge,
    otlp: Option<OtlpHistogram<f64>>,
}

impl Metrics {
    pub(crate) fn new(
        registry: Registry,
        max_calls: usize,
        otlp: Option<OtlpHistogram<f64>>,
    ) -> Result<Self> {
        let version = Opts::new("azulejo_build_info", "Which version runs: always 1.")
            .const_label("version", env!("CARGO_PKG_VERSION"));
        constant(&registry, version, 1)?;
        let most = Opts::new(
            "azulejo_server_max_calls",
            "Calls and streams that are served at once at most.",
        );
        constant(&registry, most, max_calls)?;
        // Memory, processor time and open files of the process.
        registry.register(Box::new(ProcessCollector::for_self()))?;
        let calls = HistogramOpts::new(
            "rpc_server_call_duration_seconds",
            "How long calls took, until their answer began.",
        );
        let labels = ["rpc_method", "rpc_response_status_code", "rpc_system_name"];
        let calls = HistogramVec::new(calls.buckets(SECONDS.to_vec()), &labels)?;
        let active = Opts::new(
            "azulejo_server_active_calls",
            "Calls and streams that are being served now.",
        );
        let active = IntGauge::with_opts(active)?;
        registry.register(Box::new(calls.clone()))?;
        registry.register(Box::new(active.clone()))?;
        Ok(Self { registry, calls, active, otlp })
    }

    /// Where calls of this method that went well are counted.
    pub(crate) fn of_method(&self, method: &str) -> Histogram {
        self.calls.with_label_values(&[method, refusal::name(Code::Ok), SYSTEM])
    }

    pub(crate) fn count(&self, method: &str, code: Code, seconds: f64) {
        let labels = [method, refusal::name(code), SYSTEM];
        self.calls.with_label_values(&labels).observe(seconds);
    }

    /// The same for OTLP, if anybody listens there.
    pub(crate) fn send(&self, method: &str, code: Code, seconds: f64) {
        if let Some(otlp) = &self.otlp {
            let labels = [
                KeyValue::new("rpc.method", method.to_owned()),
                KeyValue::new("rpc.response.status_code", refusal::name(code)),
                KeyValue::new("rpc.system.name", SYSTEM),
            ];
            otlp.record(seconds, &labels);
        }
    }

    /// Everything so far, in the text format of Prometheus.
    pub(crate) fn text(&self, admission: &Admission) -> String {
        self.active.set(i64::try_from(admission.taken()).unwrap_or(i64::MAX));
        TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap_or_default()
    }
}

fn constant(registry: &Registry, opts: Opts, value: usize) -> Result<()> {
    let gauge = IntGauge::with_opts(opts)?;
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
    Ok(registry.register(Box::new(gauge))?)
}
