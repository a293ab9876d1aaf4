//! An HTTP/2 client that can send any headers and bytes, valid or not.

use std::net::SocketAddr;

use azulejo_tests::waiting::soon;
use bytes::{BufMut, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, StatusCode};
use tonic::{Code, Status};

use crate::grpc::refusal;

pub(crate) type Headers<'a> = &'a [(&'a str, &'a str)];

pub(crate) const GRPC: (&str, &str) = ("content-type", "application/grpc");

/// A response as it was received.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) http: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) trailers: HeaderMap,
}

impl Answer {
    /// The status of a gRPC call: in the trailers, or in the headers if there is nothing else.
    pub(crate) fn status(&self) -> Status {
        let status = Status::from_header_map(&self.trailers);
        let status = status.or_else(|| Status::from_header_map(&self.headers));
        status.unwrap_or_else(|| panic!("an answer without a status: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn assert_refused(&self, code: Code, reason: &str) {
        assert_eq!(refusal(&self.status()), (code, reason.to_owned()), "{self:?}");
    }

    /// The message of a successful response.
    #[track_caller]
    pub(crate) fn message(&self) -> Bytes {
        assert_eq!(self.status().code(), Code::Ok, "{self:?}");
        self.body.slice(5..)
    }
}

/// Opens a new connection.
pub(crate) async fn connect(address: SocketAddr) -> SendRequest<Bytes> {
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let (client, connection) = soon("a connection", h2::client::handshake(stream)).await.unwrap();
    // It ends with an error when the server closes it; the calls report that too.
    tokio::spawn(connection);
    client
}

/// Begins a POST; the body follows.
pub(crate) async fn begin(
    client: &SendRequest<Bytes>,
    path: &str,
    headers: Headers<'_>,
) -> Result<(ResponseFuture, SendStream<Bytes>), h2::Error> {
    let mut client = soon("a free stream", client.clone().ready()).await?;
    let mut request = http::Request::post(format!("http://azulejo.test{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send_request(request.body(()).unwrap(), false)
}

/// The whole answer.
pub(crate) async fn finish(answer: ResponseFuture) -> Result<Answer, h2::Error> {
    let (head, mut body) = soon("an answer", answer).await?.into_parts();
    let (bytes, trailers) = soon("a whole answer", collect(&mut body)).await?;
    Ok(Answer { http: head.status, headers: head.headers, body: bytes, trailers })
}

async fn collect(body: &mut RecvStream) -> Result<(Bytes, HeaderMap), h2::Error> {
    let mut bytes = BytesMut::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        body.flow_control().release_capacity(piece.len())?;
        bytes.put_slice(&piece);
    }
    Ok((bytes.freeze(), body.trailers().await?.unwrap_or_default()))
}

/// A call from its first byte to the last of the answer.
pub(crate) async fn call(
    address: SocketAddr,
    path: &str,
    headers: Headers<'_>,
    body: Bytes,
) -> Answer {
    let client = connect(address).await;
    let (answer, mut send) = begin(&client, path, headers).await.unwrap();
    // The server may end the stream before all is sent.
    let _ended = send.send_data(body, true);
    finish(answer).await.unwrap()
}

/// A message as gRPC frames it.
pub(crate) fn framed(compressed: u8, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(compressed);
    frame.put_u32(u32::try_from(message.len()).unwrap());
    frame.put_slice(message);
    frame.freeze()
}
