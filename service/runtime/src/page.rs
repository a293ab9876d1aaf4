//! A request for a page: measured, admitted and in time, like a call.

use std::convert::Infallible;

use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};
use tonic::body::Body;
use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::front::FrontConfig;
use crate::observe::Begun;
use crate::sent::Answer;
use crate::within::{Interrupted, within};
use crate::{Response, Share};

pub(crate) struct Page {
    pub(crate) begun: Begun,
    /// Whose share of the places it takes.
    pub(crate) share: Option<Share>,
    pub(crate) answer: BoxFuture<Response, Infallible>,
}

impl Page {
    pub(crate) async fn answered(self, config: &FrontConfig) -> Answer {
        let Self { begun, share, answer } = self;
        let place = config.pages.enter(share);
        let answer = async {
            if place.is_none() {
                return problem(StatusCode::SERVICE_UNAVAILABLE, "The server is overloaded.");
            }
            match within(answer, None, config.call_timeout).await {
                Ok(response) => response,
                Err(Interrupted::Panicked) => {
                    problem(StatusCode::INTERNAL_SERVER_ERROR, "Internal error; it was logged.")
                }
                Err(Interrupted::Late) => {
                    problem(StatusCode::GATEWAY_TIMEOUT, "The page took too long.")
                }
            }
        };
        let response = match &begun.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        config.observer.end_page(begun, &response);
        Answer { response, place }
    }
}

/// Plain text: whatever renders pages is what failed.
fn problem(status: StatusCode, sentence: &'static str) -> Response {
    let headers = [
        (header::RETRY_AFTER, HeaderValue::from_static("1")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (status, headers, format!("{sentence} Try again in a second.\n")).into_response().map(Body::new)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use prometheus::Registry;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::admission::Admission;
    use crate::background::{Background, Priority};
    use crate::budget::Budget;
    use crate::methods::Methods;
    use crate::metrics::Metrics;
    use crate::observe::Observer;

    fn config() -> FrontConfig {
        let metrics = Metrics::new(Registry::new(), 1, None).unwrap();
        FrontConfig {
            methods: Methods::of(&[], "none", &[], &[], &metrics).unwrap(),
            observer: Observer::new(metrics.clone(), false),
            metrics,
            admission: Admission::new(1, None, None),
            pages: Budget::new(1, 1),
            ending: CancellationToken::new(),
            background: Background::start(Priority::Low).unwrap(),
            call_timeout: Duration::from_millis(20),
            max_request_bytes: 1,
        }
    }

    async fn status_of(config: &FrontConfig, answer: BoxFuture<Response, Infallible>) -> u16 {
        let begun = config.observer.begin_page(&http::HeaderMap::new());
        let page = Page { begun, share: None, answer };
        page.answered(config).await.response.status().as_u16()
    }

    fn page() -> BoxFuture<Response, Infallible> {
        Box::pin(async { Ok(http::Response::new(Body::empty())) })
    }

    #[tokio::test]
    async fn pages_beyond_the_limit_are_refused_and_calls_do_not_count() {
        let config = config();
        assert_eq!(status_of(&config, page()).await, 200);
        let reader = config.pages.enter(None).unwrap();
        assert_eq!(status_of(&config, page()).await, 503);
        drop(reader);
        assert_eq!(status_of(&config, page()).await, 200);
    }

    #[tokio::test]
    async fn a_page_that_hangs_or_panics_is_answered() {
        let config = config();
        assert_eq!(status_of(&config, Box::pin(std::future::pending())).await, 504);
        assert_eq!(status_of(&config, Box::pin(async { panic!("a defect") })).await, 500);
        assert_eq!(status_of(&config, page()).await, 200, "the place is free again");
    }
}
