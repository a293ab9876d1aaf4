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
            let Ok(_place) = config.admission.enter() else {
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
