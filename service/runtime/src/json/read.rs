//! Text as the bytes of a message.

mod value;

use std::fmt;

use prost::encoding::{DecodeContext, WireType, decode_key, encode_key, skip_field};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::schema::{Field, Fields, Index, Message, Opaque, Schema, Value};

use value::{Element, IsDefault, begin_nested, end_nested};

/// The encoded message of a JSON text in its usual form. The fields are in ascending order, whatever
/// their order in the text.
pub(super) fn message(schema: &Schema, root: Index, text: &[u8]) -> Option<Vec<u8>> {
    let Message::Fields(fields) = schema.at(root) else { return None };
    let mut bytes = Vec::with_capacity(text.len() / 4);
    let mut json = serde_json::Deserializer::from_slice(text);
    json.deserialize_map(Object { schema, fields, bytes: &mut bytes }).ok()?;
    json.end().ok()?;
    Some(bytes)
}

/// The reason does not matter: reflection reads the text again, and explains what is wrong.
fn declined<E: Error>() -> E {
    E::custom("declined")
}

/// A message, appended to the bytes.
struct Object<'a> {
    schema: &'a Schema,
    fields: &'a Fields,
    bytes: &'a mut Vec<u8>,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { schema, fields, bytes } = self;
        let begin = bytes.len();
        let (mut seen, mut oneofs, mut next) = (0_u64, 0_u64, 0);
        let mut is_sorted = true;
        while let Some(index) = map.next_key_seed(Name { fields, next })? {
            let field = &fields.all[index];
            if seen & 1 << index != 0 {
                return Err(declined());
            }
            seen |= 1 << index;
            is_sorted &= index >= next;
            let is_null = map.next_value_seed(Member { schema, field, bytes: &mut *bytes })?;
            if let (Some(oneof), false) = (field.oneof, is_null) {
                if oneofs & 1 << oneof != 0 {
                    return Err(declined());
                }
                oneofs |= 1 << oneof;
            }
            next = index + 1;
        }
        if !is_sorted {
            sort(bytes, begin).ok_or_else(declined)?;
        }
        Ok(())
    }
}

/// The name of a field, which is nearly always the next one.
struct Name<'a> {
    fields: &'a Fields,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<usize, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let Self { fields, next } = self;
        match fields.all.get(next) {
            Some(field) if *field.json_name == *name => Ok(next),
            _ => fields.find(name).ok_or_else(declined),
        }
    }
}

/// The value of a field, appended to the bytes with its key. True if it is null.
struct Member<'a> {
    schema: &'a Schema,
    field: &'a Field,
    bytes: &'a mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Member<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<bool, D::Error> {
        match self.message() {
            Some(Message::Opaque(opaque)) if !self.field.is_list => {
                json.deserialize_option(OpaqueMember { opaque, member: self })
            }
            _ => json.deserialize_any(self),
        }
    }
}

impl<'a> Member<'a> {
    fn message(&self) -> Option<&'a Message> {
        if let Value::Message(index) = self.field.value {
            return Some(self.schema.at(index));
        }
        None
    }

    fn element(&mut self) -> Element<'_> {
        Element { schema: self.schema, field: self.field, bytes: self.bytes, is_packed: false }
    }

    /// A value that is omitted if it is the default.
    fn scalar<E: Error>(
        mut self,
        write: impl FnOnce(Element<'_>) -> Result<IsDefault, E>,
    ) -> Result<bool, E> {
        if self.field.is_list {
            return Err(declined());
        }
        let begin = self.bytes.len();
        if write(self.element())? == IsDefault(true) && self.field.is_implicit() {
            self.bytes.truncate(begin);
        }
        Ok(false)
    }
}

impl<'de> Visitor<'de> for Member<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        match self.message() {
            Some(Message::Opaque(Opaque { has_null: true, .. })) => Err(declined()),
            _ => Ok(true),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<bool, E> {
        self.scalar(|element| element.visit_bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<bool, E> {
        self.scalar(|element| element.visit_u64(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<bool, E> {
        self.scalar(|element| element.visit_i64(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<bool, E> {
        self.scalar(|element| element.visit_f64(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<bool, E> {
        self.scalar(|element| element.visit_str(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<bool, A::Error> {
        self.scalar(|element| element.visit_map(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<bool, A::Error> {
        if !self.field.is_list {
            return Err(declined());
        }
        if self.field.value.is_packable() {
            let begin = self.bytes.len();
            encode_key(self.field.number, WireType::LengthDelimited, self.bytes);
            let content = begin_nested(self.bytes);
            while list.next_element_seed(Element { is_packed: true, ..self.element() })?.is_some() {
            }
            if self.bytes.len() == content {
                self.bytes.truncate(begin);
            } else {
                end_nested(self.bytes, content);
            }
        } else {
            while list.next_element_seed(self.element())?.is_some() {}
        }
        Ok(false)
    }
}

/// A message that only reflection can read.
struct OpaqueMember<'a> {
    opaque: &'a Opaque,
    member: Member<'a>,
}

impl<'de> Visitor<'de> for OpaqueMember<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message or null")
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        self.member.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<bool, E> {
        self.member.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(mut self, json: D) -> Result<bool, D::Error> {
        self.member.element().opaque(self.opaque, json)?;
        Ok(false)
    }
}

/// Puts the fields of the last message in ascending order.
fn sort(bytes: &mut Vec<u8>, begin: usize) -> Option<()> {
    let message = bytes.split_off(begin);
    let mut records = Vec::new();
    let mut rest = message.as_slice();
    while !rest.is_empty() {
        let record = rest;
        let (number, wire) = decode_key(&mut rest).ok()?;
        skip_field(wire, number, &mut rest, DecodeContext::default()).ok()?;
        records.push((number, &record[..record.len() - rest.len()]));
    }
    // Stable: the elements of a list keep their order.
    records.sort_by_key(|&(number, _)| number);
    bytes.extend(records.iter().flat_map(|&(_, record)| record));
    Some(())
}
