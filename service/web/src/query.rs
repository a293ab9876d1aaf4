//! The parts of the request that pages depend on: query parameters and the host. All accepted
//! values are plain ASCII, so nothing is percent-decoded: an encoded value is never valid.

use axum::http::{HeaderMap, Uri, header, uri::Scheme};

/// Used when the request has no valid host.
const DEFAULT_HOST: &str = "127.0.0.1:7700";

/// The value of a query parameter; empty if the parameter has no `=`.
pub(crate) fn value<'a>(uri: &'a Uri, key: &str) -> Option<&'a str> {
    let pairs = uri.query()?.split('&');
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value)
}

/// The address by which the client reached this server, safe to paste into a shell.
pub(crate) fn server(uri: &Uri, headers: &HeaderMap) -> String {
    let text =
        |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    let host = uri.authority().map(axum::http::uri::Authority::as_str);
    let host =
        host.or_else(|| text(header::HOST)).filter(|host| is_plain(host)).unwrap_or(DEFAULT_HOST);
    let secure = uri.scheme() == Some(&Scheme::HTTPS)
        || text(header::HeaderName::from_static("x-forwarded-proto")) == Some("https");
    format!("{}://{host}", if secure { "https" } else { "http" })
}

fn is_plain(host: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".:-[]".contains(&byte);
    (1..=255).contains(&host.len()) && host.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_with_and_without_a_value() {
        let uri: Uri = "/?live&pool=azul-colored-2-blitz&step=7".parse().unwrap();
        assert_eq!(value(&uri, "live"), Some(""));
        assert_eq!(value(&uri, "pool"), Some("azul-colored-2-blitz"));
        assert_eq!(value(&uri, "ste"), None);
    }

    #[test]
    fn a_host_that_a_shell_would_obey_is_not_repeated() {
        let uri: Uri = "/".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "arena.example:7700".parse().unwrap());
        assert_eq!(server(&uri, &headers), "http://arena.example:7700");

        headers.insert(header::HOST, "a;rm -rf /".parse().unwrap());
        assert_eq!(server(&uri, &headers), "http://127.0.0.1:7700");
    }

    #[test]
    fn behind_a_proxy_with_a_certificate_the_address_is_https() {
        let uri: Uri = "/".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "arena.example".parse().unwrap());
        headers.insert("x-forwarded-proto", "https".parse().unwrap());
        assert_eq!(server(&uri, &headers), "https://arena.example");
    }
}
