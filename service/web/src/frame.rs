//! The layout that all pages share.

use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// A whole page.
#[derive(Debug)]
pub(crate) struct Page {
    title: String,
    main: Markup,
}

impl Page {
    pub(crate) fn new(title: &str, main: Markup) -> Self {
        Self { title: title.to_owned(), main }
    }

    fn render(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Azulejo" }
                    link rel="icon" type="image/svg+xml" href="/favicon.svg";
                    link rel="stylesheet" href="/style.css";
                }
                body {
                    a.skip href="#main" { "Skip to content" }
                    header.top {
                        a.brand href="/" {
                            img src="/favicon.svg" alt="" width="30" height="30";
                            "Azulejo"
                        }
                        nav aria-label="Site" {
                            a href="/#ladder" { "Ladder" }
                            a href="/#matches" { "Matches" }
                            a href="/#join" { "Join" }
                        }
                    }
                    main id="main" tabindex="-1" { (self.main) }
                    footer {
                        p {
                            "Rendered on the server, without scripts. Everything here is also available "
                            "from the API: " code { "azulejo.arena.v1" } " over gRPC, or HTTP with JSON."
                        }
                    }
                }
            }
        }
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        Html(self.render().into_string()).into_response()
    }
}
