//! Callers by HTTP/1.1, who write to the socket what they like.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::game::path;
use crate::patience::PATIENCE;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines
            .into_iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let json = serde_json::from_slice(&self.body);
        json.unwrap_or_else(|error| panic!("{error}: {} {:?}", self.head, self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The code of a refusal and its reason.
    #[track_caller]
    pub(crate) fn refusal(&self) -> (u16, String, String) {
        let json = self.json();
        let details = json["details"].as_array().unwrap_or_else(|| panic!("{json}"));
        let info = details.iter().find(|detail| detail["type"] == "google.rpc.ErrorInfo");
        let info = &info.unwrap_or_else(|| panic!("a refusal without a reason: {json}"))["debug"];
        assert_eq!(info["domain"], "azulejo", "{json}");
        assert!(!json["message"].as_str().unwrap().is_empty(), "{json}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (self.status, text(&json["code"]), text(&info["reason"]))
    }

    #[track_caller]
    pub(crate) fn assert_refused(&self, status: u16, code: &str, reason: &str) {
        let expected = (status, code.to_owned(), reason.to_owned());
        assert_eq!(self.refusal(), expected, "{}", self.text());
    }
}

pub(crate) fn open(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// What the server says until it closes the connection; nothing if it closes without a word.
pub(crate) fn read(stream: &mut TcpStream) -> Vec<u8> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return bytes,
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return bytes,
            // A child of another test has ended.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("the server keeps the connection open: {error}"),
        }
    }
}

pub(crate) fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no HTTP: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status: status.unwrap(), body: bytes[end + 4..].to_vec(), head }
}

/// Sends these bytes and reads until the server closes. They should ask it to.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = open(address);
    // A server that has heard enough may close before all is sent.
    let _heard_enough = stream.write_all(bytes);
    parse(&read(&mut stream))
}

/// One request, with its length and a wish to close.
pub(crate) fn request(
    address: SocketAddr,
    verb: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let length = body.len().to_string();
    let length = (!body.is_empty() || verb == "POST").then_some(("content-length", &*length));
    let fixed = [("host", "azulejo.test"), ("connection", "close")];
    let all = fixed.iter().chain(&length).chain(headers);
    let lines: Vec<_> = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("{verb} {target} HTTP/1.1\r\n{}", lines.concat());
    send(address, &[head.as_bytes(), b"\r\n", body].concat())
}

/// A call of the engine with JSON.
pub(crate) fn call(address: SocketAddr, method: &str, json: &[u8]) -> Answer {
    request(address, "POST", &path(method), &[("content-type", "application/json")], json)
}

pub(crate) fn get(address: SocketAddr, target: &str) -> Answer {
    request(address, "GET", target, &[], b"")
}
