//! JSON of protobuf messages, converted directly from text to bytes and back.
//!
//! Reflection (`DynamicMessage` of `prost-reflect`) builds a map of boxed values, which costs several
//! times as much as the call itself. A [`Transcoder`] is a table built from the same descriptors: it
//! converts the bytes of a message to text, and text to bytes, in one pass without intermediate
//! values. Its output is the same, byte for byte.
//!
//! It declines text that is invalid or unusual, and bytes in an unusual order. Reflection then decides,
//! and explains errors. So the transcoder has to be right about what it accepts, but need not accept
//! everything.
//!
//! | file | what |
//! |---|---|
//! | `schema` | the table: fields, names, enum values |
//! | `write` | bytes to text |
//! | `read` | text to bytes |

mod read;
mod schema;
mod write;

use std::sync::Arc;

use prost_reflect::{DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions};

use schema::{Index, Schema};

/// Reads and writes one type of message.
#[derive(Clone, Debug)]
pub struct Transcoder {
    schema: Arc<Schema>,
    root: Index,
}

impl Transcoder {
    #[must_use]
    pub fn of(kind: &MessageDescriptor) -> Self {
        Self { schema: Arc::new(Schema::of(vec![kind.clone()])), root: Index(0) }
    }

    /// One for each type, in this order. They share one schema.
    pub(crate) fn each(kinds: impl IntoIterator<Item = MessageDescriptor>) -> Vec<Self> {
        let (mut roots, mut indexes) = (Vec::new(), Vec::new());
        for kind in kinds {
            let known = roots.iter().position(|other| *other == kind);
            indexes.push(Index(known.unwrap_or(roots.len())));
            if known.is_none() {
                roots.push(kind);
            }
        }
        let schema = Arc::new(Schema::of(roots));
        indexes.into_iter().map(|root| Self { schema: Arc::clone(&schema), root }).collect()
    }

    /// The JSON of an encoded message; none if reflection has to decide.
    #[must_use]
    pub fn to_json(&self, message: &[u8]) -> Option<Vec<u8>> {
        write::json(&self.schema, self.root, message)
    }

    /// The encoded message that the text means; none if reflection has to decide.
    #[must_use]
    pub fn to_message(&self, text: &[u8]) -> Option<Vec<u8>> {
        read::message(&self.schema, self.root, text)
    }
}

/// Canonical JSON, including fields with their default value: a reader, or `jq`, should see that
/// it is the turn of seat 0.
pub(crate) fn write_dynamic(message: &DynamicMessage, text: &mut Vec<u8>) -> Option<()> {
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(&mut serde_json::Serializer::new(text), &options).ok()
}

/// How requests are read: misspelled fields are errors.
pub(crate) fn strict() -> DeserializeOptions {
    DeserializeOptions::new().deny_unknown_fields(true)
}

#[cfg(test)]
mod tests;
