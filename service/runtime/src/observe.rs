//! Measures every request: a span with the caller's trace context, and its duration.

use std::time::Instant;

use axum::extract::MatchedPath;
use http::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::Code;
use tracing::{Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::methods::Method;
use crate::metrics::Metrics;
use crate::{Response, refusal};

/// The label of unknown methods and pages: callers must not be able to create new ones.
const OTHER: &str = "_OTHER";

/// Measures calls and pages.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    metrics: Metrics,
    /// Whether spans are collected.
    traced: bool,
}

/// A request that is being measured.
#[derive(Debug)]
pub(crate) struct Begun {
    at: Instant,
    /// Only if spans are collected.
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

    pub(crate) fn begin_page(&self, headers: &HeaderMap) -> Begun {
        let span = self.traced.then(|| page_span(headers));
        Begun { at: Instant::now(), span }
    }

    /// Counts a page by its route, which the router puts into the extensions of the response.
    pub(crate) fn end_page(&self, begun: Begun, response: &Response) {
        let matched = response.extensions().get::<MatchedPath>();
        let (route, status) = (matched.map_or(OTHER, MatchedPath::as_str), response.status());
        self.metrics.page(route, status, begun.at.elapsed().as_secs_f64());
        if let Some(span) = begun.span {
            span.record("otel.name", route);
            span.record("http.route", route);
            span.record("http.response.status_code", status.as_u16());
            if status.is_server_error() {
                span.record("otel.status_code", "ERROR");
            }
        }
    }

    /// Counts a call that was refused before it was made.
    pub(crate) fn refused(&self, method: &Method, code: Code) {
        self.metrics.count(&method.name, code, 0.0);
        self.metrics.send(&method.name, code, 0.0);
    }

    /// Counts a call of a method that does not exist.
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
    with_parent(span, headers)
}

fn page_span(headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        "page",
        otel.name = field::Empty,
        otel.kind = "server",
        otel.status_code = field::Empty,
        http.route = field::Empty,
        http.response.status_code = field::Empty,
        trace_id = field::Empty,
    );
    with_parent(span, headers)
}

/// The span in the trace of the caller.
fn with_parent(span: Span, headers: &HeaderMap) -> Span {
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    // Fails only if spans are not collected.
    let _set = span.set_parent(parent);
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
