//! Batches: small ones never wait for the worker pool, and their errors are those of single calls.

use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use azulejo_wire::google::rpc;
use pb::apply_request::Action;
use pb::batch_apply_result::Result as Of;
use prost::Message as _;
use serde_json::json;
use tokio::task::JoinSet;
use tonic::Code;

use crate::grpc::{Engine, assert_refused, engine};
use crate::http1;
use crate::overload::Overload;
use crate::process::Server;
use crate::requests::{azul, dealt, first_move, pavilion};

const CALLERS: usize = 16;
const CALLS: usize = 100;

/// Callers with batches of two moves, all at the same time. Every one of them is answered.
async fn call_at_once(engine: &Engine, request: &pb::ApplyRequest) {
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (mut engine, requests) = (engine.clone(), vec![request.clone(); 2]);
        callers.spawn(async move {
            for _ in 0..CALLS {
                let batch = pb::BatchApplyRequest { requests: requests.clone() };
                let answer = engine.batch_apply(batch).await.unwrap().into_inner();
                let is_answered =
                    |one: &pb::BatchApplyResult| matches!(&one.result, Some(Of::Response(_)));
                assert!(answer.results.len() == 2 && answer.results.iter().all(is_answered));
            }
        });
    }
    while let Some(caller) = callers.join_next().await {
        caller.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_callers_with_batches_of_two_are_never_refused() {
    let server = Server::start(&["--workers", "1"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, azul(2)).await;
    let request = first_move(&mut one, &state).await;

    call_at_once(&one, &request).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_worker_pool_refuses_only_batches_of_more_than_sixteen() {
    let server = Server::start(&["--workers", "1"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    let request = first_move(&mut one, &state).await;
    let batch = |size| pb::BatchApplyRequest { requests: vec![request.clone(); size] };

    let overload = Overload::fill(&one, &state, 1).await;

    call_at_once(&one, &request).await;
    let answer = one.batch_apply(batch(16)).await.unwrap().into_inner();
    assert_eq!(answer.results.len(), 16);
    assert_refused(one.batch_apply(batch(17)).await, Code::ResourceExhausted, "OVERLOADED");
    drop(overload);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_worker_pool_refuses_only_batches_with_legal_moves_of_more_than_two() {
    let server = Server::start(&["--workers", "1"]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(4)).await;
    let plain = first_move(&mut one, &state).await;
    let request = pb::ApplyRequest { include_legal_moves: true, ..plain.clone() };
    let batch = |size| pb::BatchApplyRequest { requests: vec![request.clone(); size] };

    let overload = Overload::fill(&one, &state, 1).await;

    call_at_once(&one, &request).await;
    assert_refused(one.batch_apply(batch(3)).await, Code::ResourceExhausted, "OVERLOADED");
    let mixed = pb::BatchApplyRequest { requests: vec![plain.clone(), plain, request.clone()] };
    assert_refused(one.batch_apply(mixed).await, Code::ResourceExhausted, "OVERLOADED");
    drop(overload);
}

/// Requests that Apply refuses: without a state, with a wrong field, with an illegal move.
fn wrong(state: &game::GameState) -> Vec<pb::ApplyRequest> {
    let moved = |notation: &str| pb::ApplyRequest {
        state: Some(state.clone()),
        action: Some(Action::Notation(notation.to_owned())),
        ..pb::ApplyRequest::default()
    };
    let mut two_markers = moved("1Bf");
    if let Some(game::game_state::Game::Azul(azul)) =
        two_markers.state.as_mut().and_then(|state| state.game.as_mut())
    {
        azul.boards.iter_mut().for_each(|board| board.has_marker = true);
    }
    vec![pb::ApplyRequest::default(), two_markers, moved("cBf"), moved("hello")]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_a_batch_is_the_status_that_apply_returns() {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, azul(2)).await;

    for request in wrong(&state) {
        let refused = one.apply(request.clone()).await.unwrap_err();
        let batch = pb::BatchApplyRequest { requests: vec![request] };
        let answer = one.batch_apply(batch).await.unwrap().into_inner();

        let Some(Of::Error(error)) = &answer.results[0].result else { panic!("{answer:?}") };
        assert_eq!(rpc::Status::decode(refused.details()).unwrap(), *error);
        assert_eq!((refused.code() as i32, refused.message()), (error.code, &*error.message));
        assert_eq!(error.details.len(), 2, "a reason and a field: {error:?}");
    }
}

#[test]
fn an_error_in_a_batch_names_the_field_as_json_spells_it() {
    let server = Server::start(&[]);
    let ruleset = json!({ "azul": { "side": "BOARD_SIDE_COLORED", "players": 2 } });
    let game =
        http1::call(server.public, "NewGame", json!({ "ruleset": ruleset }).to_string().as_bytes());
    let mut request = json!({ "state": game.json()["state"], "notation": "cBf" });
    for board in request["state"]["azul"]["boards"].as_array_mut().unwrap() {
        board["hasMarker"] = true.into();
    }
    let body = json!({ "requests": [request] }).to_string();

    let answer = http1::call(server.public, "BatchApply", body.as_bytes()).json();

    let error = &answer["results"][0]["error"];
    let field = "state.azul.boards[1].hasMarker";
    let message = format!("{field}: another board holds it already");
    assert_eq!(error["message"], message, "{answer}");
    assert_eq!(error["details"][0]["reason"], "HELD_TWICE");
    let violation = json!({ "field": field, "description": message });
    assert_eq!(error["details"][1]["fieldViolations"], json!([violation]));
}

#[test]
fn an_error_in_a_batch_is_readable_as_json() {
    let server = Server::start(&[]);

    let answer = http1::call(server.public, "BatchApply", b"{\"requests\":[{}]}");

    assert_eq!(answer.status, 200);
    let message = "state: this field is required";
    let expected = json!({ "results": [{ "error": {
        "code": 3,
        "message": message,
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "FIELD_MISSING",
                "domain": "azulejo",
                "metadata": {},
            },
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{ "field": "state", "description": message }],
            },
        ],
    } }] });
    assert_eq!(answer.json(), expected);
}
