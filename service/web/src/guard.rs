//! What browsers may do with the pages (security headers), how many pages are rendered at once, and
//! the route under which a page is measured.

use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use azulejo_engine::draw::Options;
use azulejo_engine::fairness::Bytes32;
use azulejo_engine::{Ruleset, Table};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::problem::Problem;
use crate::site::Site;

/// A page that waits longer for its turn is refused.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The value of `Content-Security-Policy`.
#[derive(Clone, Debug)]
pub(crate) struct Policy(HeaderValue);

impl Policy {
    /// Our own styles and images, and the one inline style of the drawn boards.
    pub(crate) fn new() -> Self {
        let hash = board_style().map(|style| {
            let digest = Bytes32::hash_of(style.as_bytes()).0;
            format!(" 'sha256-{}'", BASE64_STANDARD.encode(digest))
        });
        let text = format!(
            "default-src 'none'; style-src 'self'{}; img-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
            hash.unwrap_or_default()
        );
        let strictest = HeaderValue::from_static("default-src 'none'");
        Self(HeaderValue::from_str(&text).unwrap_or(strictest))
    }
}

/// The inline style of a drawn board: the same in all of them.
fn board_style() -> Option<String> {
    let ruleset = Ruleset::all().into_iter().next()?;
    style_in(&Table::start(ruleset).svg(&Options::default())).map(str::to_owned)
}

fn style_in(svg: &str) -> Option<&str> {
    let (_, rest) = svg.split_once("<style>")?;
    rest.split_once("</style>").map(|(style, _)| style)
}

/// Adds the security headers to every response.
pub(crate) async fn protected(State(policy): State<Policy>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.0);
    let fixed: [(HeaderName, &str); 3] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

/// Renders a page when a permit is free: many readers wait for each other and never slow down bots.
pub(crate) async fn in_turn(State(site): State<Site>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(LONGEST_WAIT, site.permits.acquire()).await {
        Ok(Ok(_permit)) => next.run(request).await,
        Ok(Err(_)) | Err(_) => Problem::Busy.into_response(),
    }
}

/// Adds the route to the response: the server measures pages by route.
pub(crate) async fn name_route(
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_carries_the_style_that_the_policy_allows() {
        let allowed = board_style().unwrap();
        for ruleset in Ruleset::all() {
            let svg = Table::start(ruleset).svg(&Options::default());
            assert_eq!(style_in(&svg), Some(allowed.as_str()));
            assert!(!svg.contains("style=\""), "an attribute would be refused");
        }
    }

    #[test]
    fn the_policy_allows_no_script() {
        let Policy(value) = Policy::new();
        let text = value.to_str().unwrap();
        assert!(text.starts_with("default-src 'none'; style-src 'self' 'sha256-"), "{text}");
        assert!(!text.contains("script-src") && !text.contains("unsafe"), "{text}");
    }
}
