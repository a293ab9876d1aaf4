//! Traces: the trace of the caller continues in the server, over gRPC and plain HTTP.

use std::time::Duration;

use azulejo_tests::waiting::{PATIENCE, until_async};
use azulejo_wire::engine::v1 as pb;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::{Span, status::StatusCode};

use crate::collector::{Collector, attribute};
use crate::grpc::{engine, with};
use crate::http1;
use crate::process::Server;
use crate::requests::{SERVICE, azul, dealt, first_move, new_game, path};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
const CONTEXT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// The spans of the caller's trace. The server sends them when it stops, at the latest.
fn traced(collector: &Collector) -> Vec<Span> {
    let mut spans = collector.spans();
    spans.retain(|span| hex(&span.trace_id) == TRACE);
    spans
}

async fn stopped(mut server: Server, collector: &Collector) -> Vec<Span> {
    server.terminate();
    assert_eq!(server.ends_within(PATIENCE).code(), Some(0));
    until_async("spans arrive", PATIENCE, async || {
        let spans = traced(collector);
        (!spans.is_empty()).then_some(spans)
    })
    .await
}

/// A span of Apply, under the caller's.
fn assert_apply(span: &Span, code: &str) {
    let said = |key| attribute(&span.attributes, key);
    let name = format!("{SERVICE}/Apply");
    assert_eq!(span.name, name);
    assert_eq!(hex(&span.parent_span_id), PARENT);
    assert_eq!(span.kind(), SpanKind::Server);
    assert_eq!(said("rpc.system.name").as_deref(), Some("grpc"));
    assert_eq!(said("rpc.method"), Some(name));
    assert_eq!(said("rpc.response.status_code").as_deref(), Some(code));
    assert!(span.end_time_unix_nano > span.start_time_unix_nano, "{span:?}");
    let status = span.status.clone().unwrap_or_default().code();
    if code == "OK" {
        assert_eq!(said("error.type"), None);
        assert_ne!(status, StatusCode::Error);
    } else {
        assert_eq!(said("error.type").as_deref(), Some(code));
        assert_eq!(status, StatusCode::Error);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_by_grpc_has_a_span_in_the_callers_trace() {
    let (collector, url) = Collector::listen().await;
    let server = Server::start(&["--otlp-endpoint", &url]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, azul(2)).await;
    let good = first_move(&mut one, &state).await;
    one.apply(with(good, "traceparent", CONTEXT)).await.unwrap();

    let spans = stopped(server, &collector).await;

    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_apply(&spans[0], "OK");
    assert!(collector.services().iter().all(|service| service == "azulejo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_span_of_a_refused_call_is_an_error() {
    let (collector, url) = Collector::listen().await;
    let server = Server::start(&["--otlp-endpoint", &url]);
    let mut one = engine(&server).await;
    one.apply(with(pb::ApplyRequest::default(), "traceparent", CONTEXT)).await.unwrap_err();

    let spans = stopped(server, &collector).await;

    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_apply(&spans[0], "INVALID_ARGUMENT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_by_plain_http_has_a_span_in_the_callers_trace() {
    let (collector, url) = Collector::listen().await;
    let server = Server::start(&["--otlp-endpoint", &url]);
    let headers = [("content-type", "application/json"), ("traceparent", CONTEXT)];
    let answer = http1::request(server.public, "POST", path("Apply"), &headers, b"{}");
    answer.assert_refused(400, "invalid_argument", "FIELD_MISSING");

    let spans = stopped(server, &collector).await;

    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_apply(&spans[0], "INVALID_ARGUMENT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_trace_or_with_a_broken_one_begins_a_new_trace() {
    let (collector, url) = Collector::listen().await;
    let mut server = Server::start(&["--otlp-endpoint", &url]);
    let mut one = engine(&server).await;
    for context in ["", "nonsense", "00-0-0-01", "ff-zz"] {
        one.new_game(with(new_game(azul(2), 1), "traceparent", context)).await.unwrap();
    }
    one.new_game(new_game(azul(2), 1)).await.unwrap();

    server.terminate();

    assert_eq!(server.ends_within(PATIENCE).code(), Some(0));
    let spans = until_async("spans arrive", PATIENCE, async || {
        let spans = collector.spans();
        (spans.len() >= 5).then_some(spans)
    })
    .await;
    let mut traces: Vec<_> = spans.iter().map(|span| span.trace_id.clone()).collect();
    traces.sort_unstable();
    traces.dedup();
    assert_eq!((spans.len(), traces.len()), (5, 5), "{spans:?}");
    assert!(spans.iter().all(|span| span.parent_span_id.is_empty()), "{spans:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_sent_too() {
    let (collector, url) = Collector::listen().await;
    let mut server = Server::start(&["--otlp-endpoint", &url]);
    engine(&server).await.new_game(new_game(azul(2), 1)).await.unwrap();

    server.terminate();

    assert_eq!(server.ends_within(PATIENCE).code(), Some(0));
    until_async("metrics arrive", PATIENCE, async || {
        let names = collector.metrics();
        names.iter().any(|name| name == "rpc.server.call.duration").then_some(())
    })
    .await;
}

/// A server that cannot export its telemetry still stops, well before Kubernetes would kill it.
async fn assert_undisturbed_by(collector: &str) {
    let mut server = Server::start(&["--otlp-endpoint", collector]);
    let mut one = engine(&server).await;
    for _ in 0..100 {
        one.new_game(new_game(azul(2), 1)).await.unwrap();
    }

    server.terminate();

    assert_eq!(server.ends_within(Duration::from_secs(7)).code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_does_not_disturb_the_calls_or_the_stop() {
    assert_undisturbed_by("http://127.0.0.1:9").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_hangs_does_not_disturb_the_calls_or_the_stop() {
    let hangs = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    assert_undisturbed_by(&format!("http://{}", hangs.local_addr().unwrap())).await;
}
