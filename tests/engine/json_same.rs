//! Two ways to read and write JSON: the transcoder of the runtime, and reflection, which says what
//! is right. They never differ.

use std::collections::HashMap;
use std::sync::LazyLock;

use azulejo_runtime::json::Transcoder;
use prost::Message;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions,
};

pub(crate) static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(azulejo_wire::DESCRIPTORS).unwrap());

/// Both ways for one type of message.
pub(crate) struct Both {
    pub(crate) kind: MessageDescriptor,
    transcoder: Transcoder,
}

static BOTH: LazyLock<HashMap<String, Both>> = LazyLock::new(|| {
    let ours = POOL.all_messages().filter(|kind| kind.full_name().starts_with("azulejo."));
    ours.map(|kind| (kind.full_name().to_owned(), Both::of(kind))).collect()
});

impl Both {
    pub(crate) fn of(kind: MessageDescriptor) -> Self {
        Self { transcoder: Transcoder::of(&kind), kind }
    }

    /// All messages of the contract.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        BOTH.values()
    }

    pub(crate) fn named(name: &str) -> &'static Self {
        &BOTH[name]
    }

    /// The JSON, which both ways write alike.
    pub(crate) fn written(&self, bytes: &[u8]) -> Vec<u8> {
        let message = DynamicMessage::decode(self.kind.clone(), bytes).unwrap();
        let mut expected = serde_json::Serializer::new(Vec::new());
        let options = SerializeOptions::new().skip_default_fields(false);
        message.serialize_with_options(&mut expected, &options).unwrap();
        let expected = expected.into_inner();
        let name = self.kind.full_name();
        let found = self.transcoder.to_json(bytes);
        let found = found.unwrap_or_else(|| panic!("{name} is declined: {bytes:02x?}"));
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected), "{name}");
        found
    }

    /// The bytes that reflection reads from a text; none if it refuses the text.
    pub(crate) fn by_reflection(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut json = serde_json::Deserializer::from_slice(text);
        let options = DeserializeOptions::new().deny_unknown_fields(true);
        let message =
            DynamicMessage::deserialize_with_options(self.kind.clone(), &mut json, &options);
        let message = message.ok().filter(|_| json.end().is_ok())?;
        Some(message.encode_to_vec())
    }

    /// Whether the transcoder reads a text; if it does, then as reflection does.
    pub(crate) fn reads(&self, text: &[u8]) -> bool {
        let Some(found) = self.transcoder.to_message(text) else { return false };
        let (name, shown) = (self.kind.full_name(), String::from_utf8_lossy(text));
        assert_eq!(Some(found), self.by_reflection(text), "{name}: {shown}");
        true
    }

    /// Bytes to text and back: both ways agree, and nothing is lost. The bytes are in order.
    pub(crate) fn round_trip(&self, bytes: &[u8]) {
        let text = self.written(bytes);
        assert!(self.reads(&text), "{}: {}", self.kind.full_name(), String::from_utf8_lossy(&text));
    }
}
