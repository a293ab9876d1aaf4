//! JSON texts changed at random: what the transcoder reads, reflection reads alike; what it does not
//! read is left to reflection.

use std::fmt::Write as _;

use azulejo_tests::Random;
use serde_json::{Map, Value};

use crate::fuzz::runs;
use crate::fuzz_requests::good_requests;
use crate::json_same::Both;

/// Good texts with their type.
fn corpus() -> Vec<(&'static Both, Vec<u8>)> {
    let mut corpus = Vec::new();
    for (call, requests) in good_requests() {
        let both = Both::named(&format!("azulejo.engine.v1.{call:?}Request"));
        corpus.extend(requests.iter().take(40).map(|request| (both, both.written(request))));
    }
    corpus
}

fn odd_value(random: &mut Random) -> Value {
    let values = [
        "null",
        "true",
        "0",
        "-1",
        "1.0",
        "1.5",
        "1e2",
        "4294967296",
        "\"1\"",
        "\" 1\"",
        "\"+1\"",
        "\"\"",
        "\"x\"",
        "[]",
        "[null]",
        "{}",
        "[{}]",
        "18446744073709551616",
        "-0",
        "\"AAA\"",
        "\"-_8=\"",
        "\"1.5s\"",
    ];
    serde_json::from_str(random.pick(&values)).unwrap()
}

/// Changes one place in the tree, deeper with the same chance at each step.
fn change(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(object) if !object.is_empty() && random.below(8) > 0 => {
            let keys: Vec<String> = object.keys().cloned().collect();
            let key = &keys[random.below(keys.len())];
            if random.below(5) > 0 {
                return change(&mut object[key], random);
            }
            let inner = object.remove(key).unwrap();
            match random.below(4) {
                0 => {}
                1 => drop(object.insert(snake_case(key), inner)),
                2 => drop(object.insert(key.to_uppercase(), inner)),
                _ => {
                    // To the end of the object.
                    drop(object.insert(key.clone(), inner));
                }
            }
        }
        Value::Array(list) if !list.is_empty() && random.below(8) > 0 => {
            let at = random.below(list.len());
            match random.below(6) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => change(&mut list[at], random),
            }
        }
        Value::Number(number) if random.below(2) == 0 => *value = number.to_string().into(),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => *value = odd_value(random),
    }
}

fn snake_case(name: &str) -> String {
    let parts = name.chars().map(|letter| {
        if letter.is_ascii_uppercase() {
            format!("_{}", letter.to_ascii_lowercase())
        } else {
            letter.to_string()
        }
    });
    parts.collect()
}

/// Written by hand: a map of `serde_json` could neither repeat a key nor change the order.
fn write(value: &Value, random: &mut Random, text: &mut String) {
    let entries = |object: &Map<String, Value>, random: &mut Random| {
        let mut entries: Vec<(String, Value)> =
            object.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        if entries.len() > 1 && random.below(40) == 0 {
            let (one, other) = (random.below(entries.len()), random.below(entries.len()));
            entries.swap(one, other);
        }
        if !entries.is_empty() && random.below(80) == 0 {
            let double = entries[random.below(entries.len())].clone();
            entries.push(double);
        }
        entries
    };
    match value {
        Value::Object(object) => {
            text.push('{');
            for (number, (key, value)) in entries(object, random).into_iter().enumerate() {
                text.push_str(if number > 0 { ", " } else { "" });
                text.push_str(&serde_json::to_string(&key).unwrap());
                text.push(':');
                write(&value, random, text);
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for (number, value) in list.iter().enumerate() {
                text.push_str(if number > 0 { "," } else { "" });
                write(value, random, text);
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
}

#[test]
fn texts_changed_at_random_are_read_alike() {
    let corpus = corpus();
    let runs = runs() / 5;
    let (mut read, mut refused) = (0, 0);
    for run in 0..runs {
        let mut random = Random::new(run);
        let (both, text) = &corpus[random.below(corpus.len())];
        let mut value: Value = serde_json::from_slice(text).unwrap();
        for _ in 0..random.below(3) {
            change(&mut value, &mut random);
        }
        let mut changed = String::new();
        write(&value, &mut random, &mut changed);
        if both.reads(changed.as_bytes()) {
            read += 1;
        } else if both.by_reflection(changed.as_bytes()).is_none() {
            refused += 1;
        }
    }
    eprintln!("{runs} texts: {read} read, {refused} refused, the others left to reflection");
    assert!(read > runs / 4 && refused > runs / 20, "the texts are too much alike");
}

#[test]
fn texts_with_bytes_changed_at_random_are_read_alike() {
    let corpus = corpus();
    for run in 0..runs() / 5 {
        let mut random = Random::new(run);
        let (both, text) = &corpus[random.below(corpus.len())];
        let mut text = text.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.truncate(at + 1),
                2 => text.insert(at, random.pick(b"0129\",:{}[]n-. \x00\xff")),
                _ => text[at] = random.pick(b"0129\",:{}[]n-. \x00\xff"),
            }
        }
        both.reads(&text);
    }
}

/// The order that a program without a schema may choose.
#[test]
fn fields_in_any_order_give_the_same_bytes() {
    for (both, text) in corpus() {
        let value: Value = serde_json::from_slice(&text).unwrap();
        let mut backwards = String::new();
        write_backwards(&value, &mut backwards);
        assert!(both.reads(backwards.as_bytes()), "{backwards}");
        assert_eq!(both.by_reflection(backwards.as_bytes()), both.by_reflection(&text));
    }
}

fn write_backwards(value: &Value, text: &mut String) {
    match value {
        Value::Object(object) => {
            let entries = object.iter().rev().map(|(key, value)| {
                let mut entry = format!("{key:?}:");
                write_backwards(value, &mut entry);
                entry
            });
            write!(text, "{{{}}}", entries.collect::<Vec<_>>().join(",")).unwrap();
        }
        Value::Array(list) => {
            let elements = list.iter().map(|value| {
                let mut element = String::new();
                write_backwards(value, &mut element);
                element
            });
            write!(text, "[{}]", elements.collect::<Vec<_>>().join(",")).unwrap();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string());
        }
    }
}
