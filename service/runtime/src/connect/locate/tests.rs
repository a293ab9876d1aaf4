use rstest::rstest;
use tonic::Code;
use tonic_types::StatusExt;

use super::*;
use crate::connect::testing;

/// The message of the error, its reason, and the field that it names.
fn refusal_of(text: &str) -> (String, String, Option<String>) {
    let status = refused(&testing::message("Request"), text.as_bytes());
    assert_eq!(status.code(), Code::InvalidArgument);
    let details = status.get_error_details();
    let reason = details.error_info().unwrap().reason.clone();
    let violations = details.bad_request().map(|bad| &*bad.field_violations).unwrap_or_default();
    let [field] = violations else {
        assert!(violations.is_empty(), "{violations:?}");
        return (status.message().to_owned(), reason, None);
    };
    assert_eq!(field.description, status.message());
    (status.message().to_owned(), reason, Some(field.field.clone()))
}

#[rstest]
#[case::an_unknown_field(
    r#"{"names":1}"#,
    "names",
    "unknown field of test.v1.Request; known fields: firstBoard, allBoards, namedBoards, numbered, small, large, ratio, name, secretKey, wait, since, extra, roundLimit, seedNumber, seedText"
)]
#[case::an_unknown_field_within(
    r#"{"firstBoard":{"hasToken":true,"color":1}}"#,
    "firstBoard.color",
    "unknown field of test.v1.Board; known fields: side, hasToken, tileCounts"
)]
#[case::an_unknown_field_in_a_list(
    r#"{"allBoards":[{},{"color":1}]}"#,
    "allBoards[1].color",
    "unknown field of test.v1.Board; known fields: side, hasToken, tileCounts"
)]
#[case::an_unknown_field_in_a_map(
    r#"{"namedBoards":{"a":{},"b_c":{"color":1}}}"#,
    "namedBoards[\"b_c\"].color",
    "unknown field of test.v1.Board; known fields: side, hasToken, tileCounts"
)]
#[case::an_unknown_enum_value(
    r#"{"firstBoard":{"side":"BLUE"}}"#,
    "firstBoard.side",
    "unknown value \"BLUE\" of test.v1.Side; known values: SIDE_UNSPECIFIED, SIDE_COLORED, SIDE_GRAY"
)]
#[case::an_enum_of_the_wrong_type(
    r#"{"firstBoard":{"side":true}}"#,
    "firstBoard.side",
    "expected a value of test.v1.Side, not true"
)]
#[case::the_proto_name_of_a_field(
    r#"{"first_board":{"has_token":1}}"#,
    "firstBoard.hasToken",
    "expected true or false, not 1"
)]
#[case::a_string_for_an_object(
    r#"{"firstBoard":"azul"}"#,
    "firstBoard",
    "expected an object, not \"azul\""
)]
#[case::an_object_for_a_list(
    r#"{"allBoards":{}}"#,
    "allBoards",
    "expected an array, not an object"
)]
#[case::a_list_for_a_map(
    r#"{"namedBoards":[]}"#,
    "namedBoards",
    "expected an object, not an array"
)]
#[case::null_in_a_list(r#"{"allBoards":[null]}"#, "allBoards[0]", "expected an object, not null")]
#[case::a_string_in_a_list(
    r#"{"firstBoard":{"tileCounts":[1,"x"]}}"#,
    "firstBoard.tileCounts[1]",
    "expected an integer between 0 and 4294967295, not \"x\""
)]
#[case::a_negative_number(
    r#"{"roundLimit":-1}"#,
    "roundLimit",
    "expected an integer between 0 and 4294967295, not -1"
)]
#[case::a_number_too_large(
    r#"{"roundLimit":4294967296}"#,
    "roundLimit",
    "expected an integer between 0 and 4294967295, not 4294967296"
)]
#[case::a_fraction(
    r#"{"small":0.5}"#,
    "small",
    "expected an integer between -2147483648 and 2147483647, not 0.5"
)]
#[case::a_large_number_as_a_word(
    r#"{"large":"many"}"#,
    "large",
    "expected an unsigned 64-bit integer, not \"many\""
)]
#[case::a_ratio_as_a_word(r#"{"ratio":"half"}"#, "ratio", "expected a number, not \"half\"")]
#[case::a_number_for_a_string(r#"{"name":7}"#, "name", "expected a string, not 7")]
#[case::bad_base64(r#"{"secretKey":"*"}"#, "secretKey", "expected a base64 string, not \"*\"")]
#[case::a_bad_duration(
    r#"{"wait":"soon"}"#,
    "wait",
    "expected a duration such as \"1.5s\", not \"soon\""
)]
#[case::a_bad_time(
    r#"{"since":"now"}"#,
    "since",
    "expected a time such as \"2026-01-31T12:00:00Z\", not \"now\""
)]
#[case::two_of_a_oneof(
    r#"{"seedNumber":1,"seedText":"x"}"#,
    "seedText",
    "seedNumber is set too; set only one of seedNumber, seedText"
)]
#[case::one_of_a_oneof_twice(
    r#"{"seedNumber":1,"seedNumber":2}"#,
    "seedNumber",
    "set more than once"
)]
#[case::null_does_not_count_in_a_oneof(
    r#"{"seedNumber":null,"seedText":"x","names":1}"#,
    "names",
    "unknown field of test.v1.Request; known fields: firstBoard, allBoards, namedBoards, numbered, small, large, ratio, name, secretKey, wait, since, extra, roundLimit, seedNumber, seedText"
)]
#[case::a_bad_map_key(
    r#"{"numbered":{"one":"x"}}"#,
    "numbered[\"one\"]",
    "the key must be an integer between 0 and 4294967295"
)]
fn the_field_that_cannot_be_read_is_named(
    #[case] text: &str,
    #[case] path: &str,
    #[case] problem: &str,
) {
    let expected = (format!("{path}: {problem}"), "BAD_MESSAGE".to_owned(), Some(path.to_owned()));
    assert_eq!(refusal_of(text), expected);
}

#[rstest]
#[case::cut_off("{\"small\":", "invalid JSON: EOF while parsing a value at line 1 column 9")]
#[case::a_comma_too_many(
    "{\n  \"small\": 1,\n}",
    "invalid JSON: trailing comma at line 3 column 1"
)]
#[case::a_word("hello", "invalid JSON: expected value at line 1 column 1")]
#[case::two_objects("{}{}", "invalid JSON: trailing characters at line 1 column 3")]
#[case::a_number_beyond_all(
    "{\"ratio\":1e999}",
    "invalid JSON: number out of range at line 1 column 14"
)]
#[case::a_number("17", "expected an object, not 17")]
#[case::null("null", "expected an object, not null")]
#[case::a_list("[]", "expected an object, not an array")]
fn a_text_that_is_not_an_object_has_no_field(#[case] text: &str, #[case] problem: &str) {
    let message = format!("the message cannot be read: {problem}");
    assert_eq!(refusal_of(text), (message, "BAD_MESSAGE".to_owned(), None));
}

#[test]
fn long_texts_of_the_caller_are_shortened() {
    let (message, _, field) = refusal_of(&format!("{{\"{}\":1}}", "é".repeat(5000)));
    assert_eq!(field.unwrap(), format!("{}…", "é".repeat(40)));
    assert!(message.len() < 400, "{message}");
    let (message, ..) = refusal_of(&format!("{{\"small\":\"{}\"}}", "x".repeat(5000)));
    assert!(message.len() < 200, "{message}");
}

#[test]
fn within_free_form_json_the_parser_decides() {
    let (message, _, field) = refusal_of(r#"{"extra":7}"#);
    assert_eq!(
        (&*message, field.as_deref()),
        ("extra: invalid type: integer `7`, expected a map", Some("extra"))
    );
}

#[test]
fn a_million_bytes_of_nesting_are_refused() {
    for piece in ["[", "{\"firstBoard\":", "{\"extra\":", "{\"extra\":{\"a\":[", "{\"a\":"] {
        let (_, reason, _) = refusal_of(&piece.repeat(1_000_000 / piece.len()));
        assert_eq!(reason, "BAD_MESSAGE");
    }
}
