//! Streams and connections that stay open do not hold up a stop.

use std::time::Duration;

use azulejo_tests::waiting::soon;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

use crate::grpc::{OpenStream, assert_health, channel, engine, refusal};
use crate::process::Server;
use crate::requests::assert_well;
use crate::{http1, http2};

/// Much less than the grace time of ten seconds.
const AT_ONCE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn an_open_stream_ends_with_going_away() {
    let mut server = Server::start(&[]);
    let stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();

    server.terminate();

    let status = stream.end().await.unwrap_err();
    assert_eq!(refusal(&status), (Code::Unavailable, "GOING_AWAY".to_owned()));
    let retry = status.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!(retry <= Duration::from_secs(5), "{retry:?}");
    assert_eq!(server.ends_within(AT_ONCE).code(), Some(0));
}

/// A health watcher is notified that the server is not ready any more. Then its stream ends, with
/// `GOING_AWAY` or without a status; the process does not wait for it.
async fn a_watcher_does_not_hold_up_the_stop(mut server: Server, url: String) {
    let mut client = HealthClient::new(channel(url.clone()).await);
    let request = HealthCheckRequest { service: "ready".to_owned() };
    assert_health(&url, "ready", ServingStatus::Serving).await;
    let mut watch = client.watch(request).await.unwrap().into_inner();
    let first = soon("the first word", watch.message()).await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::Serving);

    server.terminate();

    let mut said = Vec::new();
    let end = loop {
        match soon("the watch ends", watch.message()).await {
            Ok(Some(word)) => said.push(word.status()),
            Ok(None) => break None,
            Err(status) => break Some(status),
        }
    };
    assert_eq!(said, [ServingStatus::NotServing]);
    assert_eq!(server.ends_within(AT_ONCE).code(), Some(0));
    let log = server.log();
    assert!(!log.contains("cut off"), "the process waited for its whole grace time: {log}");
    if let Some(status) = end {
        assert_eq!(refusal(&status), (Code::Unavailable, "GOING_AWAY".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_on_the_public_port_does_not_hold_up_the_stop() {
    let server = Server::start(&["--grace", "3000"]);
    let url = server.url();
    a_watcher_does_not_hold_up_the_stop(server, url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_on_the_admin_port_does_not_hold_up_the_stop() {
    let server = Server::start(&["--grace", "3000"]);
    let url = server.admin_url();
    a_watcher_does_not_hold_up_the_stop(server, url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_without_calls_do_not_hold_up_the_stop() {
    let mut server = Server::start(&[]);
    let silent = http1::open(server.public);
    let idle = http2::connect(server.public).await;
    let mut used = engine(&server).await;
    assert_well(&mut used).await;
    let admin = channel(server.admin_url()).await;

    server.terminate();

    assert_eq!(server.ends_within(AT_ONCE).code(), Some(0));
    let log = server.log();
    assert!(!log.contains("cut off"), "the process waited for its whole grace time: {log}");
    drop((silent, idle, used, admin));
}
