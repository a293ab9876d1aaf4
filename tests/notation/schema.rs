//! The schema accepts what the engine writes, and describes all of it.

use std::collections::BTreeSet;

use azulejo_engine::{Record, Ruleset, Seed};
use azulejo_tests::{RECORD_SCHEMA, assert_valid_record};
use serde_json::Value;

use crate::records::{End, arena_match, document, game, play, with_refused_moves};

const ENDS: [End; 3] = [End::Finished, End::Forfeit, End::Voided];

#[test]
fn a_game_of_every_ruleset_is_valid() {
    for ruleset in Ruleset::all() {
        let record = game(ruleset);
        assert!(record.verify().unwrap().is_over());
        assert_valid_record(&serde_json::to_string(&record).unwrap());
    }
}

#[test]
fn a_game_without_a_seed_or_without_a_move_is_valid() {
    for ruleset in Ruleset::all() {
        let record = Record { seed: None, ..game(ruleset) };
        assert_valid_record(&serde_json::to_string(&record).unwrap());
        let names = vec![String::new(); ruleset.players().seats()];
        let none = play(ruleset, &names, &Seed::from_number(1), 0);
        assert_valid_record(&serde_json::to_string(&none.record).unwrap());
    }
}

#[test]
fn a_match_of_every_ruleset_is_valid_however_it_ends() {
    for ruleset in Ruleset::all() {
        for end in ENDS {
            let record = arena_match(ruleset, end);
            record.verify().unwrap_or_else(|bad| panic!("{}, {end:?}: {bad}", ruleset.key()));
            assert_valid_record(&serde_json::to_string(&record).unwrap());
        }
    }
}

#[test]
fn a_match_with_refused_moves_is_valid() {
    for ruleset in Ruleset::all() {
        let record = with_refused_moves(ruleset, End::Finished);
        record.verify().unwrap_or_else(|bad| panic!("{}: {bad}", ruleset.key()));
        assert_valid_record(&serde_json::to_string(&record).unwrap());
    }
}

#[test]
fn the_schema_is_valid_itself() {
    jsonschema::meta::validate(&RECORD_SCHEMA).unwrap();
    assert_eq!(RECORD_SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

/// The definitions of the schema, the document itself among them, each with its name.
fn definitions() -> Vec<(String, &'static Value)> {
    let named = RECORD_SCHEMA["$defs"].as_object().unwrap();
    let named = named.iter().map(|(name, definition)| (name.clone(), definition));
    named.chain([("record".to_owned(), &*RECORD_SCHEMA)]).collect()
}

#[test]
fn every_property_has_a_description() {
    for (name, definition) in definitions() {
        let properties = definition["properties"].as_object().into_iter().flatten();
        for (at, described) in
            properties.map(|(key, value)| (key.as_str(), value)).chain([("", definition)])
        {
            let sentence = described["description"].as_str().unwrap_or_default();
            assert!(sentence.ends_with('.'), "{name} {at}: {sentence:?}");
        }
    }
}

#[test]
fn every_object_is_closed() {
    for (name, definition) in definitions() {
        if definition["type"] == "object" {
            assert_eq!(definition["additionalProperties"], false, "{name}");
        }
    }
}

/// A property that no record has would be left over from an older format.
#[test]
fn every_property_occurs_in_a_record() {
    fn collect(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.insert(key.clone());
                collect(value, found);
            }),
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = BTreeSet::new();
    collect(&document(&with_refused_moves(Ruleset::all()[1], End::Forfeit)), &mut found);
    let described = definitions().into_iter().flat_map(|(_, definition)| {
        definition["properties"].as_object().into_iter().flat_map(|properties| properties.keys())
    });
    let described: BTreeSet<String> = described.cloned().collect();
    assert_eq!(described, found);
}
