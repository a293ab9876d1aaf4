//! What is told about every call: a span with the caller's trace context, and its duration.

use std::time::Instant;

use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::Code;
use tracing::{Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::methods::Method;
use crate::metrics::Metrics;
use crate::refusal;

/// Methods that nobody knows share one label: callers must not be able to make new ones.
const OTHER: &str = "_OTHER";

/// Watches calls.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    metrics: Metrics,
    /// Whether anybody collects spans.
    traced: bool,
}

/// A call that is being watched.
#[derive(Debug)]
pub(crate) struct Begun {
    at: Instant,
    /// Only where somebody collects them.
    pub(crate) span: Option<Span>,
}

impl Observer {
    pub(crate) const fn new(metrics: Metrics, traced: bool) -> Self {
        Self { metrics, traced }
    }

    pub(crate) fn begin(&self, method: &Method, headers: &HeaderMap) -> Begun {
        let span = self.traced.then(|| span(&method.name, headers));
        Begun { at: Instant::now(), span }
    }

    pub(crate) fn end(&self, begun: Begun, method: &Method, code: Code) {
        let seconds = begun.at.elapsed().as_secs_f64();
        if code == Code::Ok {
            method.ok.observe(seconds);
        } else {
            self.metrics.count(&method.name, code, seconds);
        }
        self.metrics.send(&method.name, code, seconds);
        if let Some(span) = begun.span {
            span.record("rpc.response.status_code", refusal::name(code));
            if code != Code::Ok {
                span.record("error.type", refusal::name(code));
                span.record("otel.status_code", "ERROR");
            }
        }
    }

    /// A call that was refused before it was made.
    pub(crate) fn refused(&self, method: &Method, code: Code) {
        self.metrics.count(&method.name, code, 0.0);
        self.metrics.send(&method.name, code, 0.0);
    }

    /// A call of a method that does not exist.
    pub(crate) fn unknown(&self) {
        self.metrics.count(OTHER, Code::Unimplemented, 0.0);
        self.metrics.send(OTHER, Code::Unimplemented, 0.0);
    }
}

fn span(name: &str, headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        "call",
        otel.name = name,
        otel.kind = "server",
        otel.status_code = field::Empty,
        rpc.system.name = "grpc",
        rpc.method = name,
        rpc.response.status_code = field::Empty,
        error.type = field::Empty,
        trace_id = field::Empty,
    );
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    // Without a collector there is nobody to tell.
    let _told = span.set_parent(parent);
    let trace = span.context().span().span_context().trace_id();
    span.record("trace_id", field::display(trace));
    span
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}
