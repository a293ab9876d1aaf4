use prost::Message;
use prost_reflect::{DynamicMessage, Value};
use rstest::rstest;
use tonic_types::pb::bad_request::FieldViolation;
use tonic_types::pb::{BadRequest, Status};

use crate::connect::testing::message;

use super::{Transcoder, write_dynamic};

/// The message that the transcoder reads; none if it declines.
fn read(name: &str, text: &str) -> Option<DynamicMessage> {
    let bytes = Transcoder::of(&message(name)).to_message(text.as_bytes())?;
    Some(DynamicMessage::decode(message(name), &*bytes).unwrap())
}

fn written(message: &DynamicMessage) -> String {
    let mut text = Vec::new();
    write_dynamic(message, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn transcoded(name: &str, bytes: &[u8]) -> Option<String> {
    let text = Transcoder::of(&message(name)).to_json(bytes)?;
    Some(String::from_utf8(text).unwrap())
}

#[rstest]
#[case::nothing("{}")]
#[case::everything(r#"{"side":"SIDE_GRAY","hasToken":true,"tileCounts":[0,1,300]}"#)]
#[case::order(r#"{"tileCounts":[1],"hasToken":false,"side":"SIDE_COLORED"}"#)]
#[case::proto_names(r#"{"has_token":true,"tile_counts":[]}"#)]
#[case::numbers_as_text(r#"{"side":2,"tileCounts":["7",8]}"#)]
#[case::null(r#"{"side":null,"hasToken":null,"tileCounts":null}"#)]
#[case::unknown_value(r#"{"side":9}"#)]
fn a_text_is_read_as_reflection_reads_it(#[case] text: &str) {
    let mut json = serde_json::Deserializer::from_str(text);
    let expected = DynamicMessage::deserialize(message("Board"), &mut json).unwrap();

    let found = read("Board", text).unwrap();

    assert_eq!(found.encode_to_vec(), expected.encode_to_vec());
    assert_eq!(transcoded("Board", &found.encode_to_vec()).unwrap(), written(&found));
}

#[rstest]
#[case::unknown_field(r#"{"sides":1}"#)]
#[case::unknown_value(r#"{"side":"BLUE"}"#)]
#[case::repeated_field(r#"{"side":1,"side":1}"#)]
#[case::both_names(r#"{"hasToken":true,"has_token":true}"#)]
#[case::list_for_one(r#"{"side":[1]}"#)]
#[case::one_for_list(r#"{"tileCounts":1}"#)]
#[case::null_in_list(r#"{"tileCounts":[null]}"#)]
#[case::too_large(r#"{"tileCounts":[4294967296]}"#)]
#[case::negative(r#"{"tileCounts":[-1]}"#)]
#[case::fraction(r#"{"tileCounts":[1.0]}"#)]
#[case::more("{} {}")]
#[case::incomplete(r#"{"side":1"#)]
#[case::list("[]")]
fn invalid_or_unusual_text_is_left_to_reflection(#[case] text: &str) {
    assert_eq!(read("Board", text), None);
}

/// It has maps, which the transcoder does not support.
#[test]
fn a_message_with_unusual_fields_is_left_to_reflection() {
    assert_eq!(read("Request", "{}"), None);
    assert_eq!(transcoded("Request", &[]), None);
}

#[rstest]
#[case::order(&[0x10, 1, 0x08, 2])]
#[case::twice(&[0x08, 1, 0x08, 2])]
#[case::unknown_field(&[0x08, 1, 0x78, 1])]
#[case::wrong_type(&[0x0a, 1, 1])]
#[case::cut_off(&[0x08])]
#[case::cut_off_in_list(&[0x1a, 5, 1])]
fn bytes_in_an_unusual_form_are_left_to_reflection(#[case] bytes: &[u8]) {
    assert_eq!(transcoded("Board", bytes), None);
}

/// Proto2 and old writers send each number with its own key.
#[test]
fn numbers_that_are_not_packed_are_left_to_reflection() {
    assert_eq!(transcoded("Board", &[0x18, 1, 0x18, 2]), None);
}

#[test]
fn two_members_of_a_oneof_are_left_to_reflection() {
    // `response` and then `error`: the last one would win.
    assert_eq!(transcoded("BatchResult", &[0x0a, 0, 0x12, 0]), None);
    assert_eq!(read("BatchResult", r#"{"response":{},"error":{}}"#), None);
}

#[test]
fn errors_within_an_answer_name_fields_as_json_does() {
    let violation = FieldViolation { field: "has_token".to_owned(), ..FieldViolation::default() };
    let bad = BadRequest { field_violations: vec![violation] };
    let type_url = "type.googleapis.com/google.rpc.BadRequest".to_owned();
    let status = Status {
        code: 3,
        message: "has_token: missing".to_owned(),
        details: vec![prost_types::Any { type_url, value: bad.encode_to_vec() }],
    };
    let kind = message("BatchResult");
    let field = kind.get_field_by_name("error").unwrap();
    let mut error = DynamicMessage::new(field.kind().as_message().unwrap().clone());
    error.transcode_from(&status).unwrap();
    let mut result = DynamicMessage::new(kind);
    result.set_field(&field, Value::Message(error));

    let text = transcoded("BatchResult", &result.encode_to_vec()).unwrap();

    assert!(text.contains(r#""message":"hasToken: missing""#), "{text}");
    assert!(text.contains(r#""field":"hasToken""#), "{text}");
}
