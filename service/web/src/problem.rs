//! What cannot be shown, as a page like any other: a sentence, and never how the server is made.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_arena::desk::Unanswered;
use azulejo_arena::hall::Refusal;
use azulejo_arena::store::StoreError;
use maud::html;

use crate::frame::Page;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// There is no such thing; the sentence says what.
    Missing(String),
    /// It was asked for in a way that cannot be understood.
    Unclear(String),
    WrongMethod,
    /// The arena has no time, or starts again.
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

impl From<Unanswered> for Problem {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Refused(Refusal::NoSuchBot(_)) => Self::no_such_bot(),
            Unanswered::Refused(_) | Unanswered::Busy | Unanswered::Restarting => Self::Busy,
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a page could not be made");
        Self::Busy
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title, sentence) = match self {
            Self::Missing(sentence) => (StatusCode::NOT_FOUND, "Nothing here", sentence),
            Self::Unclear(sentence) => (StatusCode::BAD_REQUEST, "That is unclear", sentence),
            Self::WrongMethod => {
                let sentence = "These pages are only for reading: ask for them with GET.";
                (StatusCode::METHOD_NOT_ALLOWED, "Only for reading", sentence.to_owned())
            }
            Self::Busy => {
                let sentence = "The arena cannot answer at the moment. Try again in a second.";
                (StatusCode::SERVICE_UNAVAILABLE, "One moment", sentence.to_owned())
            }
        };
        let main = html! {
            div.problem {
                p.code aria-hidden="true" { (status.as_u16()) }
                h1 { (title) }
                p { (sentence) }
                p { a href="/" { "To the ladder" } }
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
