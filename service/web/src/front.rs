//! The front page: the ladder, what is being played, what was played, and how to join.

mod join;
mod ladder;
mod official;
mod pools;

use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::{Filter, Status};
use maud::{Markup, html};

use crate::frame::Page;
use crate::problem::Problem;
use crate::site::{Played, Site};
use crate::{asked, summary, words};

/// How often a reader who asked for it sees the page anew.
const REFRESH: &str = "5";

pub(crate) async fn page(
    State(site): State<Site>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let pools = site.pools().await?;
    let chosen = chosen(asked::value(&uri, "pool"), &pools)?;
    let live = asked::value(&uri, "live").is_some();
    let main = html! {
        (intro(live, chosen))
        (ladder_section(&site, &pools, chosen).await?)
        div.columns {
            (matches(&site).await?)
            (join::section(&asked::server(&uri, &headers)))
        }
    };
    let mut response = Page::new("Ladder", main).into_response();
    if live {
        response.headers_mut().insert(header::REFRESH, header::HeaderValue::from_static(REFRESH));
    }
    Ok(response)
}

/// The pool that the reader names, or the busiest.
fn chosen(name: Option<&str>, pools: &[Played]) -> Result<Option<Pool>, Problem> {
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
                "on a rated ladder, with deals that nobody can choose."
            }
            p.live-switch {
                @if live {
                    span.live { "Renewed every 5 seconds" } " " a href=(here("")) { "Hold still" }
                } @else {
                    a href=(here("&live")) { "Keep this page fresh" }
                }
            }
        }
    }
}

async fn ladder_section(
    site: &Site,
    pools: &[Played],
    chosen: Option<Pool>,
) -> Result<Markup, Problem> {
    let Some(pool) = chosen else {
        return Ok(html! {
            section id="ladder" aria-labelledby="ladder-title" {
                h2 id="ladder-title" { "Ladder" }
                p.soft { "No rated match has ended yet. The first results appear here." }
            }
        });
    };
    let entries = site.ladder(pool).await?;
    let games = pools.iter().find(|played| played.pool == pool).map_or(0, |played| played.games);
    Ok(html! {
        section id="ladder" aria-labelledby="ladder-title" {
            h2 id="ladder-title" { "Ladder" }
            (pools::chooser(pools, pool))
            p.about { b { (words::pool(pool)) } " · " (words::several(games, "rated game")) }
            (ladder::table(&entries))
            @if let Some(fitted) = site.official(pool) { (official::section(&fitted)) }
        }
    })
}

async fn matches(site: &Site) -> Result<Markup, Problem> {
    let running = Filter { status: Some(Status::Running), ..Filter::default() };
    let over = Filter { status: Some(Status::Over), ..Filter::default() };
    let (running, mut over) = (site.matches(running).await?, site.matches(over).await?);
    // They come in the order in which they began.
    over.sort_by_key(|saved| std::cmp::Reverse(saved.ended));
    let now = site.now();
    Ok(html! {
        section.running id="matches" aria-labelledby="running-title" {
            h2 id="running-title" { "Being played" }
            (summary::lines(&running, now, "Nobody plays at the moment."))
        }
        section.over aria-labelledby="over-title" {
            h2 id="over-title" { "Last results" }
            (summary::lines(&over, now, "No match has ended yet."))
        }
    })
}
