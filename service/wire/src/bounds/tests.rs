use std::collections::BTreeSet;

use prost::Message as _;
use prost_types::FileDescriptorSet;

use super::shape::{DEEPEST, LISTS, Rule, Schema, is_list, is_text};
use super::{BOUNDS, Shape};
use crate::arena::v1 as arena;
use crate::engine::v1 as engine;
use crate::game::v1 as game;

fn set() -> FileDescriptorSet {
    FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap()
}

fn collect(schema: &Schema<'_>, name: &str, depth: usize, fields: &mut BTreeSet<String>) {
    assert!(depth <= DEEPEST, "{name} is nested too deeply");
    for (field, full_name, inner) in schema.fields(name) {
        if is_list(field) || is_text(field) {
            fields.insert(full_name);
        }
        if let Some(inner) = inner {
            collect(schema, &inner, depth + 1, fields);
        }
    }
}

#[test]
fn every_list_text_and_bytes_field_of_every_request_has_its_own_bound_and_no_other_has() {
    let set = set();
    let schema = Schema::of(&set);
    let mut needed = BTreeSet::new();
    for request in &schema.requests {
        collect(&schema, request, 0, &mut needed);
    }
    let listed: BTreeSet<String> = BOUNDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(listed.len(), BOUNDS.len(), "each of them once");
    assert!(schema.requests.len() > 20, "{:?}", schema.requests);
    let missing: Vec<_> = needed.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&needed).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "add {missing:?}, remove {unknown:?}");
    for (name, bound) in BOUNDS {
        let (package, field) = name.rsplit_once('.').unwrap();
        let fields = schema.fields(package);
        let (field, ..) = fields.into_iter().find(|(found, ..)| found.name() == field).unwrap();
        assert_eq!(is_list(field), bound.entries > 0, "{name}");
        assert_eq!(is_text(field), bound.bytes > 0, "{name}");
    }
}

/// The most lists that are counted together.
fn lists(shape: &Shape) -> usize {
    let of = |rule: &Rule| match rule {
        Rule::Text { .. } => 0,
        Rule::Texts { list, .. } | Rule::Numbers { list, .. } => list + 1,
        Rule::Message(inner) => lists(inner),
        Rule::Messages { list, entry, .. } => (list + 1).max(lists(entry)),
    };
    shape.fields.iter().map(|field| of(&field.rule)).max().unwrap_or_default()
}

#[test]
fn there_is_a_counter_for_each_list() {
    let set = set();
    let schema = Schema::of(&set);
    for request in &schema.requests {
        assert!(lists(&schema.shape(request, &mut 0, 0)) <= LISTS, "{request}");
    }
}

fn check(package: &str, name: &str, message: &impl prost::Message) -> Option<String> {
    let shape = Shape::of_request(package, name).unwrap();
    shape.check(&message.encode_to_vec()).err().map(|bad| bad.to_string())
}

fn hello(rulesets: usize, time_classes: usize) -> arena::PlayRequest {
    let offer = arena::Offer {
        rulesets: vec![game::Ruleset::default(); rulesets],
        time_classes: vec![1; time_classes],
        ..arena::Offer::default()
    };
    let hello = arena::Hello { offer: Some(offer), ..arena::Hello::default() };
    arena::PlayRequest { hello: Some(hello) }
}

#[test]
fn a_list_may_have_as_many_entries_as_its_bound_and_not_one_more() {
    let check = |message| check("azulejo.arena.v1", "PlayRequest", &message);
    assert_eq!(check(hello(64, 8)), None);
    let told = "hello.offer.rulesets: more than 64 entries";
    assert_eq!(check(hello(65, 8)).as_deref(), Some(told));
    assert_eq!(check(hello(20_000, 8)).as_deref(), Some(told));
    let told = "hello.offer.time_classes: more than 8 entries";
    assert_eq!(check(hello(64, 9)).as_deref(), Some(told));
}

#[test]
fn a_list_that_is_spread_over_merged_messages_is_counted_as_one() {
    let shape = Shape::of_request("azulejo.arena.v1", "PlayRequest").unwrap();
    let once = hello(40, 0).encode_to_vec();
    assert_eq!(shape.check(&once), Ok(()));
    assert!(shape.check(&[&once[..], &once[..]].concat()).is_err());
}

#[test]
fn a_list_is_found_behind_unknown_fields_and_groups() {
    let shape = Shape::of_request("azulejo.arena.v1", "PlayRequest").unwrap();
    // A number, a group with a number in it, four bytes, eight bytes and a text, all unknown.
    let unknown: &[u8] = &[
        0x98, 0x06, 0x05, 0x9b, 0x06, 0x08, 0x01, 0x9c, 0x06, 0x9d, 0x06, 1, 2, 3, 4, 0x99, 0x06,
        1, 2, 3, 4, 5, 6, 7, 8, 0x9a, 0x06, 0x01, 0x41,
    ];
    let hidden = [unknown, &hello(65, 0).encode_to_vec()].concat();
    assert!(shape.check(&hidden).is_err());
    assert!(<arena::PlayRequest as prost::Message>::decode(&hidden[..]).is_ok());
}

#[test]
fn entries_and_texts_are_named_by_their_path() {
    let long = |notation: &str| engine::ApplyRequest {
        action: Some(engine::apply_request::Action::Notation(notation.to_owned())),
        ..engine::ApplyRequest::default()
    };
    let batch = engine::BatchApplyRequest { requests: vec![long("x"), long(&"x".repeat(1025))] };
    let told = "requests[1].notation: 1025 bytes are more than 1024";
    let found = check("azulejo.engine.v1", "BatchApplyRequest", &batch);
    assert_eq!(found.as_deref(), Some(told));
    let ended_match_ids = vec![String::new(), "x".repeat(257)];
    let heartbeat = arena::HeartbeatRequest { ended_match_ids, ..Default::default() };
    let told = "ended_match_ids[1]: 257 bytes are more than 256";
    let found = check("azulejo.arena.v1", "HeartbeatRequest", &heartbeat);
    assert_eq!(found.as_deref(), Some(told));
}

#[test]
fn numbers_count_also_one_by_one() {
    let shape = Shape::of_request("azulejo.arena.v1", "PlayRequest").unwrap();
    let offer = [0x10, 0x01].repeat(9);
    let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
    let hello = [&[0x12, length(&offer)], &offer[..]].concat();
    let request = [&[0x0a, length(&hello)], &hello[..]].concat();
    assert!(<arena::PlayRequest as prost::Message>::decode(&request[..]).is_ok());
    assert!(shape.check(&request).is_err());
}

#[test]
fn bytes_that_are_not_a_message_pass_and_the_decoder_refuses_them() {
    let shape = Shape::of_request("azulejo.arena.v1", "PlayRequest").unwrap();
    for bytes in [&[0x0a, 0xff, 0xff, 0x0f][..], &[0xff; 11], &[0x0e], &[0x0a]] {
        assert_eq!(shape.check(bytes), Ok(()));
        assert!(<arena::PlayRequest as prost::Message>::decode(bytes).is_err());
    }
}
