//! Descriptions of what a field takes and of what was found.

use std::fmt;

use prost_reflect::{Kind, MessageDescriptor};
use serde_json::value::RawValue;

/// Characters of the caller's own text that an error repeats.
const MOST: usize = 40;
/// Names that an error lists.
const MOST_NAMES: usize = 24;

/// A JSON value, for an error message.
pub(super) enum Found<'a> {
    Object,
    Array,
    Text(String),
    Other(&'a str),
}

impl<'a> Found<'a> {
    pub(super) fn of(raw: &'a RawValue) -> Self {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => serde_json::from_str(text).map_or(Self::Other(text), Self::Text),
            _ => Self::Other(text),
        }
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object => f.write_str("an object"),
            Self::Array => f.write_str("an array"),
            Self::Text(text) => write!(f, "{:?}", shorten(text)),
            Self::Other(text) => f.write_str(&shorten(text)),
        }
    }
}

/// Whether the JSON of such a message is an object with its fields: most types of
/// `google.protobuf` have a special form.
pub(super) fn is_plain(kind: &MessageDescriptor) -> bool {
    kind.package_name() != "google.protobuf"
}

/// What a single value has to be; none if only the parser knows.
pub(super) fn expected(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Double | Kind::Float => "a number",
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            "an integer between -2147483648 and 2147483647"
        }
        Kind::Uint32 | Kind::Fixed32 => "an integer between 0 and 4294967295",
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "a 64-bit integer",
        Kind::Uint64 | Kind::Fixed64 => "an unsigned 64-bit integer",
        Kind::Bool => "true or false",
        Kind::String => "a string",
        Kind::Bytes => "a base64 string",
        Kind::Message(kind) => match kind.full_name() {
            "google.protobuf.Duration" => "a duration such as \"1.5s\"",
            "google.protobuf.Timestamp" => "a time such as \"2026-01-31T12:00:00Z\"",
            _ => return None,
        },
        Kind::Enum(_) => return None,
    })
}

/// Whether a text can be a key of a map.
pub(super) fn is_key(kind: &Kind, text: &str) -> bool {
    match kind {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => text.parse::<i32>().is_ok(),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => text.parse::<i64>().is_ok(),
        Kind::Uint32 | Kind::Fixed32 => text.parse::<u32>().is_ok(),
        Kind::Uint64 | Kind::Fixed64 => text.parse::<u64>().is_ok(),
        Kind::Bool => text.parse::<bool>().is_ok(),
        Kind::Double
        | Kind::Float
        | Kind::String
        | Kind::Bytes
        | Kind::Message(_)
        | Kind::Enum(_) => true,
    }
}

/// The beginning of a text.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Names, separated by commas.
pub(super) fn names(all: impl ExactSizeIterator<Item = String>) -> String {
    if all.len() == 0 {
        return "none".to_owned();
    }
    let more = match all.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        left_out => format!(" and {left_out} more"),
    };
    all.take(MOST_NAMES).collect::<Vec<_>>().join(", ") + &more
}
