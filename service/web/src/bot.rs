//! A bot: its versions with their ratings, how it is doing, and what it played last.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use azulejo_arena::moment::Wall;
use azulejo_arena::names::BotId;
use azulejo_arena::pool::Pool;
use azulejo_arena::store::Filter;
use azulejo_wire::served::arena as pb;
use maud::{Markup, html};

use crate::frame::Page;
use crate::problem::Problem;
use crate::site::Site;
use crate::{summary, when, words};

/// Versions that are shown, the newest first.
const VERSIONS: usize = 10;

pub(crate) async fn page(
    State(site): State<Site>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Page, Problem> {
    let Path((owner, name)) = path.map_err(|_| Problem::no_such_bot())?;
    let id: BotId = format!("{owner}/{name}").parse().map_err(|_| Problem::no_such_bot())?;
    let bot = site.bot(id.clone()).await?;
    let matches = site.matches(Filter { bot: Some(id), ..Filter::default() }).await?;
    let main = html! {
        (head(&bot))
        (health(&bot))
        section aria-labelledby="versions" {
            h2 id="versions" { "Versions and ratings" }
            @if bot.versions.is_empty() { p.soft { "It has not said hello yet." } }
            @for version in bot.versions.iter().rev().take(VERSIONS) { (ratings(version)) }
        }
        section aria-labelledby="recent" {
            h2 id="recent" { "Last matches" }
            (summary::lines(&matches, site.now(), "It has not played yet."))
        }
    };
    Ok(Page::new(&bot.id, main))
}

fn head(bot: &pb::Bot) -> Markup {
    let registered = bot.create_time.as_ref().and_then(|at| u64::try_from(at.seconds).ok());
    html! {
        h1 {
            (bot.id)
            @if bot.house { " " span.tag { "house" } }
        }
        p.about {
            @if bot.online { span.live { "online" } } @else { "offline" }
            @if let Some(seconds) = registered {
                " · registered " (when::exact(Wall(seconds.saturating_mul(1_000))))
            }
        }
    }
}

fn health(bot: &pb::Bot) -> Markup {
    let Some(health) = &bot.health else { return html! {} };
    html! {
        @if health.paused {
            div.notice role="note" {
                b { "Paused: " } (health.pause_note) "."
                @if !health.pause_match_id.is_empty() {
                    " " a href=(format!("/match/{}", health.pause_match_id)) { "The match that led to it" }
                }
            }
        }
        p {
            @match health.recent_failures {
                0 => { "It did not fail in any of its last fifty matches of the ladder." }
                failures => { "It failed in " b { (failures) } " of its last fifty matches of the ladder." }
            }
        }
    }
}

fn ratings(version: &pb::BotVersion) -> Markup {
    html! {
        h3 { (version.label) }
        @if version.ratings.is_empty() {
            p.soft { "No rated game yet." }
        } @else {
            table.ratings {
                caption.hidden { "Ratings of version " (version.label) " by pool" }
                thead { tr {
                    th scope="col" { "Pool" }
                    th.number scope="col" { "Rating" }
                    th.number scope="col" { abbr title="two deviations" { "±" } }
                    th.number scope="col" { "Games" }
                } }
                tbody { @for rated in &version.ratings { (row(rated)) } }
            }
        }
    }
}

fn row(rated: &pb::PoolRating) -> Markup {
    let rating = rated.rating.unwrap_or_default();
    let title =
        rated.pool.parse().map_or_else(|_| rated.pool.clone(), |pool: Pool| words::pool(pool));
    html! {
        tr {
            th scope="row" { a href=(format!("/?pool={}", rated.pool)) { (title) } }
            td.number { b { (format!("{:.0}", rating.rating)) } }
            td.number.soft { (format!("±{:.0}", 2.0 * rating.deviation)) }
            td.number { (rating.games) }
        }
    }
}
