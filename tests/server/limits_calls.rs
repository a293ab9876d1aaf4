//! More calls than the limit: the others are refused at once, with a delay for the retry.

use std::time::Duration;

use azulejo_tests::waiting::{PATIENCE, until, until_async};
use bytes::Bytes;
use rstest::rstest;
use tonic::{Code, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_types::StatusExt as _;

use crate::grpc::{Engine, OpenStream, assert_refused, channel, engine, health, refusal};
use crate::http1;
use crate::http2;
use crate::overload::Overload;
use crate::process::Server;
use crate::requests::{assert_well, azul, dealt, long_work, new_game, path, pavilion, short_work};

#[track_caller]
fn assert_overloaded(status: &Status) {
    assert_eq!(refusal(status), (Code::ResourceExhausted, "OVERLOADED".to_owned()));
    let retry = status.get_details_retry_info().expect("a retry delay").retry_delay.unwrap();
    assert!(retry > Duration::ZERO && retry <= Duration::from_secs(5), "{retry:?}");
}

async fn until_admitted(one: &mut Engine) {
    until_async("a place is free again", PATIENCE, async || {
        one.clone().new_game(new_game(azul(2), 1)).await.ok()
    })
    .await;
    assert_well(one).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_stream_takes_a_place_until_it_ends() {
    let server = Server::start(&["--max-calls", "1"]);
    let mut one = engine(&server).await;
    assert_well(&mut one).await;
    let stream = OpenStream::open(channel(server.url()).await, None).await.unwrap();

    for _ in 0..10 {
        assert_overloaded(&one.new_game(new_game(azul(2), 1)).await.unwrap_err());
        let refused = http1::call(server.public, "ListRulesets", b"{}");
        refused.assert_refused(429, "resource_exhausted", "OVERLOADED");
    }
    let second = OpenStream::open(channel(server.url()).await, None).await;
    assert_overloaded(&second.err().expect("no second stream"));
    for url in [server.url(), server.admin_url()] {
        assert_eq!(health(url, "ready").await.unwrap(), ServingStatus::Serving);
    }

    drop(stream);
    until_admitted(&mut one).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_call_takes_a_place_until_it_is_answered() {
    let server = Server::start(&["--max-calls", "1"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    let mut other = one.clone();
    let running = tokio::spawn(async move { other.playouts(long_work(&state)).await });
    // Health checks are always answered.
    let refused = until_async("the place is taken", PATIENCE, async || {
        assert_eq!(health(server.url(), "live").await.unwrap(), ServingStatus::Serving);
        one.clone().new_game(new_game(azul(2), 1)).await.err()
    })
    .await;
    assert_overloaded(&refused);

    running.await.unwrap().unwrap();
    until_admitted(&mut one).await;
}

#[rstest]
#[case::one_worker(1)]
#[case::two_workers(2)]
#[tokio::test(flavor = "multi_thread")]
async fn a_full_cpu_pool_refuses_calls_and_cheap_calls_still_work(#[case] workers: usize) {
    let server = Server::start(&["--workers", &workers.to_string()]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;

    let overload = Overload::fill(&one, &state, workers).await;

    assert_overloaded(&overload.refused);
    assert_overloaded(&one.expand(short_work(&state)).await.unwrap_err());
    one.new_game(new_game(azul(2), 1)).await.unwrap();
    drop(overload);
    until_async("the pool is free again", PATIENCE, async || {
        one.clone().expand(short_work(&state)).await.ok()
    })
    .await;
}

/// A request whose body is incomplete is kept in memory, so it has to count.
#[rstest]
#[case::by_grpc("application/grpc")]
#[case::by_plain_http("application/json")]
#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_request_takes_a_place(#[case] content: &str) {
    let server = Server::start(&["--max-calls", "1"]);
    let mut one = engine(&server).await;
    assert_well(&mut one).await;
    let client = http2::connect(server.public).await;
    let headers = [("content-type", content)];
    let (answer, mut send) = http2::begin(&client, &path("Replay"), &headers).await.unwrap();
    // The length of a frame, and then nothing.
    send.send_data(Bytes::from_static(&[0, 0, 0, 3, 0xe8]), false).unwrap();

    // From the admin port: a call would take the only place, and the request would be refused.
    until("the place is taken", PATIENCE, || {
        let metrics = http1::get(server.admin, "/metrics").text();
        metrics.contains("azulejo_server_active_calls 1").then_some(())
    });
    let refused = one.clone().new_game(new_game(azul(2), 1)).await.unwrap_err();

    assert_overloaded(&refused);
    send.send_reset(h2::Reason::CANCEL);
    drop(answer);
    until_admitted(&mut one).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_playouts_beyond_the_limit_is_refused_at_once() {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    let mut work = long_work(&dealt(&mut one, pavilion(4)).await);
    work.games = 10_001;
    assert_refused(one.playouts(work).await, Code::InvalidArgument, "OUT_OF_RANGE");
}
