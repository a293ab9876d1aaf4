//! How messages are written: as JSON or as bytes, compressed or not.

use std::io::Read;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use flate2::read::GzDecoder;
use percent_encoding::percent_decode_str;
use tonic::Status;

use crate::refusal;

use super::MethodJson;

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

    /// The request of a method, in binary.
    pub(super) fn read(self, json: &MethodJson, text: &Bytes) -> Result<Bytes, Status> {
        match self {
            Self::Proto => Ok(text.clone()),
            Self::Json => json.read(text),
        }
    }

    /// The answer of a method as the caller wants it; none if it cannot be converted.
    pub(super) fn write(self, json: &MethodJson, message: Bytes) -> Option<Bytes> {
        match self {
            Self::Proto => Some(message),
            Self::Json => json.write(&message).map(Bytes::from),
        }
    }
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
        bytes.map_err(|_| refusal::bad_message("the message is not URL-safe base64"))?
    } else {
        message
    };
    let encoding = value("compression").unwrap_or_else(|| b"identity".to_vec());
    let encoding = String::from_utf8_lossy(&encoding).into_owned();
    Ok((codec, decompress(bytes.into(), &encoding, most)?))
}

/// At most `most` bytes after decompression; more is an error.
pub(super) fn decompress(bytes: Bytes, encoding: &str, most: usize) -> Result<Bytes, Status> {
    match encoding {
        "identity" | "" => Ok(bytes),
        "gzip" => {
            let mut plain = Vec::new();
            let limit = most as u64 + 1;
            let read = GzDecoder::new(bytes.as_ref()).take(limit).read_to_end(&mut plain);
            read.map_err(|_| refusal::bad_message("the message is not valid gzip"))?;
            if plain.len() > most {
                return Err(refusal::too_large(&format!("a request has at most {most} bytes")));
            }
            Ok(plain.into())
        }
        other => Err(refusal::unsupported_encoding(&format!(
            "unknown encoding {other:?}; use gzip or identity"
        ))),
    }
}
