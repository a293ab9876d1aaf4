//! The response of a server stream over plain HTTP, read as it arrives.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::http1;

pub(crate) struct HttpStream {
    pub(crate) status: u16,
    /// The content type.
    pub(crate) content: String,
    body: BufReader<TcpStream>,
}

impl HttpStream {
    pub(crate) fn post(
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Self {
        Self::send(address, path, headers, body.len(), body)
    }

    /// Announces a body and does not send it.
    pub(crate) fn post_without_body(
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Self {
        Self::send(address, path, headers, 10, b"")
    }

    fn send(
        address: SocketAddr,
        path: &str,
        headers: &[(&str, &str)],
        length: usize,
        body: &[u8],
    ) -> Self {
        let lines = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let lines = lines.collect::<String>();
        // HTTP/1.0: the body of the response is not chunked and ends with the connection.
        let head = format!("POST {path} HTTP/1.0\r\ncontent-length: {length}\r\n{lines}\r\n");
        let mut stream = http1::open(address);
        // The server may refuse a body before it has arrived.
        let _refused = stream.write_all(&[head.as_bytes(), body].concat());
        Self::receive(BufReader::new(stream))
    }

    fn receive(mut body: BufReader<TcpStream>) -> Self {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert_ne!(body.read_until(b'\n', &mut head).unwrap(), 0, "{head:?}");
        }
        let answer = http1::parse(&head);
        let content = answer.header("content-type").unwrap().to_owned();
        Self { status: answer.status, content, body }
    }

    /// The next line; none at the end.
    pub(crate) fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.body.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    /// The flags and the JSON of the next envelope; none at the end.
    pub(crate) fn envelope(&mut self) -> Option<(u8, Value)> {
        if self.body.fill_buf().unwrap().is_empty() {
            return None;
        }
        let mut head = [0; 5];
        self.body.read_exact(&mut head).unwrap();
        let [flags, length @ ..] = head;
        let mut json = vec![0; u32::from_be_bytes(length) as usize];
        self.body.read_exact(&mut json).unwrap();
        Some((flags, serde_json::from_slice(&json).unwrap()))
    }
}
