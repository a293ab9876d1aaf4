//! The stylesheet and the icon.

use axum::http::header;
use axum::response::IntoResponse;

/// Long enough for a visit, short enough that a new version of the server shows soon.
const CACHE: &str = "max-age=300";

pub(crate) async fn style() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, CACHE)];
    (headers, include_str!("../assets/style.css"))
}

pub(crate) async fn favicon() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, CACHE)];
    (headers, include_str!("../assets/favicon.svg"))
}
