//! `BatchApply`: each request succeeds or fails by itself.

use azulejo_engine::calls::MOST_IN_BATCH;
use azulejo_engine::{DOMAIN, EngineError};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1::GameState;
use azulejo_wire::google::rpc;
use pb::apply_request::{Action, Chance};
use pb::batch_apply_result::Result as Of;
use prost::Message;

use crate::caller::{apply, assert_refused, batch_apply, seed, written};
use crate::details::details;
use crate::{azul_table, pavilion_table};

fn batch(requests: Vec<pb::ApplyRequest>) -> Vec<Of> {
    let results = batch_apply(&pb::BatchApplyRequest { requests }).unwrap().results;
    results.into_iter().map(|result| result.result.unwrap()).collect()
}

fn offer() -> GameState {
    azul_table::state(azul_table::offer(|_| ()))
}

/// Good requests of both games, one with a deal after the move.
fn good() -> Vec<pb::ApplyRequest> {
    let last = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));
    let mut dealt = written(&azul_table::state(last), "cKf");
    dealt.chance = Some(Chance::Seed(seed(1)));
    let acquire = pavilion_table::state(pavilion_table::acquire(|_| ()));
    vec![written(&offer(), "1B2"), dealt, written(&acquire, "1G"), written(&offer(), "1Rf")]
}

/// One request for each kind of error that Apply has.
fn wrong() -> Vec<pb::ApplyRequest> {
    let bad = azul_table::state(azul_table::offer(|state| state.boards[1].points = 3));
    let over = pavilion_table::over(|state| state.passed_seats = vec![0]);
    let mut no_such_action = written(&offer(), "");
    no_such_action.action = Some(Action::ActionId(9999));
    let mut not_due = written(&offer(), "1B2");
    not_due.chance = Some(Chance::Displays(azul_table::displays(&["BYRK"])));
    vec![
        pb::ApplyRequest::default(),
        written(&bad, "1B2"),
        written(&pavilion_table::state(over), "pass"),
        written(&offer(), "1K1"),
        written(&offer(), "hello"),
        no_such_action,
        not_due,
    ]
}

#[test]
fn a_batch_answers_as_single_calls_do() {
    let results = batch(good());

    let single =
        good().iter().map(|request| Of::Response(apply(request).unwrap())).collect::<Vec<_>>();
    assert_eq!(results, single);
}

#[test]
fn one_wrong_request_spoils_no_other() {
    let unspoiled = batch(good());

    for (at, wrong) in wrong().into_iter().enumerate() {
        let at = at % (good().len() + 1);
        let mut requests = good();
        requests.insert(at, wrong.clone());

        let mut results = batch(requests);

        let Of::Error(_) = results.remove(at) else { panic!("accepted: {wrong:?}") };
        assert_eq!(results, unspoiled);
    }
}

fn error_of(request: pb::ApplyRequest) -> (rpc::Status, EngineError) {
    let error = apply(&request).unwrap_err();
    match batch(vec![request]).remove(0) {
        Of::Error(status) => (status, error),
        Of::Response(answer) => panic!("accepted: {answer:?}"),
    }
}

#[test]
fn an_error_in_a_batch_has_its_code_its_reason_and_its_field() {
    for request in wrong() {
        let (status, error) = error_of(request);

        let (info, request) = details(&status);
        assert_eq!(status.code, tonic::Code::InvalidArgument as i32);
        assert_eq!(status.message, error.to_string());
        assert_eq!((info.reason.as_str(), info.domain.as_str()), (error.reason(), DOMAIN));
        assert_eq!(info.metadata.get("rule").map(String::as_str), error.rule());
        assert_eq!(info.metadata.len(), usize::from(error.rule().is_some()));
        let (field, description) = (error.field(), error.to_string());
        let violation = rpc::bad_request::FieldViolation { field, description };
        assert_eq!(request, Some(rpc::BadRequest { field_violations: vec![violation] }));
    }
}

#[test]
fn the_wrong_requests_of_these_tests_meet_every_kind_of_error() {
    let reasons: Vec<_> = wrong().into_iter().map(|request| error_of(request).1.reason()).collect();

    let expected = [
        "FIELD_MISSING",
        "POINTS_OUT_OF_RANGE",
        "PASSED_TOO_EARLY",
        "ILLEGAL_MOVE",
        "BAD_NOTATION",
        "NO_SUCH_ACTION",
        "IMPOSSIBLE_DEAL",
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn an_error_in_a_batch_is_the_status_that_apply_returns_over_grpc() {
    for request in wrong() {
        let (status, error) = error_of(request);

        let returned = tonic::Status::from(error);
        assert_eq!(i32::from(returned.code()), status.code);
        assert_eq!(returned.message(), status.message);
        assert_eq!(rpc::Status::decode(returned.details()).unwrap(), status);
    }
}

#[test]
fn an_empty_batch_has_an_empty_answer() {
    assert_eq!(batch(vec![]), []);
}

#[test]
fn a_batch_has_1024_requests_at_most() {
    let request = written(&offer(), "1B2");

    let full = batch(vec![request.clone(); MOST_IN_BATCH]);
    let too_many = pb::BatchApplyRequest { requests: vec![request; 1025] };
    let refused = batch_apply(&too_many).unwrap_err();

    assert_eq!(full.len(), 1024);
    assert!(full.iter().all(|result| matches!(result, Of::Response(_))));
    let told = "requests: 1025 entries are more than 1024";
    assert_refused(&refused, "requests", "TOO_MANY", told);
}
