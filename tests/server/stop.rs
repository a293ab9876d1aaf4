//! A stop under load: callers do not notice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use azulejo_tests::waiting::{PATIENCE, soon, until_async};
use bytes::Bytes;
use h2::client::SendRequest;
use prost::Message as _;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::grpc::{assert_health, engine, health};
use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::requests::{assert_well, azul, dealt, first_move, long_work, path, pavilion};

const CALLERS: usize = 8;

/// The calls of all callers.
#[derive(Default)]
struct Tally {
    first: AtomicUsize,
    second: AtomicUsize,
    enough: AtomicBool,
}

/// The outcome of a call.
enum Outcome {
    Answered(http2::Answer),
    /// The server has not processed it and never will: by HTTP/2 it is safe to retry.
    NotServed,
    Failed(h2::Error),
}

async fn call(client: &SendRequest<Bytes>, frame: &Bytes) -> Outcome {
    let Ok((answer, mut send)) = http2::begin(client, &path("Apply"), &[GRPC]).await else {
        return Outcome::NotServed;
    };
    // If this fails, the response has the error.
    let _reported_below = send.send_data(frame.clone(), true);
    match http2::finish(answer).await {
        Ok(answer) => Outcome::Answered(answer),
        Err(error) if error.is_go_away() => Outcome::NotServed,
        Err(error) if error.reason() == Some(h2::Reason::REFUSED_STREAM) => Outcome::NotServed,
        Err(error) => Outcome::Failed(error),
    }
}

/// Calls in a loop; if a server is not available, it calls the other one, as a load balancer does.
async fn caller(addresses: [SocketAddr; 2], frame: Bytes, expected: Bytes, tally: Arc<Tally>) {
    let first = http2::connect(addresses[0]).await;
    let second = http2::connect(addresses[1]).await;
    let mut first_is_there = true;
    while !tally.enough.load(Ordering::Relaxed) {
        let client = if first_is_there { &first } else { &second };
        match call(client, &frame).await {
            Outcome::Answered(answer) if answer.status().code() == Code::Unavailable => {
                assert!(first_is_there, "no server is left: {answer:?}");
                first_is_there = false;
            }
            Outcome::Answered(answer) => {
                assert_eq!(answer.message(), expected);
                let count = if first_is_there { &tally.first } else { &tally.second };
                count.fetch_add(1, Ordering::Relaxed);
            }
            Outcome::NotServed => {
                assert!(first_is_there, "no server is left");
                first_is_there = false;
            }
            Outcome::Failed(error) => panic!("a call failed: {error:?}"),
        }
    }
}

async fn until_many(calls: &AtomicUsize) {
    until_async("calls are answered", PATIENCE, async || {
        (calls.load(Ordering::Relaxed) > 100 * CALLERS).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_fails_when_a_server_stops_behind_a_load_balancer() {
    let (mut stopping, staying) = (Server::start(&["--grace", "5000"]), Server::start(&[]));
    let mut one = engine(&staying).await;
    let state = dealt(&mut one, azul(2)).await;
    let request = first_move(&mut one, &state).await;
    let frame = framed(0, &request.encode_to_vec());
    let expected = Bytes::from(one.apply(request).await.unwrap().into_inner().encode_to_vec());
    let tally = Arc::new(Tally::default());
    let addresses = [stopping.public, staying.public];
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| caller(addresses, frame.clone(), expected.clone(), Arc::clone(&tally)))
        .map(tokio::spawn)
        .collect();
    until_many(&tally.first).await;

    stopping.terminate();

    let ended = stopping.ends_within(Duration::from_secs(5));
    until_many(&tally.second).await;
    tally.enough.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!(ended.code(), Some(0), "{}", stopping.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_is_not_ready_before_its_port_closes() {
    let mut server = Server::start(&["--drain", "1500"]);
    assert_health(&server.admin_url(), "ready", ServingStatus::Serving).await;

    server.terminate();

    until_async("it says that it is not ready", Duration::from_secs(1), async || {
        let ready = health(server.admin_url(), "ready").await.unwrap();
        (ready == ServingStatus::NotServing).then_some(())
    })
    .await;
    assert_eq!(health(server.url(), "").await.unwrap(), ServingStatus::NotServing);
    assert_eq!(health(server.admin_url(), "live").await.unwrap(), ServingStatus::Serving);
    // New connections and calls still work.
    assert_well(&mut engine(&server).await).await;
    assert!(server.has_ended().is_none());
    assert_eq!(server.ends_within(Duration::from_secs(5)).code(), Some(0));
    assert_eq!(health(server.url(), "").await.unwrap_err().code(), Code::Unavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_runs_during_the_stop_is_still_answered() {
    let mut server = Server::start(&["--grace", "20000"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, azul(2)).await;
    let mut work = long_work(&state);
    work.games = 2000;
    let expected = one.playouts(work.clone()).await.unwrap().into_inner();
    let running = tokio::spawn(async move { one.playouts(work).await });
    until_active(&server, 1).await;

    server.terminate();

    assert_eq!(running.await.unwrap().unwrap().into_inner(), expected);
    assert_eq!(server.ends_within(Duration::from_secs(5)).code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_outlasts_the_grace_time_is_cut_off() {
    let flags = ["--grace", "100", "--call-timeout", "60000", "--workers", "1"];
    let mut server = Server::start(&flags);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    // One call runs and four wait: seconds of work.
    let running: Vec<_> = (0..5)
        .map(|_| {
            let (mut one, work) = (one.clone(), long_work(&state));
            tokio::spawn(async move { one.playouts(work).await })
        })
        .collect();
    until_active(&server, 5).await;

    server.terminate();
    let begun = Instant::now();

    let ended = server.ends_within(Duration::from_secs(2));
    assert!(begun.elapsed() >= Duration::from_millis(90), "the grace time was not given");
    assert_eq!(ended.code(), Some(0), "{}", server.log());
    let mut cut_off = 0;
    for call in running {
        cut_off += usize::from(soon("its end", call).await.unwrap().is_err());
    }
    assert!(cut_off >= 4, "the work was too short to prove anything");
}

/// Waits until this many calls are active.
async fn until_active(server: &Server, calls: usize) {
    let line = format!("azulejo_server_active_calls {calls}");
    until_async("the calls are being served", PATIENCE, async || {
        let metrics = crate::http1::get(server.admin, "/metrics").text();
        metrics.lines().any(|found| found == line).then_some(())
    })
    .await;
}
