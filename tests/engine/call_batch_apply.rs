//! `BatchApply`: each request answers for itself.

use azulejo_engine::calls::MOST_IN_BATCH;
use azulejo_wire::engine::v1 as pb;
use pb::batch_apply_result::Result as Of;

use crate::caller::{apply, assert_refused, batch_apply, seed, written};
use crate::{azul_table, pavilion_table};

fn batch(requests: Vec<pb::ApplyRequest>) -> Vec<Of> {
    let results = batch_apply(&pb::BatchApplyRequest { requests }).unwrap().results;
    results.into_iter().map(|result| result.result.unwrap()).collect()
}

/// Good ones of both games, some with a deal behind them.
fn good() -> Vec<pb::ApplyRequest> {
    let offer = azul_table::state(azul_table::offer(|_| ()));
    let last = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));
    let mut dealt = written(&azul_table::state(last), "cKf");
    dealt.chance = Some(pb::apply_request::Chance::Seed(seed(1)));
    let acquire = pavilion_table::state(pavilion_table::acquire(|_| ()));
    vec![written(&offer, "1B2"), dealt, written(&acquire, "1G"), written(&offer, "1Rf")]
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
    let bad = azul_table::state(azul_table::offer(|state| state.boards[1].points = 3));
    let wrong = [
        pb::ApplyRequest::default(),
        written(&bad, "1B2"),
        written(&azul_table::state(azul_table::offer(|_| ())), "1K1"),
    ];
    let unspoiled = batch(good());

    for (at, wrong) in wrong.into_iter().enumerate() {
        let mut requests = good();
        requests.insert(at, wrong.clone());

        let mut results = batch(requests);

        let Of::Error(told) = results.remove(at) else { panic!("accepted: {wrong:?}") };
        assert_eq!(results, unspoiled);
        let error = apply(&wrong).unwrap_err();
        assert_eq!((told.reason.as_str(), told.field), (error.reason(), error.field()));
        assert_eq!(told.message, error.to_string());
        assert_eq!(told.metadata.get("rule").map(String::as_str), error.rule());
        assert_eq!(told.metadata.len(), usize::from(error.rule().is_some()));
    }
}

#[test]
fn an_empty_batch_has_an_empty_answer() {
    assert_eq!(batch(vec![]), []);
}

#[test]
fn a_batch_has_1024_requests_at_most() {
    let request = written(&azul_table::state(azul_table::offer(|_| ())), "1B2");

    let full = batch(vec![request.clone(); MOST_IN_BATCH]);
    let too_many = pb::BatchApplyRequest { requests: vec![request; 1025] };
    let refused = batch_apply(&too_many).unwrap_err();

    assert_eq!(full.len(), 1024);
    assert!(full.iter().all(|result| matches!(result, Of::Response(_))));
    let told = "requests: 1025 entries are more than 1024";
    assert_refused(&refused, "requests", "TOO_MANY", told);
}
