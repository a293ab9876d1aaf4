//! The pages of the arena: the ladder, matches step by step, and bots. They are made on the server
//! and read without a script; nothing in them comes from elsewhere.
//!
//! # Layout
//!
//! - [`pages`]: the routes. `site.rs` is what the pages may ask, all of it bounded.
//! - `front.rs`, `match_page.rs`, `bot.rs`: a file for each page; `problem.rs` for those that are
//!   not there.
//! - `frame.rs`: what stands around every page. `guard.rs`: what a browser may do with it.
//! - `replay.rs`: a stored match as steps. `summary.rs`: a match in a line.
//! - `words.rs`, `when.rs`: things and times as people say them.

mod asked;
mod assets;
mod bot;
mod frame;
mod front;
mod guard;
mod match_page;
mod problem;
mod replay;
mod site;
mod summary;
mod when;
mod words;

use axum::Router;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::routing::get;
use azulejo_arena::desk::Arena;

use site::Site;

/// The pages of this arena.
pub fn pages(arena: Arena) -> Router {
    let site = Site::new(arena);
    Router::new()
        .route("/", get(front::page))
        .route("/match/{id}", get(match_page::page))
        .route("/match/{id}/record", get(match_page::record))
        .route("/bot/{owner}/{name}", get(bot::page))
        .layer(from_fn_with_state(site.clone(), guard::in_turn))
        .route("/style.css", get(assets::style))
        .route("/favicon.svg", get(assets::favicon))
        .fallback(problem::no_such_page)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(map_response_with_state(guard::Policy::new(), guard::protected))
        .with_state(site)
}
