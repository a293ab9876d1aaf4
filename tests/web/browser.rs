//! Requests for pages.

use std::net::SocketAddr;
use std::ops::Deref;

use azulejo_tests::http::{self, Response};

use crate::document::Document;

pub(crate) struct Page(Response);

impl Deref for Page {
    type Target = Response;

    fn deref(&self) -> &Response {
        &self.0
    }
}

impl Page {
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a page is UTF-8")
    }

    /// The page, which must be well-formed.
    #[track_caller]
    pub(crate) fn document(&self) -> Document {
        assert_eq!(self.header("content-type"), Some("text/html; charset=utf-8"), "{}", self.head);
        Document::read(self.text()).unwrap_or_else(|problem| panic!("{problem}\n{}", self.text()))
    }
}

/// The target need not be UTF-8.
pub(crate) fn get(address: SocketAddr, target: impl AsRef<[u8]>) -> Page {
    let host = address.to_string();
    Page(http::send(
        address,
        &[
            b"GET ",
            target.as_ref(),
            b" HTTP/1.1\r\nhost: ",
            host.as_bytes(),
            b"\r\nconnection: close\r\n\r\n",
        ]
        .concat(),
    ))
}

pub(crate) fn delete(address: SocketAddr, target: &str) -> Page {
    Page(http::request(address, "DELETE", target, &[], b""))
}

pub(crate) fn post(address: SocketAddr, target: &str, json: &str) -> Page {
    Page(http::post(address, target, json.as_bytes()))
}
