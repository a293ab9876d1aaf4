//! Messages in and out of gRPC frames.
//!
//! The default codec reads and writes through the transport's buffer, one byte at a time. A frame is
//! contiguous anyway: reading from a slice and writing into one is much cheaper, and every call
//! carries a state.

use std::marker::PhantomData;

use prost::Message;
use prost::bytes::{Buf, BufMut};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Enough for a response with one state.
const USUAL_BYTES: usize = 1024;

/// Writes `T`, reads `U`.
#[derive(Debug)]
pub struct SliceCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for SliceCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for SliceCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = SliceEncoder<T>;
    type Decoder = SliceDecoder<U>;

    fn encoder(&mut self) -> SliceEncoder<T> {
        SliceEncoder(PhantomData)
    }

    fn decoder(&mut self) -> SliceDecoder<U> {
        SliceDecoder(PhantomData)
    }
}

#[derive(Debug)]
pub struct SliceEncoder<T>(PhantomData<T>);

impl<T: Message> Encoder for SliceEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, frame: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // The size is not computed first: that would traverse the message once more.
        let mut bytes = Vec::with_capacity(USUAL_BYTES);
        message.encode_raw(&mut bytes);
        frame.put_slice(&bytes);
        Ok(())
    }
}

#[derive(Debug)]
pub struct SliceDecoder<U>(PhantomData<U>);

impl<U: Message + Default> Decoder for SliceDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, frame: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let bytes = frame.copy_to_bytes(frame.remaining());
        // A code that the transport expects; the server replaces it with an error for the caller.
        U::decode(bytes.as_ref()).map(Some).map_err(|bad| Status::internal(bad.to_string()))
    }
}
