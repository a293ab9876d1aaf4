//! Logs for people and for machines.

use azulejo_tests::waiting::PATIENCE;
use serde_json::Value;

use crate::collector::Collector;
use crate::grpc::{engine, with};
use crate::http1;
use crate::process::Server;
use crate::requests::{azul, new_game};

#[tokio::test(flavor = "multi_thread")]
async fn json_logs_are_one_object_per_line() {
    let mut server = Server::start(&["--log-format", "json", "--log", "debug"]);
    engine(&server).await.new_game(new_game(azul(2), 1)).await.unwrap();
    server.terminate();
    assert_eq!(server.ends_within(PATIENCE).code(), Some(0));

    let log = server.log();

    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty());
    for line in &lines {
        for key in ["timestamp", "level", "fields", "target"] {
            assert!(line.get(key).is_some(), "no {key}: {line}");
        }
    }
    let stopping = |line: &Value| line["fields"]["message"] == "stopping";
    assert!(lines.iter().any(stopping), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_belongs_to_a_call_names_its_trace() {
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let (_collector, url) = Collector::listen().await;
    let flags = ["--log-format", "json", "--log", "trace", "--otlp-endpoint", &url];
    let mut server = Server::start(&flags);
    let context = format!("00-{TRACE}-b7ad6b7169203331-01");
    let request = with(new_game(azul(2), 1), "traceparent", &context);
    engine(&server).await.new_game(request).await.unwrap();
    server.terminate();
    assert_eq!(server.ends_within(PATIENCE).code(), Some(0));

    let log = server.log();

    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut spans = lines.flat_map(|line| line["spans"].as_array().cloned().unwrap_or_default());
    assert!(spans.any(|span| span["trace_id"] == TRACE), "{log}");
}

#[test]
fn a_quiet_server_logs_nothing_of_ordinary_calls() {
    let server = Server::start(&["--log", "warn"]);
    for _ in 0..10 {
        assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
        assert_eq!(http1::call(server.public, "Apply", b"{}").status, 400);
    }
    assert_eq!(server.log(), "");
}
