//! What is told about every call: a span with the caller's trace context, and its duration.

use std::sync::Arc;
use std::time::Instant;

use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{KeyValue, metrics::Histogram};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::Code;
use tracing::{Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::methods::Method;
use crate::refusal;

/// Methods that nobody knows share one label: callers must not be able to make new ones.
const OTHER: &str = "_OTHER";

/// Watches calls.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    duration: Histogram<f64>,
    /// Whether anybody collects spans.
    traced: bool,
}

/// A call that is being watched.
#[derive(Debug)]
pub(crate) struct Observed {
    observer: Observer,
    method: Option<Arc<Method>>,
    begun: Instant,
    pub(crate) span: Span,
}

impl Observer {
    pub(crate) const fn new(duration: Histogram<f64>, traced: bool) -> Self {
        Self { duration, traced }
    }

    pub(crate) fn begin(&self, method: Option<Arc<Method>>, headers: &HeaderMap) -> Observed {
        let span = if self.traced { span(method.as_deref(), headers) } else { Span::none() };
        Observed { observer: self.clone(), method, begun: Instant::now(), span }
    }
}

impl Observed {
    /// Whether there is such a method.
    pub(crate) const fn is_known(&self) -> bool {
        self.method.is_some()
    }

    pub(crate) fn end(self, code: Code) {
        let seconds = self.begun.elapsed().as_secs_f64();
        match &self.method {
            Some(method) if code == Code::Ok => self.observer.duration.record(seconds, &method.ok),
            Some(method) => {
                self.observer.duration.record(seconds, &labels(&method.name(), code));
            }
            None => self.observer.duration.record(seconds, &labels(OTHER, code)),
        }
        if self.observer.traced {
            self.span.record("rpc.response.status_code", refusal::name(code));
            if code != Code::Ok {
                self.span.record("error.type", refusal::name(code));
                self.span.record("otel.status_code", "ERROR");
            }
        }
    }
}

/// The labels of the duration of a call.
pub(crate) fn labels(method: &str, code: Code) -> Vec<KeyValue> {
    vec![
        KeyValue::new("rpc.system.name", "grpc"),
        KeyValue::new("rpc.method", method.to_owned()),
        KeyValue::new("rpc.response.status_code", refusal::name(code)),
    ]
}

fn span(method: Option<&Method>, headers: &HeaderMap) -> Span {
    let name = method.map_or_else(|| OTHER.to_owned(), Method::name);
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
