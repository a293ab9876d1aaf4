//! Messages in and out of gRPC frames.
//!
//! The default codec reads and writes through the transport's buffer, one byte at a time. A frame is
//! contiguous anyway: reading from a slice and writing into one is much cheaper, and every call
//! carries a state.

use std::collections::HashMap;
use std::marker::PhantomData;

use prost::bytes::{Buf, BufMut};
use prost::{Message, Name};
use tonic::codec::{BufferSettings, Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Code, Status};

use crate::bounds::Shape;
use crate::google::rpc;
use crate::{BadField, Problem};

/// Enough for a response with one state.
const USUAL_BYTES: usize = 1024;

/// The buffer of frames: every open stream has one, and it grows to the frame when one is sent.
const FRAME_BYTES: usize = 256;
/// Frames are sent together up to this many bytes.
const YIELD_BYTES: usize = 32 * 1024;

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

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::new(FRAME_BYTES, YIELD_BYTES)
    }
}

/// The codec of servers: it refuses requests that exceed a bound before it decodes them.
#[derive(Debug)]
pub struct ServedCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for ServedCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for ServedCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Name + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = SliceEncoder<T>;
    type Decoder = BoundedDecoder<U>;

    fn encoder(&mut self) -> SliceEncoder<T> {
        SliceEncoder(PhantomData)
    }

    fn decoder(&mut self) -> BoundedDecoder<U> {
        BoundedDecoder { shape: Shape::of_request(U::PACKAGE, U::NAME), message: PhantomData }
    }
}

#[derive(Debug)]
pub struct BoundedDecoder<U> {
    /// None: no field of the message needs a bound.
    shape: Option<&'static Shape>,
    message: PhantomData<U>,
}

impl<U: Message + Default> Decoder for BoundedDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, frame: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let bytes = frame.copy_to_bytes(frame.remaining());
        if let Some(shape) = self.shape {
            shape.check(&bytes).map_err(|bad| refused(&bad))?;
        }
        decoded(&bytes)
    }
}

/// A field that exceeds its bound. Not even the services see such a request, so its error is made
/// here.
fn refused(bad: &BadField) -> Status {
    let is_list = matches!(bad.problem, Problem::MoreThan { .. });
    let reason = if is_list { "TOO_MANY" } else { "TOO_LONG" };
    let message = bad.to_string();
    let (domain, metadata) = ("azulejo".to_owned(), HashMap::new());
    let info = rpc::ErrorInfo { reason: reason.to_owned(), domain, metadata };
    let violation =
        rpc::bad_request::FieldViolation { field: bad.path.clone(), description: message.clone() };
    let request = rpc::BadRequest { field_violations: vec![violation] };
    let packed = |name: &str, value: Vec<u8>| prost_types::Any {
        type_url: format!("type.googleapis.com/google.rpc.{name}"),
        value,
    };
    let details = vec![
        packed("ErrorInfo", info.encode_to_vec()),
        packed("BadRequest", request.encode_to_vec()),
    ];
    let code = Code::InvalidArgument;
    let status = rpc::Status { code: code as i32, message: message.clone(), details };
    Status::with_details(code, message, status.encode_to_vec().into())
}

#[derive(Debug)]
pub struct SliceDecoder<U>(PhantomData<U>);

impl<U: Message + Default> Decoder for SliceDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, frame: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        decoded(&frame.copy_to_bytes(frame.remaining()))
    }
}

fn decoded<U: Message + Default>(bytes: &[u8]) -> Result<Option<U>, Status> {
    // A code that the transport expects; the server replaces it with an error for the caller.
    U::decode(bytes).map(Some).map_err(|bad| Status::internal(bad.to_string()))
}
