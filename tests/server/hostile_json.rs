//! Invalid JSON, and JSON that is not a message of the contract.

use rstest::rstest;

use crate::http1;
use crate::process::Server;
use crate::requests::path;

#[track_caller]
fn assert_bad(server: &Server, method: &str, body: &[u8]) {
    let answer = http1::call(server.public, method, body);
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    assert_eq!(http1::call(server.public, "ListRulesets", b"{}").status, 200);
    let log = server.log();
    assert!(!log.contains("panic"), "{log}");
}

#[rstest]
#[case::half_an_object(b"{\"ruleset\":")]
#[case::a_word(b"hello")]
#[case::a_number(b"17")]
#[case::null(b"null")]
#[case::a_list(b"[]")]
#[case::two_objects(b"{}{}")]
#[case::a_comma_too_many(b"{\"startSeat\":1,}")]
#[case::single_quotes(b"{'startSeat':1}")]
#[case::an_unknown_field(b"{\"rulesets\":{}}")]
#[case::an_unknown_field_within(b"{\"ruleset\":{\"azul\":{\"color\":1}}}")]
#[case::both_of_a_choice(b"{\"seed\":{\"number\":\"1\"},\"displays\":{}}")]
#[case::a_text_for_an_object(b"{\"ruleset\":\"azul\"}")]
#[case::a_negative_number(b"{\"startSeat\":-1}")]
#[case::a_number_too_large(b"{\"startSeat\":4294967296}")]
#[case::a_fraction(b"{\"startSeat\":0.5}")]
#[case::infinity(b"{\"startSeat\":1e999}")]
#[case::an_unknown_enum_value(b"{\"ruleset\":{\"azul\":{\"side\":\"BOARD_SIDE_ROUND\"}}}")]
#[case::bytes_that_are_not_base64(b"{\"seed\":{\"key\":\"*\"}}")]
#[case::invalid_utf_8(b"{\"\xff\":1}")]
#[case::half_a_surrogate(b"{\"\\ud800\":1}")]
#[case::a_byte_order_mark(b"\xef\xbb\xbf{}")]
fn json_that_is_not_a_message_is_refused(#[case] body: &[u8]) {
    assert_bad(&Server::start(&["--log", "debug"]), "NewGame", body);
}

/// `curl -X POST` without a body works if the request has no fields.
#[test]
fn no_body_at_all_is_an_empty_message() {
    let server = Server::start(&["--log", "debug"]);
    assert_eq!(http1::call(server.public, "ListRulesets", b"").status, 200);
    let answer = http1::call(server.public, "NewGame", b"");
    answer.assert_refused(400, "invalid_argument", "FIELD_MISSING");
}

#[rstest]
#[case::lists("[")]
#[case::objects("{\"ruleset\":")]
#[case::unknown_objects("{\"a\":")]
fn a_million_bytes_of_nesting_are_refused(#[case] piece: &str) {
    let server = Server::start(&["--log", "debug"]);
    let deep = piece.repeat(1_000_000 / piece.len());
    assert_bad(&server, "NewGame", deep.as_bytes());
    assert_bad(&server, "Apply", format!("{{\"state\":{deep}").as_bytes());
}

#[test]
fn a_text_that_is_not_utf_8_is_refused_in_json_and_in_binary() {
    let server = Server::start(&["--log", "debug"]);
    assert_bad(&server, "Apply", b"{\"notation\":\"\xff\xfe\"}");
    let headers = [("content-type", "application/proto")];
    let notation = [0x22, 2, 0xff, 0xfe];
    let answer = http1::request(server.public, "POST", path("Apply"), &headers, &notation);
    answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
}

#[test]
fn binary_that_is_not_a_message_is_refused() {
    let server = Server::start(&["--log", "debug"]);
    let headers = [("content-type", "application/proto")];
    let deep = {
        // Nested groups without an end.
        vec![0x0b; 500_000]
    };
    for body in [&[0xff, 0xff, 0xff][..], &[0x0a, 0x7f], &[0x0a], &deep] {
        let answer = http1::request(server.public, "POST", path("NewGame"), &headers, body);
        answer.assert_refused(400, "invalid_argument", "BAD_MESSAGE");
    }
    assert!(!server.log().contains("panic"), "{}", server.log());
}
