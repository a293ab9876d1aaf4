use prost_reflect::{DynamicMessage, ReflectMessage, Value};
use rstest::rstest;
use tonic::Code;
use tonic_types::{ErrorDetails, StatusExt};

use super::*;
use crate::connect::testing;

#[rstest]
#[case("", "")]
#[case("state", "state")]
#[case("match_id", "matchId")]
#[case("state.summer_pavilion.boards[1].has_token", "state.summerPavilion.boards[1].hasToken")]
#[case("a_b_c.d_e", "aBC.dE")]
#[case("field_2", "field2")]
#[case("trailing_.next_field", "trailing.nextField")]
#[case("already.camelCase", "already.camelCase")]
#[case("my_map[\"some_key\"].my_field", "myMap[\"some_key\"].myField")]
#[case("grown_übung", "grownübung")]
fn each_segment_is_spelled_in_lower_camel_case(#[case] path: &str, #[case] spelled: &str) {
    assert_eq!(camel_case(path), spelled);
}

#[rstest]
#[case::at_the_beginning("match_id: missing", "matchId: missing")]
#[case::alone("match_id", "matchId")]
#[case::in_the_middle("set match_id, please", "set matchId, please")]
#[case::at_the_end_of_a_sentence("there is no match_id.", "there is no matchId.")]
#[case::more_than_once("match_id: match_id is empty", "matchId: matchId is empty")]
#[case::within_a_longer_path("match_id.part and old.match_id", "match_id.part and old.match_id")]
#[case::within_a_word("rematch_id and match_ids", "rematch_id and match_ids")]
#[case::before_an_index("match_id[0]: missing", "match_id[0]: missing")]
#[case::not_at_all("match id is missing", "match id is missing")]
fn a_message_is_respelled_where_it_has_exactly_the_path(#[case] text: &str, #[case] to: &str) {
    assert_eq!(respell(text, "match_id", "matchId"), to);
}

fn error(violations: &[(&str, &str)], message: &str) -> Status {
    let mut details =
        ErrorDetails::with_error_info("REASON", "azulejo", [("a_b".to_owned(), "c_d".to_owned())]);
    for (field, description) in violations {
        details.add_bad_request_violation(*field, *description);
    }
    Status::with_error_details(Code::InvalidArgument, message, details)
}

#[test]
fn the_violations_and_the_message_of_an_error_are_respelled() {
    let message = "state.has_token: not allowed";
    let found = for_json(error(&[("state.has_token", message), ("seat_a", "bad")], message));
    assert_eq!(found.code(), Code::InvalidArgument);
    assert_eq!(found.message(), "state.hasToken: not allowed");
    let details = found.get_error_details();
    let violations = &details.bad_request().unwrap().field_violations;
    let violations: Vec<_> =
        violations.iter().map(|one| (&*one.field, &*one.description)).collect();
    assert_eq!(violations, [("state.hasToken", "state.hasToken: not allowed"), ("seatA", "bad")]);
    let info = details.error_info().unwrap();
    assert_eq!((&*info.reason, &*info.metadata["a_b"]), ("REASON", "c_d"));
}

#[test]
fn other_errors_stay_as_they_are() {
    for status in [
        Status::not_found("no match_id"),
        error(&[], "match_id: missing"),
        error(&[("seat", "seat: match_id")], "seat: match_id"),
        Status::with_details(Code::Internal, "odd", "not valid details".into()),
    ] {
        let found = for_json(status.clone());
        assert_eq!((found.message(), found.details()), (status.message(), status.details()));
    }
}

#[test]
fn the_errors_of_a_batch_are_respelled() {
    let status = error(&[("state.has_token", "state.has_token: no")], "state.has_token: no");
    let kind = testing::message("BatchResult");
    let field = kind.get_field_by_name("error").unwrap();
    let mut inner = DynamicMessage::new(field.kind().as_message().unwrap().clone());
    inner.merge(status.details()).unwrap();
    let mut result = DynamicMessage::new(kind);
    result.set_field(&field, Value::Message(inner));
    let mut batch = DynamicMessage::new(testing::message("BatchResponse"));
    batch.set_field_by_name("results", Value::List(vec![Value::Message(result)]));

    ErrorHolders::of(&batch.descriptor()).respell(&mut batch);

    let results = batch.get_field_by_name("results").unwrap();
    let result = results.as_list().unwrap()[0].as_message().unwrap();
    let error = result.get_field_by_name("error").unwrap();
    let error: Rich = error.as_message().unwrap().transcode_to().unwrap();
    assert_eq!(error.message, "state.hasToken: no");
    let bad = error.details.iter().find(|any| any.type_url.ends_with(BAD_REQUEST)).unwrap();
    let bad = BadRequest::decode(&*bad.value).unwrap();
    assert_eq!(bad.field_violations[0].field, "state.hasToken");
}

#[test]
fn only_answers_that_can_contain_errors_are_searched() {
    let holders = |name: &str| format!("{:?}", ErrorHolders::of(&testing::message(name)));
    assert_eq!(holders("Response"), "ErrorHolders({})");
    let found = holders("BatchResponse");
    assert!(found.contains("BatchResponse") && found.contains("BatchResult"), "{found}");
    assert!(!found.contains("test.v1.Response"), "{found}");
}
