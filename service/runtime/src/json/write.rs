//! The bytes of a message as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost::encoding::{WireType, decode_key, decode_varint};
use prost_reflect::DynamicMessage;

use super::schema::{Enum, Field, Fields, Index, Message, Opaque, Schema, Value};
use super::write_dynamic;

/// Maximum nesting of messages, the same as in the general decoder.
const MAX_DEPTH: usize = 100;

/// The JSON of an encoded message, if its fields are in order.
pub(super) fn json(schema: &Schema, root: Index, bytes: &[u8]) -> Option<Vec<u8>> {
    let Message::Fields(fields) = schema.at(root) else { return None };
    // Text is longer than bytes: how much depends on the names.
    let mut writer = Writer { schema, text: Vec::with_capacity(256 + bytes.len() * 6) };
    writer.object(fields, bytes, MAX_DEPTH)?;
    Some(writer.text)
}

struct Writer<'a> {
    schema: &'a Schema,
    text: Vec<u8>,
}

/// The unread rest of a message: the next key, and what follows it.
struct Records<'a> {
    /// The number of the next field; 0, which no field has, at the end.
    number: u32,
    wire: WireType,
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut records = Self { number: 0, wire: WireType::Varint, rest: bytes };
        records.advance()?;
        Some(records)
    }

    fn advance(&mut self) -> Option<()> {
        if self.rest.is_empty() {
            self.number = 0;
        } else {
            (self.number, self.wire) = decode_key(&mut self.rest).ok()?;
        }
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        if self.wire == WireType::Varint { varint(&mut self.rest) } else { None }
    }

    fn nested(&mut self) -> Option<&'a [u8]> {
        if self.wire != WireType::LengthDelimited {
            return None;
        }
        let length = usize::try_from(varint(&mut self.rest)?).ok()?;
        let (nested, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(nested)
    }
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    match **bytes {
        [low @ 0..0x80, ref rest @ ..] => {
            *bytes = rest;
            Some(low.into())
        }
        _ => decode_varint(bytes).ok(),
    }
}

impl Writer<'_> {
    fn message(&mut self, index: Index, bytes: &[u8], depth: usize) -> Option<()> {
        match self.schema.at(index) {
            Message::Fields(fields) => self.object(fields, bytes, depth.checked_sub(1)?),
            Message::Opaque(opaque) => self.opaque(opaque, bytes),
        }
    }

    fn opaque(&mut self, opaque: &Opaque, bytes: &[u8]) -> Option<()> {
        let mut message = DynamicMessage::decode(opaque.kind.clone(), bytes).ok()?;
        opaque.errors.respell_nested(&mut message);
        write_dynamic(&message, &mut self.text)
    }

    fn object(&mut self, fields: &Fields, bytes: &[u8], depth: usize) -> Option<()> {
        let mut records = Records::new(bytes)?;
        let begin = self.text.len();
        let mut oneofs = 0_u64;
        for field in &fields.all {
            if records.number == field.number {
                if let Some(oneof) = field.oneof {
                    // The last member would win. Rare, so it is left to reflection.
                    if oneofs & 1 << oneof != 0 {
                        return None;
                    }
                    oneofs |= 1 << oneof;
                }
                self.text.extend_from_slice(&field.key);
                self.field(field, &mut records, depth)?;
            } else if let Some(absent) = &field.absent {
                self.text.extend_from_slice(absent);
            }
        }
        // Anything that is left is unknown, or not in order.
        if records.number != 0 {
            return None;
        }
        match self.text.get_mut(begin) {
            Some(comma) => *comma = b'{',
            None => self.text.push(b'{'),
        }
        self.text.push(b'}');
        Some(())
    }

    fn field(&mut self, field: &Field, records: &mut Records<'_>, depth: usize) -> Option<()> {
        if !field.is_list {
            self.value(&field.value, records, depth)?;
            return records.advance();
        }
        self.text.push(b'[');
        while records.number == field.number {
            if field.value.is_packable() {
                let packed = records.nested()?;
                let wire = if let Value::Double = field.value {
                    WireType::SixtyFourBit
                } else {
                    WireType::Varint
                };
                let mut packed = Records { number: 0, wire, rest: packed };
                while !packed.rest.is_empty() {
                    self.value(&field.value, &mut packed, depth)?;
                    self.text.push(b',');
                }
            } else {
                self.value(&field.value, records, depth)?;
                self.text.push(b',');
            }
            records.advance()?;
        }
        match self.text.last_mut() {
            Some(comma @ b',') => *comma = b']',
            _ => self.text.push(b']'),
        }
        Some(())
    }

    #[allow(clippy::cast_possible_truncation, reason = "as protobuf reads longer numbers")]
    fn value(&mut self, value: &Value, records: &mut Records<'_>, depth: usize) -> Option<()> {
        match value {
            Value::String => self.string(std::str::from_utf8(records.nested()?).ok()?),
            Value::Bytes => {
                let bytes = records.nested()?;
                self.quoted(|writer| writer.raw(&STANDARD.encode(bytes)));
                Some(())
            }
            Value::Message(index) => self.message(*index, records.nested()?, depth),
            Value::Double => self.double(records),
            Value::Bool => {
                let text = if records.varint()? == 0 { "false" } else { "true" };
                self.raw(text);
                Some(())
            }
            Value::Uint32 => {
                self.unsigned((records.varint()? as u32).into());
                Some(())
            }
            Value::Int32 => {
                self.signed(i64::from(records.varint()? as i32));
                Some(())
            }
            Value::Enum(kind) => {
                self.name(kind, records.varint()? as i32);
                Some(())
            }
            Value::Int64 => {
                let number = records.varint()?.cast_signed();
                self.quoted(|writer| writer.signed(number));
                Some(())
            }
            Value::Uint64 => {
                let number = records.varint()?;
                self.quoted(|writer| writer.unsigned(number));
                Some(())
            }
        }
    }

    fn raw(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn quoted(&mut self, write: impl FnOnce(&mut Self)) {
        self.text.push(b'"');
        write(self);
        self.text.push(b'"');
    }

    fn name(&mut self, kind: &Enum, number: i32) {
        match kind.name(number) {
            Some(name) => self.raw(name),
            None => self.signed(number.into()),
        }
    }

    fn signed(&mut self, number: i64) {
        if number < 0 {
            self.text.push(b'-');
        }
        self.unsigned(number.unsigned_abs());
    }

    /// Most numbers have one digit.
    fn unsigned(&mut self, number: u64) {
        if let Ok(digit @ 0..10) = u8::try_from(number) {
            self.text.push(b'0' + digit);
        } else {
            self.text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        }
    }

    fn double(&mut self, records: &mut Records<'_>) -> Option<()> {
        if records.wire != WireType::SixtyFourBit {
            return None;
        }
        let (bytes, rest) = records.rest.split_first_chunk()?;
        records.rest = rest;
        let number = f64::from_le_bytes(*bytes);
        if number.is_finite() {
            return serde_json::to_writer(&mut self.text, &number).ok();
        }
        self.raw(match number {
            f64::INFINITY => "\"Infinity\"",
            f64::NEG_INFINITY => "\"-Infinity\"",
            _ => "\"NaN\"",
        });
        Some(())
    }

    fn string(&mut self, text: &str) -> Option<()> {
        serde_json::to_writer(&mut self.text, text).ok()
    }
}
