//! The web pages of the arena: the ladder, matches step by step, and bots. They are rendered on
//! the server, work without scripts, and load nothing from other hosts.
//!
//! # Layout
//!
//! - [`pages`]: the routes. `site.rs`: the data that pages read, all of it bounded.
//! - `front.rs`, `match_page.rs`, `bot.rs`: one file per page; `problem.rs` for error pages.
//! - `frame.rs`: the layout that all pages share. `guard.rs`: security headers and admission.
//! - `replay.rs`: a stored match as steps. `match_line.rs`: a match in one line.
//! - `describe.rs`, `when.rs`: names and times for people.

mod assets;
mod bot;
mod describe;
mod frame;
mod front;
mod guard;
mod match_line;
mod match_page;
mod problem;
mod query;
mod replay;
mod site;
mod when;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response_with_state};
use axum::routing::get;
use azulejo_arena::arena_loop::Arena;

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
        .layer(from_fn(guard::name_route))
        .with_state(site)
}
