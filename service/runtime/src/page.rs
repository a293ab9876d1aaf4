//! A request for a page: measured, admitted and in time, like a call.

use std::convert::Infallible;

use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};
use tonic::body::Body;
use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::Response;
use crate::front::FrontConfig;
use crate::observe::Begun;
use crate::within::{Interrupted, within};

pub(crate) struct Page {
    pub(crate) begun: Begun,
    pub(crate) answer: BoxFuture<Response, Infallible>,
}

impl Page {
    pub(crate) async fn answered(self, config: &FrontConfig) -> Response {
        let Self { begun, answer } = self;
        let answer = async {
            let Ok(_place) = config.pages.enter() else {
                return problem(StatusCode::SERVICE_UNAVAILABLE, "The server is overloaded.");
            };
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
        response
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
    use crate::background::Background;
    use crate::methods::Methods;
    use crate::metrics::Metrics;
    use crate::observe::Observer;

    fn config() -> FrontConfig {
        let metrics = Metrics::new(Registry::new(), 1, None).unwrap();
        let one = || Admission::new(1, CancellationToken::new());
        FrontConfig {
            methods: Methods::of(&[], "none", &metrics).unwrap(),
            observer: Observer::new(metrics.clone(), false),
            metrics,
            admission: one(),
            pages: one(),
            background: Background::start().unwrap(),
            call_timeout: Duration::from_millis(20),
            max_request_bytes: 1,
        }
    }

    async fn status_of(config: &FrontConfig, answer: BoxFuture<Response, Infallible>) -> u16 {
        let begun = config.observer.begin_page(&http::HeaderMap::new());
        Page { begun, answer }.answered(config).await.status().as_u16()
    }

    fn page() -> BoxFuture<Response, Infallible> {
        Box::pin(async { Ok(http::Response::new(Body::empty())) })
    }

    #[tokio::test]
    async fn pages_beyond_the_limit_are_refused_and_calls_do_not_count() {
        let config = config();
        let _call = config.admission.enter().unwrap();
        assert_eq!(status_of(&config, page()).await, 200);
        let reader = config.pages.enter().unwrap();
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
