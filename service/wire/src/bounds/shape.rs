//! The bounded fields of a message, by their tags, and the walk through its encoded bytes.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

use super::{EXEMPT, bound_of, too_long, too_many};
use crate::BadField;

/// Lists within one message, apart from those within entries of a list. A test checks it.
pub(super) const LISTS: usize = 8;
/// How deep messages are followed. A test checks that none is deeper.
pub(super) const DEEPEST: usize = 8;

/// The bounded fields of a message. Messages without any are omitted.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) tag: u32,
    pub(super) name: String,
    pub(super) rule: Rule,
}

/// What is checked of a field. `list` is the number of its counter.
#[derive(Debug)]
pub(super) enum Rule {
    Text {
        most: usize,
    },
    Texts {
        list: usize,
        most: usize,
        longest: usize,
    },
    /// Numbers, packed or not; `width` is 0 for varints.
    Numbers {
        list: usize,
        most: usize,
        width: usize,
    },
    /// A message that occurs twice is merged: its lists are counted together with those around it.
    Message(Shape),
    Messages {
        list: usize,
        most: usize,
        entry: Shape,
    },
}

/// Every request, by its name and package.
static REQUESTS: LazyLock<HashMap<String, Vec<(String, Shape)>>> = LazyLock::new(|| {
    let set = FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap_or_default();
    let schema = Schema::of(&set);
    let mut shapes: HashMap<String, Vec<(String, Shape)>> = HashMap::new();
    for request in &schema.requests {
        if let Some((package, name)) = request.rsplit_once('.') {
            let shape = schema.shape(request, &mut 0, 0);
            shapes.entry(name.to_owned()).or_default().push((package.to_owned(), shape));
        }
    }
    shapes
});

impl Shape {
    /// The shape of a request; none for other messages, and for those without bounded fields.
    pub(crate) fn of_request(package: &str, name: &str) -> Option<&'static Self> {
        let named = REQUESTS.get(name)?;
        let (_, shape) = named.iter().find(|(found, _)| found == package)?;
        if shape.fields.is_empty() { None } else { Some(shape) }
    }

    /// Checks an encoded message. Bytes that are not a message pass: the decoder refuses them.
    pub(crate) fn check(&self, bytes: &[u8]) -> Result<(), BadField> {
        self.walk(bytes, &mut [0; LISTS])
    }

    fn walk(&self, bytes: &[u8], counts: &mut [usize; LISTS]) -> Result<(), BadField> {
        let mut rest = bytes;
        // Groups are an old kind of nested message, which no message of ours has.
        let mut groups = 0_usize;
        while !rest.is_empty() {
            let Some((tag, value)) = next(&mut rest) else { return Ok(()) };
            match value {
                Value::GroupStart => groups += 1,
                Value::GroupEnd => groups = groups.saturating_sub(1),
                Value::Number | Value::Bytes(_) if groups > 0 => {}
                Value::Number | Value::Bytes(_) => {
                    if let Some(field) = self.fields.iter().find(|field| field.tag == tag) {
                        field.check(value, counts)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Field {
    fn check(&self, value: Value<'_>, counts: &mut [usize; LISTS]) -> Result<(), BadField> {
        let name = &self.name;
        let mut add = |list: usize, more: usize, most: usize| {
            let count = counts.get_mut(list).ok_or_else(|| too_many(name, most))?;
            *count = count.saturating_add(more);
            if *count > most { Err(too_many(name, most)) } else { Ok(*count - 1) }
        };
        let within = |bytes: &[u8], most: usize| {
            let found = bytes.len();
            if found > most { Err(found) } else { Ok(()) }
        };
        match (&self.rule, value) {
            (Rule::Text { most }, Value::Bytes(bytes)) => {
                within(bytes, *most).map_err(|found| too_long(name, found, *most))
            }
            (Rule::Texts { list, most, longest }, Value::Bytes(bytes)) => {
                let index = add(*list, 1, *most)?;
                let entry = |found| too_long(&format!("{name}[{index}]"), found, *longest);
                within(bytes, *longest).map_err(entry)
            }
            (Rule::Numbers { list, most, .. }, Value::Number) => add(*list, 1, *most).map(drop),
            (Rule::Numbers { list, most, width }, Value::Bytes(bytes)) => {
                let entries = match width {
                    0 => bytes.iter().filter(|&&byte| byte < 0x80).count(),
                    width => bytes.len() / width,
                };
                if entries == 0 { Ok(()) } else { add(*list, entries, *most).map(drop) }
            }
            (Rule::Message(shape), Value::Bytes(bytes)) => {
                shape.walk(bytes, counts).map_err(|bad| bad.within(name))
            }
            (Rule::Messages { list, most, entry }, Value::Bytes(bytes)) => {
                let index = add(*list, 1, *most)?;
                if entry.fields.is_empty() {
                    return Ok(());
                }
                entry.check(bytes).map_err(|bad| bad.within_entry(name, index))
            }
            // Of another kind than the field: the decoder refuses it.
            (_, Value::Number | Value::GroupStart | Value::GroupEnd) => Ok(()),
        }
    }
}

#[derive(Clone, Copy)]
enum Value<'a> {
    Number,
    Bytes(&'a [u8]),
    GroupStart,
    GroupEnd,
}

/// The next field; none if the bytes are not a message.
fn next<'a>(rest: &mut &'a [u8]) -> Option<(u32, Value<'a>)> {
    let key = u32::try_from(varint(rest)?).ok()?;
    let value = match key & 7 {
        0 => {
            varint(rest)?;
            Value::Number
        }
        1 => skip(rest, 8)?,
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (bytes, after) = rest.split_at_checked(length)?;
            *rest = after;
            Value::Bytes(bytes)
        }
        3 => Value::GroupStart,
        4 => Value::GroupEnd,
        5 => skip(rest, 4)?,
        _ => return None,
    };
    Some((key >> 3, value))
}

fn skip<'a>(rest: &mut &[u8], bytes: usize) -> Option<Value<'a>> {
    *rest = rest.get(bytes..)?;
    Some(Value::Number)
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    const LONGEST: usize = 10;
    let mut number = 0;
    for index in 0..LONGEST {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The messages of all packages, and which of them are requests.
pub(super) struct Schema<'a> {
    messages: HashMap<String, &'a DescriptorProto>,
    pub(super) requests: Vec<String>,
}

impl<'a> Schema<'a> {
    pub(super) fn of(set: &'a FileDescriptorSet) -> Self {
        let (mut messages, mut requests) = (HashMap::new(), Vec::new());
        for file in &set.file {
            for message in &file.message_type {
                add_messages(file.package(), message, &mut messages);
            }
            let methods = file.service.iter().flat_map(|service| &service.method);
            requests.extend(methods.map(|method| method.input_type().replacen('.', "", 1)));
        }
        Self { messages, requests }
    }

    /// The fields of a message: descriptor, full name, and the name of the message in it if that is
    /// looked into.
    pub(super) fn fields(
        &self,
        name: &str,
    ) -> impl Iterator<Item = (&'a FieldDescriptorProto, String, Option<String>)> {
        let fields = self.messages.get(name).map(|message| &message.field[..]).unwrap_or_default();
        let name = name.to_owned();
        fields.iter().map(move |field| {
            let inner = (field.r#type() == Type::Message)
                .then(|| field.type_name().trim_start_matches('.').to_owned())
                .filter(|inner| !EXEMPT.contains(&inner.as_str()));
            (field, format!("{name}.{}", field.name()), inner)
        })
    }

    pub(super) fn shape(&self, name: &str, lists: &mut usize, depth: usize) -> Shape {
        if depth > DEEPEST {
            return Shape::default();
        }
        let fields = self.fields(name).filter_map(|(field, full_name, inner)| {
            // Without a bound of its own, a field may contain nothing. A test finds it first.
            let bound = bound_of(&full_name).unwrap_or(super::list(0));
            let (tag, name) = (u32::try_from(field.number()).ok()?, field.name().to_owned());
            let mut counter = || {
                *lists += 1;
                *lists - 1
            };
            let (most, bytes) = (bound.entries, bound.bytes);
            let rule = match (is_list(field), is_text(field), inner) {
                (true, true, _) => Rule::Texts { list: counter(), most, longest: bytes },
                (true, false, Some(inner)) => {
                    let entry = self.shape(&inner, &mut 0, depth + 1);
                    Rule::Messages { list: counter(), most, entry }
                }
                (true, false, None) => Rule::Numbers { list: counter(), most, width: width(field) },
                (false, true, _) => Rule::Text { most: bytes },
                (false, false, Some(inner)) => {
                    let shape = self.shape(&inner, lists, depth + 1);
                    if shape.fields.is_empty() {
                        return None;
                    }
                    Rule::Message(shape)
                }
                (false, false, None) => return None,
            };
            Some(Field { tag, name, rule })
        });
        Shape { fields: fields.collect() }
    }
}

fn add_messages<'a>(
    around: &str,
    message: &'a DescriptorProto,
    messages: &mut HashMap<String, &'a DescriptorProto>,
) {
    let name = format!("{around}.{}", message.name());
    for nested in &message.nested_type {
        add_messages(&name, nested, messages);
    }
    messages.insert(name, message);
}

pub(super) fn is_list(field: &FieldDescriptorProto) -> bool {
    field.label() == Label::Repeated
}

pub(super) fn is_text(field: &FieldDescriptorProto) -> bool {
    matches!(field.r#type(), Type::String | Type::Bytes)
}

/// Bytes of a packed number; 0 if that differs.
fn width(field: &FieldDescriptorProto) -> usize {
    let kind = field.r#type();
    if matches!(kind, Type::Double | Type::Fixed64 | Type::Sfixed64) {
        8
    } else if matches!(kind, Type::Float | Type::Fixed32 | Type::Sfixed32) {
        4
    } else {
        0
    }
}
