//! Navigates a JSON text without building a tree: an invalid request must not cost more memory than a
//! valid one.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order.
pub(super) fn entries(object: &RawValue) -> Option<Vec<(String, &RawValue)>> {
    serde_json::Deserializer::from_str(object.get()).deserialize_map(Entries).ok()
}

pub(super) fn value_of<'a>(object: &'a RawValue, key: &str) -> Option<&'a RawValue> {
    entries(object)?.into_iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

pub(super) fn element(array: &RawValue, index: usize) -> Option<&RawValue> {
    serde_json::from_str::<Vec<&RawValue>>(array.get()).ok()?.get(index).copied()
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}
