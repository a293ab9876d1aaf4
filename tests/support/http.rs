//! A client for HTTP/1.1 that can send any bytes. Every request closes its connection.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::waiting::PATIENCE;

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let mut lines = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        lines.next().map(|(_, value)| value.trim())
    }

    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        let json = serde_json::from_slice(&self.body);
        json.unwrap_or_else(|error| panic!("{error}: {} {:?}", self.head, self.text()))
    }

    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The reason of an error of the server, and the paths of the wrong fields.
    #[must_use]
    #[track_caller]
    pub fn refusal(&self) -> (String, Vec<String>) {
        let json = self.json();
        let details = json["details"].as_array().unwrap_or_else(|| panic!("{json}"));
        let of = |kind: &str| details.iter().find(|detail| detail["type"] == kind);
        let info = of("google.rpc.ErrorInfo").unwrap_or_else(|| panic!("no reason: {json}"));
        assert_eq!(info["debug"]["domain"], "azulejo", "{json}");
        assert!(!json["message"].as_str().unwrap().is_empty(), "{json}");
        let violations = of("google.rpc.BadRequest")
            .and_then(|bad| bad["debug"]["fieldViolations"].as_array().cloned())
            .unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let fields = violations.iter().map(|violation| text(&violation["field"]));
        (text(&info["debug"]["reason"]), fields.collect())
    }

    #[track_caller]
    pub fn assert_refused(&self, status: u16, code: &str, reason: &str) {
        let json = self.json();
        let found = (self.status, json["code"].as_str().unwrap_or_default(), self.refusal().0);
        assert_eq!(found, (status, code, reason.to_owned()), "{json}");
    }
}

#[must_use]
pub fn open(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Reads until the server closes the connection.
pub fn read(stream: &mut TcpStream) -> Vec<u8> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return bytes,
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return bytes,
            // SIGCHLD: a child process of another test has ended.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("the server does not close the connection: {error}"),
        }
    }
}

#[must_use]
#[track_caller]
pub fn parse(bytes: &[u8]) -> Response {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("not HTTP: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Response { status: status.unwrap(), body: bytes[end + 4..].to_vec(), head }
}

/// Sends these bytes, which should ask the server to close, and reads until it does.
#[track_caller]
pub fn send(address: SocketAddr, bytes: &[u8]) -> Response {
    let mut stream = open(address);
    // The server may respond and close before it has read everything.
    let _closed = stream.write_all(bytes);
    parse(&read(&mut stream))
}

/// A request with `content-length`, if it has a body, and `connection: close`.
#[track_caller]
pub fn request(
    address: SocketAddr,
    verb: &str,
    target: impl AsRef<[u8]>,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let length = body.len().to_string();
    let length = (!body.is_empty() || verb == "POST").then_some(("content-length", &*length));
    let fixed = [("host", "azulejo.test"), ("connection", "close")];
    let all = fixed.iter().chain(&length).chain(headers);
    let lines: Vec<_> = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let first = [verb.as_bytes(), b" ", target.as_ref(), b" HTTP/1.1\r\n"].concat();
    send(address, &[&first, lines.concat().as_bytes(), b"\r\n", body].concat())
}

#[track_caller]
pub fn get(address: SocketAddr, target: impl AsRef<[u8]>) -> Response {
    request(address, "GET", target, &[], b"")
}

/// Posts JSON.
#[track_caller]
pub fn post(address: SocketAddr, target: &str, json: &[u8]) -> Response {
    request(address, "POST", target, &[("content-type", "application/json")], json)
}
