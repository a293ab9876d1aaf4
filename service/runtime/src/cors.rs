//! Cross-origin calls: any page may call, because there are no cookies that a foreign page could
//! misuse. Not a tower layer: gRPC calls never come from a page and must not pay for it.

use http::{HeaderValue, Method, StatusCode, header};
use tonic::body::Body;

use crate::{Request, Response};

const HOURS_2: HeaderValue = HeaderValue::from_static("7200");
const ANY: HeaderValue = HeaderValue::from_static("*");
/// `*` does not include `authorization`.
const ANY_HEADER: HeaderValue = HeaderValue::from_static("authorization, *");

/// Whether a browser asks for permission before the call itself.
pub(crate) fn is_preflight(request: &Request) -> bool {
    *request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

pub(crate) fn preflight() -> Response {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ANY_HEADER);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HOURS_2);
    allowed(response)
}

/// The same response, readable by any page.
pub(crate) fn allowed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, ANY);
    response
}
