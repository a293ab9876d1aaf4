//! Why a JSON text is not a message, and at which field. This runs only after reading failed: the
//! text is read again with the path recorded, and the value at that path is compared with what its
//! field takes.

mod describe;
mod raw;

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, OneofDescriptor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment, Track};
use tonic::Status;

use crate::{json, refusal};

use describe::{Found, is_plain, names, shorten};

/// The error for a text that cannot be read as a message of this kind.
pub(super) fn refused(kind: &MessageDescriptor, text: &[u8]) -> Status {
    let mut track = Track::new();
    let mut parser = serde_json::Deserializer::from_slice(text);
    let tracked = serde_path_to_error::Deserializer::new(&mut parser, &mut track);
    let read = DynamicMessage::deserialize_with_options(kind.clone(), tracked, &json::strict());
    let Err(error) = read.and_then(|_message| parser.end()) else {
        return refusal::bad_message("unknown problem");
    };
    if error.classify() != Category::Data {
        return refusal::bad_message(&format!("invalid JSON: {error}"));
    }
    let path = track.path();
    let (path, problem) =
        located(kind, text, &path).unwrap_or_else(|| (path.to_string(), without_position(&error)));
    match &*path {
        "" | "." => refusal::bad_message(&problem),
        path => refusal::bad_field(path, &problem),
    }
}

/// What the parser says, without the position: the path says where.
fn without_position(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    message.strip_suffix(&position).unwrap_or(&message).to_owned()
}

/// A value in the text and what is expected there.
struct Place<'a> {
    /// In JSON spelling.
    path: String,
    raw: &'a RawValue,
    expected: Expected,
}

enum Expected {
    List(FieldDescriptor),
    Map(FieldDescriptor),
    One(Kind),
}

/// The path and the problem; none where the descriptors say nothing, as within a
/// `google.protobuf.Struct`.
fn located(kind: &MessageDescriptor, text: &[u8], path: &Path) -> Option<(String, String)> {
    let root = Expected::One(Kind::Message(kind.clone()));
    let raw = serde_json::from_slice(text).ok()?;
    let mut place = Place { path: String::new(), raw, expected: root };
    for segment in path {
        place = place.step(segment)?;
    }
    place.problem()
}

impl Place<'_> {
    fn step(self, segment: &Segment) -> Option<Self> {
        let (path, raw, expected) = match (self.expected, segment) {
            (Expected::One(Kind::Message(kind)), Segment::Map { key }) => {
                let field = field(&kind, key)?;
                let path = join(&self.path, field.json_name());
                (path, raw::value_of(self.raw, key)?, Expected::of(field))
            }
            (Expected::Map(field), Segment::Map { key }) => {
                let Kind::Message(entry) = field.kind() else { return None };
                let path = format!("{}[{:?}]", self.path, shorten(key));
                (path, raw::value_of(self.raw, key)?, Expected::of(entry.map_entry_value_field()))
            }
            (Expected::List(field), &Segment::Seq { index }) => {
                let path = format!("{}[{index}]", self.path);
                (path, raw::element(self.raw, index)?, Expected::One(field.kind()))
            }
            _ => return None,
        };
        Some(Self { path, raw, expected })
    }

    fn problem(&self) -> Option<(String, String)> {
        let found = Found::of(self.raw);
        let problem = match (&self.expected, &found) {
            (Expected::List(_), found) => format!("expected an array, not {found}"),
            (Expected::Map(field), Found::Object) => return self.key_problem(field),
            (Expected::Map(_), found) => format!("expected an object, not {found}"),
            (Expected::One(Kind::Message(kind)), Found::Object) if is_plain(kind) => {
                return self.member_problem(kind);
            }
            (Expected::One(Kind::Message(kind)), found) if is_plain(kind) => {
                format!("expected an object, not {found}")
            }
            (Expected::One(Kind::Enum(kind)), Found::Text(name)) => {
                let known = names(kind.values().map(|value| value.name().to_owned()));
                let name = shorten(name);
                format!("unknown value {name:?} of {}; known values: {known}", kind.full_name())
            }
            (Expected::One(Kind::Enum(kind)), found) => {
                format!("expected a value of {}, not {found}", kind.full_name())
            }
            (Expected::One(kind), found) => {
                format!("expected {}, not {found}", describe::expected(kind)?)
            }
        };
        Some((self.path.clone(), problem))
    }

    /// The problem of an object whose values can be read: one of its names is wrong.
    fn member_problem(&self, kind: &MessageDescriptor) -> Option<(String, String)> {
        let mut chosen: Vec<(OneofDescriptor, FieldDescriptor)> = Vec::new();
        for (key, value) in raw::entries(self.raw)? {
            let Some(field) = field(kind, &key) else {
                let known = names(kind.fields().map(|field| field.json_name().to_owned()));
                let problem =
                    format!("unknown field of {}; known fields: {known}", kind.full_name());
                return Some((join(&self.path, &shorten(&key)), problem));
            };
            let Some(oneof) = field.containing_oneof().filter(|_| value.get() != "null") else {
                continue;
            };
            if let Some((_, other)) = chosen.iter().find(|(other, _)| *other == oneof) {
                let problem = conflict(&oneof, other, &field);
                return Some((join(&self.path, field.json_name()), problem));
            }
            chosen.push((oneof, field));
        }
        None
    }

    /// The problem of a map whose values can be read: one of its keys is wrong.
    fn key_problem(&self, field: &FieldDescriptor) -> Option<(String, String)> {
        let Kind::Message(entry) = field.kind() else { return None };
        let kind = entry.map_entry_key_field().kind();
        let mut keys = raw::entries(self.raw)?.into_iter().map(|(key, _)| key);
        let key = keys.find(|key| !describe::is_key(&kind, key))?;
        let problem = format!("the key must be {}", describe::expected(&kind)?);
        Some((format!("{}[{:?}]", self.path, shorten(&key)), problem))
    }
}

impl Expected {
    fn of(field: FieldDescriptor) -> Self {
        if field.is_list() {
            Self::List(field)
        } else if field.is_map() {
            Self::Map(field)
        } else {
            Self::One(field.kind())
        }
    }
}

/// Two members of a oneof.
fn conflict(oneof: &OneofDescriptor, first: &FieldDescriptor, second: &FieldDescriptor) -> String {
    if first == second {
        return "set more than once".to_owned();
    }
    let members = names(oneof.fields().map(|field| field.json_name().to_owned()));
    format!("{} is set too; set only one of {members}", first.json_name())
}

/// By either of its names, as the parser accepts it.
fn field(kind: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    kind.get_field_by_json_name(name).or_else(|| kind.get_field_by_name(name))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests;
