//! What comes from Python: seeds, chance, actions, house bots.

use std::str::FromStr;

use azulejo_play::{Chance, HouseBot, PlayError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};

use crate::error::{named, raise, wrong_type};

/// A seed as a number, random if omitted.
pub(crate) fn number(seed: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(seed) = seed else {
        return getrandom::u64()
            .map_err(|error| named(format!("no random numbers: {error}"), "NO_RANDOM", None));
    };
    integer(seed).ok_or_else(|| {
        let message =
            format!("invalid seed: expected an int of 0 to 2**64 - 1, not {}", shown(seed));
        named(message, "BAD_SEED", None)
    })
}

/// An object for a message. Its text is the caller's and can fail or be long.
fn shown(object: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let text = object.repr().map(|text| text.to_string()).unwrap_or_default();
    if text.chars().count() <= LONGEST { text } else { object.get_type().to_string() }
}

fn integer(object: &Bound<'_, PyAny>) -> Option<u64> {
    if object.is_instance_of::<PyBool>() { None } else { object.extract().ok() }
}

/// Who decides what is dealt.
pub(crate) fn chance(kind: &str, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Chance> {
    match kind {
        "auto" => number(seed).map(Chance::numbered),
        "seed" => {
            let text = match seed {
                Some(seed) if seed.is_instance_of::<PyString>() => seed.extract()?,
                Some(_) => number(seed)?.to_string(),
                None => random_seed()?,
            };
            Chance::seed(&text).map_err(raise)
        }
        "explicit" => Ok(Chance::Explicit),
        _ => Err(unknown("chance", kind, "auto, seed or explicit")),
    }
}

fn random_seed() -> PyResult<String> {
    let (one, two, three, four) = (number(None)?, number(None)?, number(None)?, number(None)?);
    Ok(format!("{one:016x}{two:016x}{three:016x}{four:016x}"))
}

/// An action as Python gives it.
pub(crate) enum Action<'a> {
    Id(u16),
    Text(&'a str),
}

/// An action id or a move in the notation.
pub(crate) fn action<'a>(given: &'a Bound<'_, PyAny>, count: usize) -> PyResult<Action<'a>> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str().map(Action::Text);
    }
    action_id(given, count).map(Action::Id)
}

pub(crate) fn action_id(given: &Bound<'_, PyAny>, count: usize) -> PyResult<u16> {
    if let Ok(id) = given.extract::<u16>() {
        return Ok(id);
    }
    match given.extract::<i64>() {
        Ok(id) => Err(raise(PlayError::NoSuchAction { id, count })),
        Err(_) if given.is_instance_of::<PyInt>() => {
            Err(raise(PlayError::NoSuchAction { id: i64::MAX, count }))
        }
        Err(_) => Err(wrong_type("an action is an id or a move in the notation")),
    }
}

/// A house bot by name.
pub(crate) fn house_bot(name: &str) -> PyResult<HouseBot> {
    HouseBot::from_str(name).map_err(|_| {
        unknown("bot", name, "random, greedy, strong, strong:250 (ms) or strong:5000n (iterations)")
    })
}

/// A value that is one of few.
pub(crate) fn parse<T: FromStr<Err = PlayError>>(text: &str) -> PyResult<T> {
    text.parse().map_err(raise)
}

/// A count from Python, which can be negative.
pub(crate) fn count(what: &'static str, given: i64, most: usize) -> PyResult<usize> {
    usize::try_from(given).ok().filter(|&count| count <= most).ok_or_else(|| {
        named(format!("{what} must be 0 to {most}, not {given}"), "OUT_OF_RANGE", None)
    })
}

/// Raw values: bytes, a list of numbers, or an array of uint8.
pub(crate) fn bytes(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let wrong = |_| wrong_type("an observation is bytes, or a flat array of uint8");
    given.extract().map_err(wrong)
}

fn unknown(what: &'static str, value: &str, expected: &'static str) -> PyErr {
    raise(PlayError::Unknown { what, value: value.to_owned(), expected })
}

/// A seat; a negative one becomes one that does not exist.
pub(crate) fn seat(given: i64) -> usize {
    usize::try_from(given).unwrap_or(usize::MAX)
}

/// The bytes of a message.
pub(crate) fn message<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let encoded = given.call_method0("SerializeToString");
    let bytes = encoded.ok().and_then(|encoded| encoded.cast_into::<PyBytes>().ok());
    bytes.ok_or_else(|| wrong_type("a state is a GameState message, or its bytes"))
}
