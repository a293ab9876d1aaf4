//! A connection over HTTP/1.1 that is kept alive, with one request at a time, as simple clients do.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// The status code of a success.
pub(crate) const OK: u16 = 200;

#[derive(Debug)]
pub(crate) struct HttpConnection {
    stream: TcpStream,
    host: String,
}

impl HttpConnection {
    pub(crate) async fn connect(url: &str) -> Result<Self> {
        let host = url.strip_prefix("http://").context("the URL must begin with http://")?;
        let stream = TcpStream::connect(host).await;
        let stream = stream.with_context(|| format!("cannot connect to {url}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, host: host.to_owned() })
    }

    /// The status code and the body.
    pub(crate) async fn get(&mut self, path: &str) -> Result<(u16, Bytes)> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.host);
        self.exchange(request.as_bytes()).await
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<(u16, Bytes)> {
        self.stream.write_all(request).await?;
        let mut response = Vec::with_capacity(16 * 1024);
        loop {
            if self.stream.read_buf(&mut response).await? == 0 {
                bail!("the server closed the connection");
            }
            if let Some((status, body)) = complete(&response)? {
                return Ok((status, Bytes::copy_from_slice(body)));
            }
        }
    }
}

/// Calls one method with JSON.
#[derive(Clone, Debug)]
pub(crate) struct HttpCaller {
    connection: Arc<Mutex<HttpConnection>>,
    /// The request up to the value of content-length.
    head: Arc<str>,
}

impl HttpCaller {
    pub(crate) async fn connect(url: &str, path: &str) -> Result<Self> {
        let connection = HttpConnection::connect(url).await?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             content-length: ",
            connection.host
        );
        Ok(Self { connection: Arc::new(Mutex::new(connection)), head: head.into() })
    }

    pub(crate) async fn call(&self, message: &[u8]) -> Result<Bytes> {
        let mut request = format!("{}{}\r\n\r\n", self.head, message.len()).into_bytes();
        request.extend_from_slice(message);
        let (status, body) = self.connection.lock().await.exchange(&request).await?;
        if status != OK {
            bail!("HTTP status {status}: {}", String::from_utf8_lossy(&body));
        }
        Ok(body)
    }
}

/// The status code and the body of a response, once it is complete.
fn complete(response: &[u8]) -> Result<Option<(u16, &[u8])>> {
    let Some(end) = response.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&response[..end])?;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.context("the response has no content-length")?.parse()?;
    let body = &response[end + 4..];
    if body.len() < length {
        return Ok(None);
    }
    let status = head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    Ok(Some((status.context("the response is not HTTP/1.1")?, body)))
}

#[cfg(test)]
mod tests {
    use super::complete;

    #[test]
    fn a_response_is_complete_when_all_of_its_body_has_arrived() {
        let response = b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}";

        assert_eq!(complete(response).unwrap(), Some((404, b"{}".as_slice())));
        for length in 0..response.len() {
            assert_eq!(complete(&response[..length]).unwrap(), None, "{length}");
        }
    }

    #[test]
    fn a_response_of_unknown_length_is_an_error() {
        assert!(complete(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
    }
}
