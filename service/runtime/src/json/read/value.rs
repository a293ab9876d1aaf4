//! One value of a field.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_reflect::DynamicMessage;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::json::schema::{Field, Message, Opaque, Schema, Value};
use crate::json::strict;

use super::{Object, declined};

/// Accepts the same text as reflection.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Whether a value is the default of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IsDefault(pub(super) bool);

/// The value of a field that is not a list, or one element of a list.
pub(super) struct Element<'a> {
    pub(super) schema: &'a Schema,
    pub(super) field: &'a Field,
    pub(super) bytes: &'a mut Vec<u8>,
    /// Written without a key.
    pub(super) is_packed: bool,
}

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = IsDefault;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<IsDefault, D::Error> {
        if let Value::Message(index) = self.field.value
            && let Message::Opaque(opaque) = self.schema.at(index)
        {
            return self.opaque(opaque, json);
        }
        json.deserialize_any(self)
    }
}

impl Element<'_> {
    fn key(&mut self, wire: WireType) {
        if !self.is_packed {
            encode_key(self.field.number, wire, self.bytes);
        }
    }

    fn varint(mut self, value: u64) -> IsDefault {
        self.key(WireType::Varint);
        encode_varint(value, self.bytes);
        IsDefault(value == 0)
    }

    fn double(mut self, value: f64) -> IsDefault {
        self.key(WireType::SixtyFourBit);
        self.bytes.extend_from_slice(&value.to_le_bytes());
        IsDefault(value == 0.0)
    }

    fn nested(mut self, content: &[u8]) -> IsDefault {
        self.key(WireType::LengthDelimited);
        encode_varint(content.len() as u64, self.bytes);
        self.bytes.extend_from_slice(content);
        IsDefault(content.is_empty())
    }

    pub(super) fn opaque<'de, D: Deserializer<'de>>(
        self,
        opaque: &Opaque,
        json: D,
    ) -> Result<IsDefault, D::Error> {
        let message =
            DynamicMessage::deserialize_with_options(opaque.kind.clone(), json, &strict());
        Ok(self.nested(&message?.encode_to_vec()))
    }
}

/// Negative numbers take ten bytes, also those of 32 bits.
fn sign_extended(value: i32) -> u64 {
    i64::from(value).cast_unsigned()
}

impl<'de> Visitor<'de> for Element<'_> {
    type Value = IsDefault;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<IsDefault, E> {
        if let Value::Bool = self.field.value {
            return Ok(self.varint(value.into()));
        }
        Err(declined())
    }

    #[allow(clippy::cast_precision_loss, reason = "an integer for a double is rounded to one")]
    fn visit_u64<E: Error>(self, value: u64) -> Result<IsDefault, E> {
        if let Value::Double = self.field.value {
            return Ok(self.double(value as f64));
        }
        let fits = match self.field.value {
            Value::Uint32 => u32::try_from(value).is_ok(),
            Value::Int32 | Value::Enum(_) => i32::try_from(value).is_ok(),
            Value::Int64 => i64::try_from(value).is_ok(),
            Value::Uint64 => true,
            Value::Bool | Value::Double | Value::String | Value::Bytes | Value::Message(_) => false,
        };
        if fits { Ok(self.varint(value)) } else { Err(declined()) }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<IsDefault, E> {
        let fits = match self.field.value {
            Value::Int32 | Value::Enum(_) => i32::try_from(value).is_ok(),
            Value::Int64 => true,
            Value::Bool
            | Value::Uint32
            | Value::Uint64
            | Value::Double
            | Value::String
            | Value::Bytes
            | Value::Message(_) => false,
        };
        if fits { Ok(self.varint(value.cast_unsigned())) } else { Err(declined()) }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<IsDefault, E> {
        if let Value::Double = self.field.value {
            return Ok(self.double(value));
        }
        Err(declined())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<IsDefault, E> {
        let number = match &self.field.value {
            Value::String => return Ok(self.nested(value.as_bytes())),
            Value::Bytes => {
                let bytes = BASE64.decode(value).map_err(|_| declined())?;
                return Ok(self.nested(&bytes));
            }
            // Includes Infinity and NaN.
            Value::Double => {
                return value.parse().map(|number| self.double(number)).map_err(|_| declined());
            }
            Value::Enum(kind) => kind.number(value).map(sign_extended),
            Value::Int32 => value.parse().ok().map(sign_extended),
            Value::Int64 => value.parse().ok().map(i64::cast_unsigned),
            Value::Uint32 => value.parse::<u32>().ok().map(u64::from),
            Value::Uint64 => value.parse().ok(),
            Value::Bool | Value::Message(_) => None,
        };
        number.map(|number| self.varint(number)).ok_or_else(declined)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, map: A) -> Result<IsDefault, A::Error> {
        let Value::Message(index) = self.field.value else { return Err(declined()) };
        let Message::Fields(fields) = self.schema.at(index) else { return Err(declined()) };
        self.key(WireType::LengthDelimited);
        let content = begin_nested(self.bytes);
        Object { schema: self.schema, fields, bytes: &mut *self.bytes }.visit_map(map)?;
        end_nested(self.bytes, content);
        Ok(IsDefault(false))
    }
}

/// Reserves one byte for the length, which is usually enough.
pub(super) fn begin_nested(bytes: &mut Vec<u8>) -> usize {
    bytes.push(0);
    bytes.len()
}

pub(super) fn end_nested(bytes: &mut Vec<u8>, content: usize) {
    let length = bytes.len() - content;
    if let Ok(short @ 0..0x80) = u8::try_from(length) {
        bytes[content - 1] = short;
        return;
    }
    let mut prefix = Vec::with_capacity(10);
    encode_varint(length as u64, &mut prefix);
    bytes.splice(content - 1..content, prefix);
}
