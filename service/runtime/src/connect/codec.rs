//! Messages as JSON or as bytes, compressed or not.

use std::io::Read;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::{BufMut, Bytes, BytesMut};
use flate2::read::GzDecoder;
use percent_encoding::percent_decode_str;
use prost::Message;
use prost_reflect::{DeserializeOptions, DynamicMessage, MessageDescriptor, SerializeOptions};
use tonic::Status;

use crate::refusal;

const WITH_OR_WITHOUT_PADDING: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How a message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Json,
    Proto,
}

impl Codec {
    pub(super) fn of_content(content: &str) -> Option<Self> {
        match content {
            "application/json" => Some(Self::Json),
            "application/proto" => Some(Self::Proto),
            _ => None,
        }
    }

    pub(super) const fn content(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Proto => "application/proto",
        }
    }

    /// The message in binary.
    pub(super) fn read(self, kind: MessageDescriptor, text: &Bytes) -> Result<Bytes, Status> {
        match self {
            Self::Proto => Ok(text.clone()),
            // Nothing at all asks for nothing in particular: `curl -X POST` should do.
            Self::Json if text.is_empty() => Ok(Bytes::new()),
            Self::Json => {
                let mut json = serde_json::Deserializer::from_slice(text);
                let options = DeserializeOptions::new().deny_unknown_fields(true);
                let message = DynamicMessage::deserialize_with_options(kind, &mut json, &options)
                    .and_then(|message| json.end().map(|()| message));
                let message = message.map_err(|bad| refusal::bad_message(&bad.to_string()))?;
                Ok(message.encode_to_vec().into())
            }
        }
    }

    /// The message as the caller wants it; none if it cannot be written.
    pub(super) fn write(self, kind: MessageDescriptor, message: Bytes) -> Option<Bytes> {
        match self {
            Self::Proto => Some(message),
            Self::Json => json(kind, &message).map(Bytes::from),
        }
    }
}

/// Canonical JSON, with the fields that have their default value: who reads it by hand or with
/// `jq` should see that it is seat 0's turn.
pub(super) fn json(kind: MessageDescriptor, message: &[u8]) -> Option<Vec<u8>> {
    let message = DynamicMessage::decode(kind, message).ok()?;
    let mut json = serde_json::Serializer::new(Vec::new());
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(&mut json, &options).ok()?;
    Some(json.into_inner())
}

/// The message of a GET call: `?encoding=json&message=…`, and `base64=1` if it is binary.
pub(super) fn of_query(query: &str, most: usize) -> Result<(Codec, Bytes), Status> {
    let value = |name: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .into_iter()
            .find(|&(key, _)| key == name)
            .map(|(_, value)| percent_decode_str(&value.replace('+', " ")).collect::<Vec<u8>>())
    };
    let codec = match value("encoding").as_deref() {
        Some(b"json") => Codec::Json,
        Some(b"proto") => Codec::Proto,
        _ => return Err(refusal::bad_message("the query needs encoding=json or encoding=proto")),
    };
    let message = value("message");
    let message = message.ok_or_else(|| refusal::bad_message("the query has no message"))?;
    let bytes = if value("base64").as_deref() == Some(b"1") {
        let bytes = WITH_OR_WITHOUT_PADDING.decode(&message);
        bytes.map_err(|_| refusal::bad_message("the message is no URL-safe base64"))?
    } else {
        message
    };
    let encoding = value("compression").unwrap_or_else(|| b"identity".to_vec());
    let encoding = String::from_utf8_lossy(&encoding).into_owned();
    Ok((codec, decompress(bytes.into(), &encoding, most)?))
}

/// Never more than `most` bytes, however small they were made.
pub(super) fn decompress(bytes: Bytes, encoding: &str, most: usize) -> Result<Bytes, Status> {
    match encoding {
        "identity" | "" => Ok(bytes),
        "gzip" => {
            let mut plain = Vec::new();
            let limit = most as u64 + 1;
            let read = GzDecoder::new(bytes.as_ref()).take(limit).read_to_end(&mut plain);
            read.map_err(|_| refusal::bad_message("the body is no gzip"))?;
            if plain.len() > most {
                return Err(refusal::too_large(&format!("a request has at most {most} bytes")));
            }
            Ok(plain.into())
        }
        other => Err(refusal::unsupported_encoding(&format!(
            "the encoding {other:?} is not known; gzip and identity are"
        ))),
    }
}

/// A message as gRPC frames it: not compressed, its length, itself.
pub(super) fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.put_u8(0);
    // Far below 4 GiB: the limit on requests saw to that.
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// And the message of such a frame.
pub(super) fn unframed(frame: &Bytes) -> Option<Bytes> {
    let head: [u8; 5] = frame.get(..5)?.try_into().ok()?;
    let [0, length @ ..] = head else { return None };
    let length = u32::from_be_bytes(length) as usize;
    (frame.len() == length + 5).then(|| frame.slice(5..))
}
