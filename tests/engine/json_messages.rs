//! Every message of the contract as JSON, filled in all ways: with nothing, with everything, at
//! random.

use azulejo_tests::Random;
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use crate::json_same::Both;

/// How often each message is filled at random.
const RUNS: u64 = 200;

const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    9,
    10,
    127,
    128,
    255,
    16_384,
    i32::MAX as u64,
    u32::MAX as u64,
    i64::MAX as u64,
    1 << 53,
    u64::MAX,
];
const DOUBLES: [f64; 9] =
    [0.0, -0.0, 1.0, -1.5, 1e-9, 1.0e21, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
const TEXTS: [&str; 8] = ["", "a", "\"", "\\", "\n\u{1}\u{7f}", "Ä–🀄", "null", "{\"a\":[1]}"];

/// Fills a message; `wanted` decides which fields are set.
fn filled(
    kind: &MessageDescriptor,
    random: &mut Random,
    wanted: &mut impl FnMut(&mut Random) -> bool,
) -> DynamicMessage {
    let mut message = DynamicMessage::new(kind.clone());
    if let "google.protobuf.Timestamp" | "google.protobuf.Duration" = kind.full_name() {
        message.set_field_by_name(
            "seconds",
            Value::I64(i64::try_from(random.below(1 << 30)).unwrap()),
        );
        let nanos = random.pick(&[0, 1, 120_000_000, 999_999_999]);
        message.set_field_by_name("nanos", Value::I32(nanos));
        return message;
    }
    for field in kind.fields() {
        // An error contains any message: it has a test of its own.
        let is_error = field.kind().as_message().is_some_and(|kind| kind.name() == "Status");
        if is_error || !wanted(random) {
            continue;
        }
        let value = if field.is_list() {
            let length = random.below(4);
            Value::List((0..length).map(|_| value(&field, random, wanted)).collect())
        } else {
            value(&field, random, wanted)
        };
        message.set_field(&field, value);
    }
    message
}

#[allow(clippy::cast_possible_truncation, reason = "numbers of any size")]
fn value(
    field: &FieldDescriptor,
    random: &mut Random,
    wanted: &mut impl FnMut(&mut Random) -> bool,
) -> Value {
    let number = random.pick(&NUMBERS);
    match field.kind() {
        Kind::Bool => Value::Bool(random.below(2) == 0),
        Kind::Int32 => Value::I32((number as u32).cast_signed()),
        Kind::Int64 => Value::I64(number.cast_signed()),
        Kind::Uint32 => Value::U32(number as u32),
        Kind::Uint64 => Value::U64(number),
        Kind::Double => Value::F64(random.pick(&DOUBLES)),
        Kind::String => Value::String(random.pick(&TEXTS).to_owned()),
        Kind::Bytes => {
            let length = random.below(40);
            Value::Bytes((0..length).map(|_| random.below(256) as u8).collect())
        }
        // Now and then a value that has no name.
        Kind::Enum(kind) => {
            Value::EnumNumber(i32::try_from(random.below(kind.values().len() + 2)).unwrap())
        }
        Kind::Message(kind) => Value::Message(filled(&kind, random, wanted)),
        Kind::Float
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64 => panic!("the contract has no {:?}", field.kind()),
    }
}

#[test]
fn messages_with_nothing_are_alike() {
    for both in Both::all() {
        both.round_trip(&[]);
    }
}

#[test]
fn messages_with_everything_are_alike() {
    for both in Both::all() {
        for run in 0..RUNS {
            let message = filled(&both.kind, &mut Random::new(run), &mut |_| true);
            both.round_trip(&message.encode_to_vec());
        }
    }
}

#[test]
fn messages_filled_at_random_are_alike() {
    for both in Both::all() {
        for run in 0..RUNS {
            let message = filled(&both.kind, &mut Random::new(run), &mut |random: &mut Random| {
                random.below(3) > 0
            });
            both.round_trip(&message.encode_to_vec());
        }
    }
}

/// The generated code writes a oneof where its first member stands. The transcoder would decline
/// a message whose fields are not in ascending order, and reflection is slow.
#[test]
fn no_field_stands_between_the_members_of_a_oneof() {
    for both in Both::all() {
        for oneof in both.kind.oneofs() {
            let members: Vec<u32> = oneof.fields().map(|field| field.number()).collect();
            let (first, last) = (members.iter().min().unwrap(), members.iter().max().unwrap());
            let between =
                both.kind.fields().filter(|field| (*first..=*last).contains(&field.number()));
            let strangers: Vec<_> =
                between.filter(|field| field.containing_oneof().as_ref() != Some(&oneof)).collect();
            assert!(strangers.is_empty(), "{}: {strangers:?}", both.kind.full_name());
        }
    }
}
