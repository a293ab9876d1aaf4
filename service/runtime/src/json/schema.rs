//! What the transcoder has to know about each message: built once, when the server starts.

use std::collections::HashMap;

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

use crate::connect::ErrorHolders;

/// Fields that were seen are marked in the bits of a `u64`.
const MAX_FIELDS: usize = 64;

/// Messages with everything that they contain.
#[derive(Debug)]
pub(super) struct Schema {
    messages: Vec<Message>,
}

/// The index of a message in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index(pub(super) usize);

#[derive(Debug)]
pub(super) enum Message {
    Fields(Fields),
    /// A message with a special JSON form or with rare kinds of fields: left to reflection.
    Opaque(Opaque),
}

#[derive(Debug)]
pub(super) struct Opaque {
    pub(super) kind: MessageDescriptor,
    /// Where it contains errors.
    pub(super) errors: ErrorHolders,
    /// Whether null is one of its values.
    pub(super) has_null: bool,
}

#[derive(Debug)]
pub(super) struct Fields {
    /// In ascending order of their numbers, in which both forms are written.
    pub(super) all: Vec<Field>,
    /// By both of their names.
    by_name: HashMap<Box<str>, usize>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) json_name: Box<str>,
    /// `,"name":`
    pub(super) key: Box<[u8]>,
    /// `,"name":0`, if the field is written when it is absent.
    pub(super) absent: Option<Box<[u8]>>,
    pub(super) is_list: bool,
    /// The number of its oneof, if it is a member of one.
    pub(super) oneof: Option<usize>,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Bool,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Double,
    String,
    Bytes,
    Enum(Enum),
    Message(Index),
}

#[derive(Debug)]
pub(super) struct Enum {
    /// In ascending order of their numbers, each with its name in quotes.
    values: Vec<(i32, Box<str>)>,
    by_name: HashMap<Box<str>, i32>,
}

impl Schema {
    /// The first messages are the given ones, in this order, each once.
    pub(super) fn of(roots: Vec<MessageDescriptor>) -> Self {
        let (mut found, mut messages) = (roots, Vec::new());
        while let Some(kind) = found.get(messages.len()).cloned() {
            let fields = Fields::of(&kind, &mut found);
            messages
                .push(fields.map_or_else(|| Message::Opaque(Opaque::of(kind)), Message::Fields));
        }
        Self { messages }
    }

    pub(super) fn at(&self, index: Index) -> &Message {
        &self.messages[index.0]
    }
}

impl Opaque {
    fn of(kind: MessageDescriptor) -> Self {
        let has_null = kind.full_name() == "google.protobuf.Value";
        Self { errors: ErrorHolders::of(&kind), has_null, kind }
    }
}

impl Fields {
    /// None if the message needs reflection.
    fn of(kind: &MessageDescriptor, found: &mut Vec<MessageDescriptor>) -> Option<Self> {
        // Well-known types have a special JSON form; errors are respelled.
        if kind.full_name().starts_with("google.") || kind.fields().len() > MAX_FIELDS {
            return None;
        }
        if kind.extensions().len() > 0 {
            return None;
        }
        let oneofs: Vec<_> = kind.oneofs().collect();
        let all = kind.fields().map(|field| {
            let oneof = field.containing_oneof();
            let oneof = oneof.and_then(|oneof| oneofs.iter().position(|other| *other == oneof));
            Field::of(&field, oneof, found)
        });
        let all: Vec<Field> = all.collect::<Option<_>>()?;
        let mut by_name = HashMap::new();
        for (index, field) in kind.fields().enumerate() {
            by_name.insert(field.name().into(), index);
        }
        // If the names conflict, the JSON name wins.
        for (index, field) in all.iter().enumerate() {
            by_name.insert(field.json_name.clone(), index);
        }
        Some(Self { all, by_name })
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

impl Field {
    fn of(
        field: &FieldDescriptor,
        oneof: Option<usize>,
        found: &mut Vec<MessageDescriptor>,
    ) -> Option<Self> {
        if field.is_map() || field.is_group() {
            return None;
        }
        let value = Value::of(field, found)?;
        // Numbers are packed; exceptions are old, and left to reflection.
        if field.is_list() && field.is_packed() != value.is_packable() {
            return None;
        }
        let key = format!(",{}:", serde_json::to_string(field.json_name()).ok()?);
        let default = if field.is_list() { "[]".to_owned() } else { value.default()? };
        let absent = (!field.supports_presence()).then(|| format!("{key}{default}").into_bytes());
        Some(Self {
            number: field.number(),
            json_name: field.json_name().into(),
            key: key.into_bytes().into(),
            absent: absent.map(Vec::into_boxed_slice),
            is_list: field.is_list(),
            oneof,
            value,
        })
    }

    /// Whether it is not encoded if it has its default value.
    pub(super) const fn is_implicit(&self) -> bool {
        self.absent.is_some()
    }
}

impl Value {
    fn of(field: &FieldDescriptor, found: &mut Vec<MessageDescriptor>) -> Option<Self> {
        Some(match field.kind() {
            Kind::Bool => Self::Bool,
            Kind::Int32 => Self::Int32,
            Kind::Int64 => Self::Int64,
            Kind::Uint32 => Self::Uint32,
            Kind::Uint64 => Self::Uint64,
            Kind::Double => Self::Double,
            Kind::String => Self::String,
            Kind::Bytes => Self::Bytes,
            Kind::Enum(kind) => Self::Enum(Enum::of(&kind)?),
            Kind::Message(kind) => {
                let known = found.iter().position(|other| *other == kind);
                Self::Message(Index(known.unwrap_or_else(|| {
                    found.push(kind);
                    found.len() - 1
                })))
            }
            // The API uses none of them.
            Kind::Float
            | Kind::Sint32
            | Kind::Sint64
            | Kind::Fixed32
            | Kind::Fixed64
            | Kind::Sfixed32
            | Kind::Sfixed64 => return None,
        })
    }

    pub(super) const fn is_packable(&self) -> bool {
        !matches!(self, Self::String | Self::Bytes | Self::Message(_))
    }

    /// The JSON of the default value; none for an enum without a value 0.
    fn default(&self) -> Option<String> {
        Some(match self {
            Self::Bool => "false".to_owned(),
            Self::Int32 | Self::Uint32 => "0".to_owned(),
            Self::Int64 | Self::Uint64 => "\"0\"".to_owned(),
            Self::Double => "0.0".to_owned(),
            Self::String | Self::Bytes => "\"\"".to_owned(),
            Self::Enum(kind) => kind.name(0)?.to_owned(),
            // Messages have presence: an absent one is not written.
            Self::Message(_) => String::new(),
        })
    }
}

impl Enum {
    fn of(kind: &EnumDescriptor) -> Option<Self> {
        if kind.full_name() == "google.protobuf.NullValue" || kind.default_value().number() != 0 {
            return None;
        }
        let mut values: Vec<(i32, Box<str>)> = Vec::new();
        for value in kind.values() {
            let number = value.number();
            // If a number has several names, the one that reflection writes.
            let name = kind.get_value(number)?;
            if values.last().is_none_or(|&(last, _)| last != number) {
                values.push((number, format!("\"{}\"", name.name()).into()));
            }
        }
        let by_name = kind.values().map(|value| (value.name().into(), value.number())).collect();
        Some(Self { values, by_name })
    }

    /// The name of a number, in quotes.
    pub(super) fn name(&self, number: i32) -> Option<&str> {
        // Nearly all are numbered from 0 without gaps.
        let direct = usize::try_from(number).ok().and_then(|index| self.values.get(index));
        let direct = direct.filter(|&&(found, _)| found == number);
        let found = direct.or_else(|| {
            let index = self.values.binary_search_by_key(&number, |&(found, _)| found).ok()?;
            self.values.get(index)
        });
        found.map(|(_, name)| &**name)
    }

    pub(super) fn number(&self, name: &str) -> Option<i32> {
        self.by_name.get(name).copied()
    }
}
