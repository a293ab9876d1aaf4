//! The front page: the ladder, running matches, recent results, and how to join.

mod join;
mod ladder;
mod pools;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::Filter;
use azulejo_arena::view::PoolView;
use maud::{Markup, html};

use crate::frame::Page;
use crate::match_line::MatchLine;
use crate::problem::Problem;
use crate::site::Site;
use crate::{describe, match_line, query};

/// Seconds between two reloads when auto-refresh is on.
const REFRESH: &str = "5";

pub(crate) async fn page(
    State(site): State<Site>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let pools = site.pools();
    let chosen = chosen(query::value(&uri, "pool"), &pools)?;
    let live = query::value(&uri, "live").is_some();
    // Without the store, everything else is still shown.
    let finished = site.finished(Filter::default()).await;
    let status = if finished.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let main = html! {
        (intro(live, chosen))
        (ladder_section(&site, &pools, chosen))
        div.columns {
            (matches(&site, finished.ok()))
            (join::section(&query::server(&uri, &headers)))
        }
    };
    let mut response = (status, Page::new("Ladder", main)).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    if live {
        response.headers_mut().insert(header::REFRESH, header::HeaderValue::from_static(REFRESH));
    }
    Ok(response)
}

/// The pool named in the query, or else the busiest.
fn chosen(name: Option<&str>, pools: &[PoolView]) -> Result<Option<Pool>, Problem> {
    let named = |name: &str| {
        name.parse().map(Some).map_err(|_| Problem::missing("There is no pool with this name."))
    };
    let busiest = || pools.iter().max_by_key(|played| played.games).map(|played| played.pool);
    name.map_or_else(|| Ok(busiest()), named)
}

fn intro(live: bool, chosen: Option<Pool>) -> Markup {
    let here = |live: &str| match chosen {
        Some(pool) => format!("/?pool={pool}{live}"),
        None => format!("/{}", live.replace('&', "?")),
    };
    html! {
        div.intro {
            h1 { "Bots play Azul and Summer Pavilion" }
            p.lead {
                "An open arena: write a bot in any language, connect it, and see how it does "
                "on a rated ladder, with verifiably fair deals."
            }
            p.live-switch {
                @if live {
                    span.live { "Refreshed every 5 seconds" } " " a href=(here("")) { "Stop" }
                } @else {
                    a href=(here("&live")) { "Auto-refresh" }
                }
            }
        }
    }
}

fn ladder_section(site: &Site, pools: &[PoolView], chosen: Option<Pool>) -> Markup {
    let Some(pool) = chosen else {
        return html! {
            section id="ladder" aria-labelledby="ladder-title" {
                h2 id="ladder-title" { "Ladder" }
                p.soft { "No rated match has ended yet. The first results appear here." }
            }
        };
    };
    let fitted = site.official(pool).filter(|fitted| !fitted.standings.lines.is_empty());
    let games = pools.iter().find(|played| played.pool == pool).map_or(0, |played| played.games);
    html! {
        section id="ladder" aria-labelledby="ladder-title" {
            h2 id="ladder-title" { "Ladder" }
            (pools::chooser(pools, pool))
            p.about { b { (describe::pool(pool)) } " · " (describe::several(games, "rated game")) }
            @match &fitted {
                Some(fitted) => { (ladder::table(&fitted.standings, |line| site.achieved(pool, line))) }
                None => { p.soft { "The standings are computed within seconds of the first result." } }
            }
        }
    }
}

/// Running and finished matches; without the latter if they cannot be read at the moment.
fn matches(site: &Site, finished: Option<Vec<MatchLine>>) -> Markup {
    let running = site.running(&Filter::default());
    let now = site.now();
    html! {
        section.running id="matches" aria-labelledby="running-title" {
            h2 id="running-title" { "Being played" }
            (match_line::list(&running, now, "No match is running."))
        }
        section.over aria-labelledby="over-title" {
            h2 id="over-title" { "Last results" }
            @if let Some(mut over) = finished {
                // The store lists them in the order in which they started.
                @let () = over.sort_by_key(|line| std::cmp::Reverse(line.ended()));
                (match_line::list(&over, now, "No match has ended yet."))
            } @else {
                p.soft { "Results cannot be read at the moment. Try again in a second." }
            }
        }
    }
}
