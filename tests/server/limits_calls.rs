//! More calls than places: the rest is refused at once and told when to come back.

use std::time::Duration;

use bytes::Bytes;
use rstest::rstest;
use tonic::{Code, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_types::StatusExt as _;

use crate::crowd::Crowd;
use crate::frames;
use crate::game::{assert_well, azul, dealt, long_work, new_game, path, pavilion, short_work};
use crate::grpc::{Engine, OpenStream, assert_refused, channel, engine, health, refusal};
use crate::patience::{PATIENCE, until, until_async};
use crate::plain;
use crate::process::Server;

#[track_caller]
fn assert_overloaded(status: &Status) {
    assert_eq!(refusal(status), (Code::ResourceExhausted, "OVERLOADED".to_owned()));
    let retry = status.get_details_retry_info().expect("it says when").retry_delay.unwrap();
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
        let refused = plain::call(server.public, "ListRulesets", b"{}");
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
    // Health is answered all the while.
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
async fn a_full_workshop_refuses_and_cheap_calls_go_on(#[case] workers: usize) {
    let server = Server::start(&["--workers", &workers.to_string()]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;

    let crowd = Crowd::fills_workshop(&one, &state, workers).await;

    assert_overloaded(&crowd.refused);
    assert_overloaded(&one.expand(short_work(&state)).await.unwrap_err());
    one.new_game(new_game(azul(2), 1)).await.unwrap();
    drop(crowd);
    until_async("the workshop is free again", PATIENCE, async || {
        one.clone().expand(short_work(&state)).await.ok()
    })
    .await;
}

/// A request whose body never comes to an end is kept in memory: it has to count.
#[rstest]
#[case::by_grpc("application/grpc")]
#[case::by_plain_http("application/json")]
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_still_coming_takes_a_place(#[case] content: &str) {
    let server = Server::start(&["--max-calls", "1"]);
    let mut one = engine(&server).await;
    assert_well(&mut one).await;
    let client = frames::connect(server.public).await;
    let headers = [("content-type", content)];
    let (answer, mut send) = frames::begin(&client, &path("Replay"), &headers).await.unwrap();
    // A frame that says how long it is, and then nothing.
    send.send_data(Bytes::from_static(&[0, 0, 0, 3, 0xe8]), false).unwrap();

    // Asked at the admin port: a call would take the one place itself, and the request lose it.
    until("the place is taken", PATIENCE, || {
        let metrics = plain::get(server.admin, "/metrics").text();
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
