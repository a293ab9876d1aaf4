//! Just enough of a browser: one request by HTTP/1.1, one answer.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::document::Document;

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let mut lines = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        lines.next().map(|(_, value)| value.trim())
    }

    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a page is text")
    }

    /// The page, which has to be well-formed.
    #[track_caller]
    pub(crate) fn document(&self) -> Document {
        assert_eq!(self.header("content-type"), Some("text/html; charset=utf-8"), "{}", self.head);
        Document::read(self.text()).unwrap_or_else(|problem| panic!("{problem}\n{}", self.text()))
    }
}

/// The target need not be text.
pub(crate) fn get(address: SocketAddr, target: impl AsRef<[u8]>) -> Answer {
    send(address, &[b"GET ", target.as_ref(), b" HTTP/1.1\r\n"].concat(), "")
}

pub(crate) fn delete(address: SocketAddr, target: &str) -> Answer {
    send(address, format!("DELETE {target} HTTP/1.1\r\n").as_bytes(), "")
}

pub(crate) fn post(address: SocketAddr, target: &str, json: &str) -> Answer {
    let length = json.len();
    let line = format!(
        "POST {target} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n"
    );
    send(address, line.as_bytes(), json)
}

fn send(address: SocketAddr, first: &[u8], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let rest = format!("host: {address}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(&[first, rest.as_bytes()].concat()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, body: bytes[end + 4..].to_vec(), head }
}
