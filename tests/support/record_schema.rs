//! The schema of records.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// proto/record.schema.json.
pub static RECORD_SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto/record.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
});

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&RECORD_SCHEMA).unwrap());

/// What is wrong with a document, each with the place as a JSON pointer; nothing if it is a record.
#[must_use]
pub fn record_errors(document: &Value) -> Vec<(String, String)> {
    let errors = VALIDATOR.iter_errors(document);
    errors.map(|error| (error.instance_path().to_string(), error.to_string())).collect()
}

/// The text must be a record, as the schema describes it.
pub fn assert_valid_record(text: &str) {
    let errors = record_errors(&serde_json::from_str(text).unwrap());
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
}
