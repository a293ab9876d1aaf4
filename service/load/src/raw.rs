//! Messages as raw bytes: clients that neither encode nor decode them, so that the measurement is
//! about the server.

pub(super) mod http;

use ::http::uri::PathAndQuery;
use anyhow::{Context, Result};
use bytes::{Buf, BufMut, Bytes};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::Channel;
use tonic::{Request, Status};

/// Bytes in, bytes out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, frame: &mut EncodeBuf<'_>) -> Result<(), Status> {
        frame.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, frame: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(frame.copy_to_bytes(frame.remaining())))
    }
}

/// A connection, and the method that it calls.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    grpc: Grpc<Channel>,
    path: PathAndQuery,
}

impl Caller {
    pub(super) async fn connect(url: &str, path: &'static str) -> Result<Self> {
        let endpoint = azulejo_sdk::endpoint(url).context("--server is not a valid URL")?;
        let channel = azulejo_sdk::connect(endpoint.tcp_nodelay(true)).await;
        let channel = channel.with_context(|| format!("cannot connect to {url}"))?;
        Ok(Self { grpc: Grpc::new(channel), path: PathAndQuery::from_static(path) })
    }

    /// Calls another method on the same connection.
    pub(super) fn method(&self, path: &'static str) -> Self {
        Self { path: PathAndQuery::from_static(path), ..self.clone() }
    }

    pub(super) async fn call(&mut self, message: Bytes) -> Result<Bytes, Status> {
        self.grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let answer = self.grpc.unary(Request::new(message), self.path.clone(), Raw).await?;
        Ok(answer.into_inner())
    }
}
