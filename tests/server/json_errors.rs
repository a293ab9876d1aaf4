//! Errors of JSON requests name a field as JSON spells it; other callers get the proto spelling.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use prost::Message as _;
use rstest::rstest;
use serde_json::Value;
use tonic_types::StatusExt as _;

use crate::grpc::engine;
use crate::http1;
use crate::process::Server;
use crate::requests::{new_game, path, pavilion};

/// The message of an error and the field that it names, in the detail and in its bytes.
#[track_caller]
fn named(error: &Value) -> (String, String) {
    let details = error["details"].as_array().unwrap_or_else(|| panic!("{error}"));
    let bad = details.iter().find(|detail| detail["type"] == "google.rpc.BadRequest");
    let bad = bad.unwrap_or_else(|| panic!("no field: {error}"));
    let violation = &bad["debug"]["fieldViolations"][0];
    let field = violation["field"].as_str().unwrap().to_owned();
    let bytes = BASE64_STANDARD_NO_PAD.decode(bad["value"].as_str().unwrap());
    let bytes = tonic_types::pb::BadRequest::decode(&*bytes.unwrap()).unwrap();
    assert_eq!(bytes.field_violations[0].field, field);
    assert_eq!(violation["description"], error["message"], "{error}");
    (error["message"].as_str().unwrap().to_owned(), field)
}

#[rstest]
#[case::an_unknown_field(
    "{\"ruleset\":{\"azul\":{\"sides\":1}}}",
    "ruleset.azul.sides",
    "unknown field of azulejo.game.v1.AzulRules"
)]
#[case::an_unknown_enum_value(
    "{\"ruleset\":{\"summer_pavilion\":{\"side\":\"BLUE\"}}}",
    "ruleset.summerPavilion.side",
    "unknown value \"BLUE\" of azulejo.game.v1.BoardSide"
)]
#[case::a_wrong_type("{\"ruleset\":\"azul\"}", "ruleset", "expected an object, not \"azul\"")]
#[case::out_of_range(
    "{\"ruleset\":{\"azul\":{\"players\":-1}}}",
    "ruleset.azul.players",
    "expected an integer between 0 and 4294967295, not -1"
)]
#[case::two_of_a_choice(
    "{\"seed\":{\"number\":\"1\"},\"displays\":{}}",
    "displays",
    "seed is set too; set only one of seed, displays"
)]
fn json_that_does_not_fit_names_the_field(
    #[case] body: &str,
    #[case] field: &str,
    #[case] problem: &str,
) {
    let server = Server::start(&[]);
    let answer = http1::call(server.public, "NewGame", body.as_bytes());
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    let (message, found) = named(&answer.json());
    assert_eq!(found, field);
    assert!(message.starts_with(&format!("{field}: {problem}")), "{message}");
}

#[test]
fn invalid_json_names_line_and_column() {
    let server = Server::start(&[]);
    let answer = http1::call(server.public, "NewGame", b"{\n  \"ruleset\": {,}\n}");
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("line 2 column 15"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_service_has_the_spelling_of_the_caller() {
    const JSON: &str = "ruleset.summerPavilion.players";
    const PROTO: &str = "ruleset.summer_pavilion.players";
    let server = Server::start(&[]);
    let request = new_game(pavilion(9), 1);

    let body =
        b"{\"ruleset\":{\"summerPavilion\":{\"side\":\"BOARD_SIDE_COLORED\",\"players\":9}}}";
    let (message, field) = named(&http1::call(server.public, "NewGame", body).json());
    assert_eq!(field, JSON);
    assert!(message.starts_with(&format!("{JSON}: ")), "{message}");

    let headers = [("content-type", "application/proto")];
    let body = request.encode_to_vec();
    let answer = http1::request(server.public, "POST", path("NewGame"), &headers, &body);
    let (message, field) = named(&answer.json());
    assert_eq!(field, PROTO);
    assert!(message.starts_with(&format!("{PROTO}: ")), "{message}");

    let refused = engine(&server).await.new_game(request).await.unwrap_err();
    assert_eq!(refused.get_details_bad_request().unwrap().field_violations[0].field, PROTO);
    assert!(refused.message().starts_with(&format!("{PROTO}: ")), "{refused:?}");
}

#[test]
fn a_call_by_get_has_the_spelling_of_its_encoding() {
    let server = Server::start(&[]);
    let message = "%7B%22state%22%3A%7B%22summerPavilion%22%3A%7B%7D%7D%7D";
    let target = format!("{}?encoding=json&message={message}", path("LegalMoves"));
    let (_, field) = named(&http1::get(server.public, &target).json());
    assert!(field.starts_with("state.summerPavilion"), "{field}");
    // The same message in binary.
    let target = format!("{}?encoding=proto&base64=1&message=CgISAA", path("LegalMoves"));
    let (_, field) = named(&http1::get(server.public, &target).json());
    assert!(field.starts_with("state.summer_pavilion"), "{field}");
}
