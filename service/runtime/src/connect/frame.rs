//! Length-prefixed messages. gRPC and Connect streams frame a message in the same way: one byte of
//! flags, four bytes of length (big endian), and the message.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tonic::Status;

use crate::refusal;

use super::codec;

/// Bytes in front of each message.
pub(super) const HEAD: usize = 5;

/// Flag of an uncompressed message.
pub(super) const PLAIN: u8 = 0;
/// Flag of a compressed message.
const COMPRESSED: u8 = 1;
/// Flag of the last envelope of a Connect stream.
pub(super) const END: u8 = 2;

/// A message with its prefix.
pub(super) fn framed(flags: u8, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + HEAD);
    frame.put_u8(flags);
    // Messages are far below 4 GiB: requests are limited, and so are the answers to them.
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// The message of a frame that holds exactly one, uncompressed.
pub(super) fn unframed(frame: &Bytes) -> Option<Bytes> {
    let (flags, length) = head(frame)?;
    (flags == PLAIN && frame.len() == length + HEAD).then(|| frame.slice(HEAD..))
}

/// The message of a request body that must hold exactly one, with at most `most` bytes after
/// decompression.
pub(super) fn only(body: &Bytes, encoding: &str, most: usize) -> Result<Bytes, Status> {
    let (flags, length) = head(body).ok_or_else(|| {
        refusal::bad_message("the body has no message: 5 bytes of flags and length come first")
    })?;
    if length > most {
        return Err(refusal::too_large(&format!("a request has at most {most} bytes")));
    }
    if body.len() != length + HEAD {
        let found = body.len() - HEAD;
        return Err(refusal::bad_message(&format!(
            "the message has {length} bytes by its prefix, but {found} bytes follow; send one \
             message"
        )));
    }
    let message = body.slice(HEAD..);
    match (flags, encoding) {
        (PLAIN, _) => Ok(message),
        (COMPRESSED, "identity" | "") => Err(refusal::bad_message(
            "the message is compressed, but the header connect-content-encoding is missing",
        )),
        (COMPRESSED, encoding) => codec::decompress(message, encoding, most),
        _ => Err(refusal::bad_message(&format!("unknown flags of a message: {flags}"))),
    }
}

fn head(bytes: &[u8]) -> Option<(u8, usize)> {
    let [flags, length @ ..]: [u8; HEAD] = bytes.get(..HEAD)?.try_into().ok()?;
    Some((flags, u32::from_be_bytes(length) as usize))
}

/// A compressed message, or a stream that ends within a message: the services behind us send
/// neither.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Splits the body of a gRPC answer into messages, however its data frames cut them.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    buffer: BytesMut,
}

impl Decoder {
    pub(super) fn push(&mut self, data: &[u8]) {
        self.buffer.extend_from_slice(data);
    }

    /// The next message, if it is complete.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, Malformed> {
        let Some((flags, length)) = head(&self.buffer) else { return Ok(None) };
        if flags != PLAIN {
            return Err(Malformed);
        }
        if self.buffer.len() < length + HEAD {
            return Ok(None);
        }
        self.buffer.advance(HEAD);
        Ok(Some(self.buffer.split_to(length).freeze()))
    }

    /// Whether no part of a message is left.
    pub(super) fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }
}

#[cfg(test)]
mod tests;
