//! What a browser asks before it lets a page call: any page may, for there are no cookies that a
//! foreign page could misuse. A gRPC call never comes from a page, so it does without.

use http::{HeaderValue, Method, StatusCode, header};
use tonic::body::Body;

use crate::{Request, Response};

const HOURS_2: HeaderValue = HeaderValue::from_static("7200");
const ANY: HeaderValue = HeaderValue::from_static("*");
/// The star stands for all but this one.
const ANY_HEADER: HeaderValue = HeaderValue::from_static("authorization, *");

/// A browser's question before the call itself.
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

/// The same answer, for any page to read.
pub(crate) fn allowed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, ANY);
    response
}
