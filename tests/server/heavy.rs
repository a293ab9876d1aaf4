//! Work that takes long runs on other threads than those that serve turns.

use std::io::Write as _;
use std::time::Duration;

use azulejo_tests::process::{ANY_PORTS, azulejo};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use flate2::{Compression, write::GzEncoder};
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

use crate::grpc::engine;
use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::processor;
use crate::requests::pavilion;

const CALLS: u32 = 30;

/// What one call costs the threads that serve all connections, and all other threads.
struct Cost {
    serving: Duration,
    others: Duration,
}

fn serves(thread: &str) -> bool {
    thread.starts_with("tokio-")
}

fn spent(server: &Server) -> Cost {
    let id = server.id();
    Cost {
        serving: processor::time_of(id, serves),
        others: processor::time_of(id, |thread| !serves(thread)),
    }
}

#[track_caller]
fn assert_elsewhere(what: &str, before: &Cost, after: &Cost) {
    let (serving, others) =
        (after.serving.saturating_sub(before.serving), after.others.saturating_sub(before.others));
    println!("{what}: {:?} serving, {:?} elsewhere per call", serving / CALLS, others / CALLS);
    assert!(others > serving, "{what}: {serving:?} serving, {others:?} elsewhere");
}

/// The first deal of Summer Pavilion: ten tiles of six colors.
async fn before_the_first_deal(server: &Server) -> game::GameState {
    let none = game::SummerPavilionDisplays { displays: Vec::new() };
    let displays = game::Displays { game: Some(game::displays::Game::SummerPavilion(none)) };
    let chance = Some(pb::new_game_request::Chance::Displays(displays));
    let request = pb::NewGameRequest { ruleset: Some(pavilion(4)), start_seat: 0, chance };
    engine(server).await.new_game(request).await.unwrap().into_inner().state.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_outcomes_of_a_deal_are_computed_and_encoded_elsewhere() {
    let server = Server::start(&[]);
    let state = before_the_first_deal(&server).await;
    let mut client = engine(&server).await;
    let before = spent(&server);
    for _ in 0..CALLS {
        let request = pb::DealOutcomesRequest { state: Some(state.clone()) };
        let answer = client.deal_outcomes(request).await.unwrap().into_inner();
        assert_eq!(answer.outcomes.len(), 3003);
    }
    assert_elsewhere("DealOutcomes", &before, &spent(&server));
}

#[test]
fn large_messages_are_converted_to_json_elsewhere() {
    let server = Server::start(&[]);
    let new = r#"{"ruleset":{"summerPavilion":{"side":"BOARD_SIDE_COLORED","players":4}},
        "displays":{"summerPavilion":{}}}"#;
    let state = http1::call(server.public, "NewGame", new.as_bytes()).json()["state"].clone();
    let request = json!({ "state": state }).to_string();
    let before = spent(&server);
    for _ in 0..CALLS {
        let answer = http1::call(server.public, "DealOutcomes", request.as_bytes());
        assert!(answer.status == 200 && answer.body.len() > 100_000, "{}", answer.head);
    }
    assert_elsewhere("DealOutcomes by JSON", &before, &spent(&server));
}

/// A megabyte of unknown fields in a kilobyte.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Field 100, a number.
    encoder.write_all(&[0xa0, 0x06, 0x00].repeat(300_000)).unwrap();
    encoder.finish().unwrap()
}

const WATCH: &str = "/azulejo.arena.v1.MatchesService/WatchMatch";

/// One call without a token whose request is compressed.
async fn send_bomb(server: &Server, path: &str, content: &str) {
    let (headers, body) = match content {
        "application/grpc" => {
            (vec![GRPC, ("grpc-encoding", "gzip"), ("te", "trailers")], framed(1, &bomb()))
        }
        "application/connect+json" => (
            vec![("content-type", content), ("connect-content-encoding", "gzip")],
            framed(1, &bomb()),
        ),
        _ => (vec![("content-type", content), ("content-encoding", "gzip")], bomb().into()),
    };
    // Whatever the answer is.
    http2::call(server.public, path, &headers, body).await;
}

#[rstest]
#[case::a_call_of_the_engine("/azulejo.engine.v1.EngineService/NewGame", "application/grpc")]
#[case::a_call_of_the_arena("/azulejo.arena.v1.BotsService/RegisterBot", "application/grpc")]
#[case::a_stream(WATCH, "application/grpc")]
#[case::a_stream_as_lines(WATCH, "application/json")]
#[case::a_stream_as_json(WATCH, "application/connect+json")]
#[tokio::test(flavor = "multi_thread")]
async fn compressed_requests_without_a_token_are_read_elsewhere(
    #[case] path: &str,
    #[case] content: &str,
) {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("store.db");
    let fixed = ["serve", "--store", store.to_str().unwrap()];
    let server = Server::of(azulejo(&[&fixed[..], &ANY_PORTS].concat()));
    send_bomb(&server, path, content).await;
    let before = spent(&server);
    for _ in 0..CALLS {
        send_bomb(&server, path, content).await;
    }
    assert_elsewhere(path, &before, &spent(&server));
}
