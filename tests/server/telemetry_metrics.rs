//! Metrics for Prometheus, on the admin port.

use std::collections::BTreeSet;
use std::path::Path;

use azulejo_wire::engine::v1 as pb;
use bytes::Bytes;

use crate::grpc::{OpenStream, channel, engine};
use crate::http1;
use crate::http2::{self, GRPC};
use crate::process::Server;
use crate::requests::{SERVICE, azul, new_game, path};

const DURATION: &str = "rpc_server_call_duration_seconds";
const ACTIVE: &str = "azulejo_server_active_calls";

fn metrics(server: &Server) -> String {
    let answer = http1::get(server.admin, "/metrics");
    assert_eq!(answer.status, 200);
    answer.text()
}

/// The calls of a method with a code, from the histogram's count.
fn calls(metrics: &str, method: &str, code: &str) -> u64 {
    let series = metrics.lines().filter(|line| {
        line.starts_with(&format!("{DURATION}_count{{"))
            && line.contains(&format!("rpc_method=\"{method}\""))
            && line.contains(&format!("rpc_response_status_code=\"{code}\""))
            && line.contains("rpc_system_name=\"grpc\"")
    });
    series.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

fn active(metrics: &str) -> u64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{ACTIVE} ")));
    line.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_is_counted_by_method_and_code() {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    for number in 0..3 {
        one.new_game(new_game(azul(2), number)).await.unwrap();
    }
    one.apply(pb::ApplyRequest::default()).await.unwrap_err();
    http1::call(server.public, "Apply", b"{}").assert_refused(
        400,
        "invalid_argument",
        "FIELD_MISSING",
    );

    let text = metrics(&server);

    assert_eq!(calls(&text, &format!("{SERVICE}/NewGame"), "OK"), 3, "{text}");
    assert_eq!(calls(&text, &format!("{SERVICE}/Apply"), "INVALID_ARGUMENT"), 2, "{text}");
    assert_eq!(active(&text), 0);
}

#[test]
fn a_call_by_plain_http_that_cannot_be_read_is_counted_too() {
    let server = Server::start(&[]);
    let refused = http1::call(server.public, "Apply", b"{");
    refused.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    let unknown = http1::call(server.public, "Cheat", b"{}");
    unknown.assert_refused(404, "unimplemented", "UNKNOWN_METHOD");

    let text = metrics(&server);

    assert_eq!(calls(&text, &format!("{SERVICE}/Apply"), "INVALID_ARGUMENT"), 1, "{text}");
    assert_eq!(calls(&text, "_OTHER", "UNIMPLEMENTED"), 1, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_stream_is_an_active_call_until_it_ends() {
    let server = Server::start(&[]);
    let stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();
    assert_eq!(active(&metrics(&server)), 1);

    drop(stream);

    azulejo_tests::waiting::until("its place is free", azulejo_tests::waiting::PATIENCE, || {
        (active(&metrics(&server)) == 0).then_some(())
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_that_do_not_exist_share_one_label() {
    let server = Server::start(&[]);
    let client = http2::connect(server.public).await;
    let mut before = 0;
    for number in 0..1000 {
        let method = path(&format!("Made{number}"));
        let (answer, mut send) = http2::begin(&client, &method, &[GRPC]).await.unwrap();
        // It may have been refused already.
        let _refused = send.send_data(Bytes::new(), true);
        http2::finish(answer).await.unwrap();
        if number == 0 {
            before = metrics(&server).lines().count();
        }
    }

    let text = metrics(&server);

    assert_eq!(calls(&text, "_OTHER", "UNIMPLEMENTED"), 1000, "{text}");
    assert!(!text.contains("Made"), "{text}");
    assert_eq!(text.lines().count(), before, "{text}");
}

/// The names in backticks.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// `name labels` of every metric in the table of the README.
fn listed() -> BTreeSet<(String, BTreeSet<String>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/runtime/README.md");
    let text = std::fs::read_to_string(&file).expect("service/runtime/README.md lists the metrics");
    let section = text.split("\n## Metrics\n").nth(1).expect("it has a section Metrics");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|');
        let mut names = quoted(cells.next().unwrap());
        let name = names.pop_first().unwrap();
        assert!(names.is_empty(), "one metric per row: {row}");
        (name, quoted(cells.next().expect("a cell of labels")))
    })
    .collect()
}

/// The same of the metrics that the server exports. A histogram is one metric, without `le`.
fn exported(metrics: &str) -> BTreeSet<(String, BTreeSet<String>)> {
    let kinds = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let names = kinds.map(|line| line.split(' ').next().unwrap().to_owned());
    let labels = |name: &str| {
        let mut labels = BTreeSet::new();
        for line in metrics.lines().filter(|line| line.starts_with(name)) {
            let inside = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            let pairs = inside.map_or("", |(pairs, _)| pairs).split(',');
            labels.extend(pairs.filter_map(|pair| pair.split_once('=')).map(|(key, _)| key.into()));
        }
        labels.remove("le");
        labels
    };
    names.map(|name| (name.clone(), labels(&name))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readme_lists_every_metric_with_its_labels() {
    let server = Server::start(&[]);
    engine(&server).await.new_game(new_game(azul(2), 1)).await.unwrap();
    let found = exported(&metrics(&server));
    let names: BTreeSet<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(DURATION) && names.contains(ACTIVE), "{names:?}");

    assert_eq!(listed(), found);
}
