//! Every list, text and bytes field of every request, filled as far as a request may be large:
//! refused, with the field, and almost without work.

use std::time::Duration;

use azulejo_tests::process::{ANY_PORTS, azulejo};
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value,
};
use tempfile::TempDir;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::http2::{self, GRPC, framed};
use crate::process::Server;
use crate::processor;

/// A little less than a request may have.
const SIZE: usize = 1_000_000;
const MOST_TIME: Duration = Duration::from_millis(50);
/// Decoded later, by a decoder of its own.
const STATE: &str = "azulejo.game.v1.GameState";

/// A field of a request: the fields that lead to it.
type Path = Vec<FieldDescriptor>;

/// The paths of all fields that can be long.
fn paths(message: &MessageDescriptor, before: &Path, found: &mut Vec<Path>) {
    assert!(before.len() < 10, "recursive: {}", message.full_name());
    for field in message.fields() {
        let path: Path = before.iter().cloned().chain([field.clone()]).collect();
        if field.is_list() || matches!(field.kind(), Kind::String | Kind::Bytes) {
            found.push(path.clone());
        }
        if let Kind::Message(inner) = field.kind() {
            paths(&inner, &path, found);
        }
    }
}

fn entry(field: &FieldDescriptor, length: usize) -> Value {
    match field.kind() {
        Kind::String => Value::String("x".repeat(length)),
        Kind::Bytes => Value::Bytes(vec![7; length].into()),
        Kind::Message(inner) => Value::Message(DynamicMessage::new(inner)),
        Kind::Enum(_) => Value::EnumNumber(1),
        Kind::Double => Value::F64(1.0),
        Kind::Uint64 => Value::U64(1),
        Kind::Float
        | Kind::Int32
        | Kind::Int64
        | Kind::Uint32
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64
        | Kind::Bool => Value::U32(1),
    }
}

/// The last field of the path, as full as it can be; around it only what leads there.
fn filled(path: &[FieldDescriptor]) -> Value {
    let (field, rest) = path.split_first().unwrap();
    if rest.is_empty() {
        if !field.is_list() {
            return entry(field, SIZE);
        }
        // A message has two bytes, and so does an empty text; a number has one.
        let each = if matches!(field.kind(), Kind::Message(_) | Kind::String) { 2 } else { 1 };
        return Value::List(vec![entry(field, 0); SIZE / each]);
    }
    let Kind::Message(inner) = field.kind() else { panic!("{field:?}") };
    let mut message = DynamicMessage::new(inner);
    message.set_field(&rest[0], filled(rest));
    let message = Value::Message(message);
    if field.is_list() { Value::List(vec![message]) } else { message }
}

fn requests() -> Vec<(String, Path, Vec<u8>)> {
    let pool = DescriptorPool::decode(azulejo_wire::DESCRIPTORS).unwrap();
    let mut requests = Vec::new();
    for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
        let mut found = Vec::new();
        paths(&method.input(), &Vec::new(), &mut found);
        for path in found {
            let mut message = DynamicMessage::new(method.input());
            message.set_field(&path[0], filled(&path));
            let call = format!("/{}/{}", method.parent_service().full_name(), method.name());
            requests.push((call, path, message.encode_to_vec()));
        }
    }
    requests
}

fn is_in_state(path: &Path) -> bool {
    path.iter()
        .any(|field| matches!(field.kind(), Kind::Message(inner) if inner.full_name() == STATE))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_lists_and_texts_of_all_requests_are_refused_almost_without_work() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("store.db");
    let fixed = ["serve", "--store", store.to_str().unwrap()];
    let server = Server::of(azulejo(&[&fixed[..], &ANY_PORTS].concat()));
    let requests = requests();
    assert!(requests.len() > 80, "{}", requests.len());
    let mut slowest = (Duration::ZERO, String::new());
    for (call, path, message) in requests {
        assert!(message.len() <= 1 << 20, "{call} {}", message.len());
        let names: Vec<_> = path.iter().map(|field| field.name().to_owned()).collect();
        let name = format!("{call} {}", names.join("."));
        let frame = framed(0, &message);
        let mut least = Duration::MAX;
        // The machine may do something else at the same time.
        for _ in 0..3 {
            let before = processor::time(server.id());
            let answer = http2::call(server.public, &call, &[GRPC], frame.clone()).await;
            least = least.min(processor::time(server.id()).saturating_sub(before));
            let status = answer.status();
            if is_in_state(&path) && path[0].is_list() {
                // The entries of a batch fail one by one.
                assert!(answer.body.windows(8).any(|found| found == b"TOO_LONG"), "{name}");
                continue;
            }
            assert_eq!(status.code(), Code::InvalidArgument, "{name} {status:?}");
            let reason = status.get_details_error_info().unwrap().reason;
            let violations = status.get_details_bad_request().unwrap().field_violations;
            if is_in_state(&path) {
                assert_eq!((&*reason, violations.len()), ("TOO_LONG", 1), "{name} {status:?}");
            } else {
                let expected = if path[path.len() - 1].is_list() { "TOO_MANY" } else { "TOO_LONG" };
                assert_eq!(reason, expected, "{name} {status:?}");
                let last = names.last().unwrap();
                assert!(violations[0].field.ends_with(&**last), "{name} {violations:?}");
            }
        }
        assert!(least <= MOST_TIME, "{name}: {least:?}");
        slowest = slowest.max((least, name));
    }
    println!("the slowest: {slowest:?}");
}
