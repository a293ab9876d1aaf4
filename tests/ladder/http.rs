//! Callers by HTTP/1.1 with JSON, as curl is one.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::patience::PATIENCE;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The reason of a refusal, and the fields that it blames.
    #[track_caller]
    pub(crate) fn refusal(&self) -> (String, Vec<String>) {
        let json = self.json();
        let details = json["details"].as_array().unwrap_or_else(|| panic!("{json}"));
        let of = |kind: &str| details.iter().find(|detail| detail["type"] == kind);
        let info = of("google.rpc.ErrorInfo").unwrap_or_else(|| panic!("no reason: {json}"));
        let reason = info["debug"]["reason"].as_str().unwrap().to_owned();
        let blamed = of("google.rpc.BadRequest").map(|bad| bad["debug"]["fieldViolations"].clone());
        let blamed = blamed.and_then(|fields| fields.as_array().cloned()).unwrap_or_default();
        let field = |violation: &Value| violation["field"].as_str().unwrap().to_owned();
        (reason, blamed.iter().map(field).collect())
    }
}

/// A call, for example of `PlayService/Ready`, with this body.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    token: &str,
    kind: &str,
    body: &[u8],
) -> Answer {
    let bearer = match token {
        "" => String::new(),
        token => format!("authorization: Bearer {token}\r\n"),
    };
    let head = format!(
        "POST /azulejo.arena.v1.{method} HTTP/1.1\r\nhost: azulejo.test\r\nconnection: close\r\n\
         content-type: {kind}\r\ncontent-length: {}\r\n{bearer}\r\n",
        body.len()
    );
    exchange(address, &[head.as_bytes(), body].concat())
}

/// A page.
pub(crate) fn get(address: SocketAddr, path: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nhost: azulejo.test\r\nconnection: close\r\n\r\n");
    let answer = exchange(address, head.as_bytes());
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.body).unwrap()
}

fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("HTTP");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    Answer { status, body: bytes.split_off(end + 4) }
}

/// The answer to a message, whatever it is.
pub(crate) fn ask(address: SocketAddr, method: &str, token: &str, message: &Value) -> Answer {
    send(address, method, token, "application/json", message.to_string().as_bytes())
}

/// The answer to a message that must be good.
#[track_caller]
pub(crate) fn call(address: SocketAddr, method: &str, token: &str, message: &Value) -> Value {
    let answer = ask(address, method, token, message);
    assert_eq!(answer.status, 200, "{method} {message}: {}", String::from_utf8_lossy(&answer.body));
    answer.json()
}
