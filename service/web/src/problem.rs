//! Error pages: one sentence for the reader, and no internals.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_arena::store::StoreError;
use maud::html;

use crate::frame::Page;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Not found; the sentence says what.
    Missing(String),
    /// The request is malformed; the sentence says how.
    Unclear(String),
    WrongMethod,
    /// The arena is overloaded or restarting.
    Busy,
}

impl Problem {
    pub(crate) fn missing(sentence: &str) -> Self {
        Self::Missing(sentence.to_owned())
    }

    pub(crate) fn no_such_match() -> Self {
        Self::missing("There is no match with this id: an id has sixteen letters and digits.")
    }

    pub(crate) fn no_such_bot() -> Self {
        Self::missing("There is no bot with this name.")
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "cannot render a page: the store failed");
        Self::Busy
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title, sentence) = match self {
            Self::Missing(sentence) => (StatusCode::NOT_FOUND, "Not found", sentence),
            Self::Unclear(sentence) => (StatusCode::BAD_REQUEST, "Bad request", sentence),
            Self::WrongMethod => {
                let sentence = "These pages are read-only. Use GET.";
                (StatusCode::METHOD_NOT_ALLOWED, "Method not allowed", sentence.to_owned())
            }
            Self::Busy => {
                let sentence = "The arena cannot answer at the moment. Try again in a second.";
                (StatusCode::SERVICE_UNAVAILABLE, "Temporarily unavailable", sentence.to_owned())
            }
        };
        let main = html! {
            div.problem {
                p.code aria-hidden="true" { (status.as_u16()) }
                h1 { (title) }
                p { (sentence) }
                p { a href="/" { "Back to the ladder" } }
            }
        };
        let mut response = (status, Page::new(title, main)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

pub(crate) async fn no_such_page() -> Problem {
    Problem::missing("There is no such page.")
}

pub(crate) async fn wrong_method() -> Problem {
    Problem::WrongMethod
}
