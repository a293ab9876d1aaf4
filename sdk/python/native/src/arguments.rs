//! What comes from Python: seeds, chance, actions, house bots.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use azulejo_bots::Budget;
use azulejo_play::{Chance, HouseBot, PlayError, Ruleset};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString};

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
    let text = object.repr().map(|text| text.to_string()).ok();
    let short = text.filter(|text| text.chars().count() <= LONGEST);
    short.unwrap_or_else(|| object.get_type().to_string())
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
    Text(Cow<'a, str>),
}

/// An action id or a move in the notation.
pub(crate) fn action<'a>(given: &'a Bound<'_, PyAny>, count: usize) -> PyResult<Action<'a>> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Action::Text(text.to_string_lossy()));
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
            let id = shown(given);
            let message =
                format!("action {id} is not in the action space, which has {count} ids from 0");
            Err(named(message, "NO_SUCH_ACTION", None))
        }
        Err(_) => Err(wrong_type("an action is an id or a move in the notation")),
    }
}

/// A house bot by name. While it thinks, nothing can interrupt it, so it must not think for long.
pub(crate) fn house_bot(name: &str) -> PyResult<HouseBot> {
    const LONGEST: Duration = Duration::from_mins(1);
    const MOST_NODES: u32 = 1_000_000;
    let bot = HouseBot::from_str(name).map_err(|_| {
        unknown("bot", name, "random, greedy, strong, strong:250 (ms) or strong:5000n (iterations)")
    })?;
    let HouseBot::Strong { budget, .. } = bot else { return Ok(bot) };
    let allowed = match budget {
        Budget::Time(time) => time <= LONGEST,
        Budget::Nodes(nodes) => nodes <= MOST_NODES,
    };
    if allowed {
        return Ok(bot);
    }
    let message =
        format!("{name} would think too long: the most is strong:60000 or strong:1000000n");
    Err(named(message, "OUT_OF_RANGE", None))
}

/// A value that is one of few.
pub(crate) fn parse<T: FromStr<Err = PlayError>>(text: &str) -> PyResult<T> {
    text.parse().map_err(raise)
}

/// A whole number as given, which can be negative or too large.
#[derive(Debug)]
pub(crate) enum Whole {
    Small(i64),
    Large(String),
}

impl FromPyObject<'_, '_> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match given.extract::<i64>() {
            Ok(number) => Ok(Self::Small(number)),
            Err(_) if given.is_instance_of::<PyInt>() => Ok(Self::Large(shown(&given))),
            Err(_) => Err(wrong_type(&format!("expected a whole number, not {}", shown(&given)))),
        }
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(number) => number.fmt(f),
            Self::Large(number) => f.write_str(number),
        }
    }
}

impl Whole {
    /// The number, if it is below this one.
    pub(crate) fn below(&self, end: usize) -> Option<usize> {
        let &Self::Small(number) = self else { return None };
        usize::try_from(number).ok().filter(|&number| number < end)
    }

    pub(crate) fn seat(&self, seats: usize) -> PyResult<usize> {
        self.below(seats).ok_or_else(|| {
            let message =
                format!("seat {self} does not exist: this game has {seats} seats, numbered from 0");
            named(message, "NO_SUCH_SEAT", None)
        })
    }

    /// A count or a number of a game, at most this one.
    pub(crate) fn to(&self, what: &str, most: usize) -> PyResult<usize> {
        self.below(most + 1).ok_or_else(|| {
            named(format!("{what} must be 0 to {most}, not {self}"), "OUT_OF_RANGE", None)
        })
    }
}

/// The number of players of a ruleset.
pub(crate) fn players(ruleset: &str) -> PyResult<usize> {
    let found = Ruleset::from_key(ruleset).map(|ruleset| ruleset.players().seats());
    found.ok_or_else(|| raise(PlayError::NoSuchRuleset { key: ruleset.to_owned() }))
}

/// The elements of a list, if there are not too many. Of its own accord, pyo3 would make room for as
/// many as the length says, and a `range` can say anything.
pub(crate) fn list<T>(
    given: &Bound<'_, PyAny>,
    most: usize,
    too_many: impl Fn(usize) -> PyErr,
    read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
    wrong: &str,
) -> PyResult<Vec<T>> {
    let sequence = given.hasattr("__getitem__")?
        && !given.is_instance_of::<PyString>()
        && !given.is_instance_of::<PyDict>();
    let length = given.len().ok().filter(|_| sequence).ok_or_else(|| wrong_type(wrong))?;
    if length > most {
        return Err(too_many(length));
    }
    let mut elements = Vec::new();
    for element in given.try_iter().map_err(|_| wrong_type(wrong))? {
        // The length need not be true.
        if elements.len() == most {
            return Err(too_many(most + 1));
        }
        elements.push(read(&element?)?);
    }
    Ok(elements)
}

/// Raw values: bytes, a list of numbers, or an array of uint8.
pub(crate) fn bytes(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    const WRONG: &str = "an observation is bytes, or a flat array of uint8";
    /// That of Summer Pavilion's gray side for four players.
    const LONGEST: usize = 1_150;
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let too_many = |found| {
        raise(PlayError::BadObservation(format!("{found} values; the longest has {LONGEST}")))
    };
    let read = |value: &Bound<'_, PyAny>| value.extract().map_err(|_| wrong_type(WRONG));
    list(given, LONGEST, too_many, read, WRONG)
}

fn unknown(what: &'static str, value: &str, expected: &'static str) -> PyErr {
    raise(PlayError::Unknown { what, value: value.to_owned(), expected })
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
