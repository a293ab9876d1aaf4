//! The page of a bot: its versions with their ratings, its health, and its last matches.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use azulejo_arena::names::{BotId, Version};
use azulejo_arena::pool::Pool;
use azulejo_arena::standings::OfficialRating;
use azulejo_arena::store::Filter;
use azulejo_arena::view::BotView;
use maud::{Markup, html};

use crate::frame::Page;
use crate::problem::Problem;
use crate::site::{MATCHES, Site};
use crate::{describe, match_line, when};

/// Versions that are shown, newest first.
const VERSIONS: usize = 10;

pub(crate) async fn page(
    State(site): State<Site>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Page, Problem> {
    let Path((owner, name)) = path.map_err(|_| Problem::no_such_bot())?;
    let id: BotId = format!("{owner}/{name}").parse().map_err(|_| Problem::no_such_bot())?;
    let bot = site.bot(&id)?;
    let filter = Filter { bot: Some(id), ..Filter::default() };
    let mut matches = site.running(&filter);
    let finished = site.finished(filter).await?;
    // A match may end between the two reads.
    matches.retain(|running| finished.iter().all(|line| line.id() != running.id()));
    matches.extend(finished);
    matches.truncate(MATCHES as usize);
    let main = html! {
        (head(&bot))
        (health(&bot))
        section aria-labelledby="versions" {
            h2 id="versions" { "Versions and ratings" }
            @if bot.versions.is_empty() { p.soft { "It has not connected yet." } }
            @for (version, rated) in bot.versions.iter().rev().take(VERSIONS) {
                (ratings(version, rated))
            }
        }
        section aria-labelledby="recent" {
            h2 id="recent" { "Last matches" }
            (match_line::list(&matches, site.now(), "It has not played yet."))
        }
    };
    Ok(Page::new(bot.id.as_str(), main))
}

fn head(bot: &BotView) -> Markup {
    html! {
        h1 {
            (bot.id)
            @if bot.house { " " span.tag { "house" } }
        }
        p.about {
            @if bot.online { span.live { "online" } } @else { "offline" }
            " · registered " (when::exact(bot.registered))
        }
    }
}

fn health(bot: &BotView) -> Markup {
    html! {
        @if let Some(pause) = &bot.pause {
            div.notice role="note" {
                b { "Paused: " } (pause.reason) "."
                @if let Some(id) = &pause.trigger_match {
                    " " a href=(format!("/match/{id}")) { "The match that caused it" }
                }
            }
        }
        p {
            @match bot.recent_failures {
                0 => { "No failures in its last fifty ladder matches." }
                failures => { "It failed in " b { (failures) } " of its last fifty ladder matches." }
            }
        }
    }
}

fn ratings(version: &Version, rated: &[(Pool, OfficialRating)]) -> Markup {
    html! {
        h3 { (version) }
        @if rated.is_empty() {
            p.soft { "No rated game in the official standings yet." }
        } @else {
            table.ratings {
                caption.hidden { "Official ratings of version " (version) " by pool" }
                thead { tr {
                    th scope="col" { "Pool" }
                    th.number scope="col" { "Rating" }
                    th.number scope="col" { abbr title="95 % confidence interval" { "±" } }
                    th.number scope="col" { "Games" }
                } }
                tbody { @for (pool, standing) in rated { (row(*pool, standing)) } }
            }
        }
    }
}

fn row(pool: Pool, official: &OfficialRating) -> Markup {
    let OfficialRating { rating, plus_minus, games, provisional } = official;
    html! {
        tr {
            th scope="row" { a href=(format!("/?pool={pool}")) { (describe::pool(pool)) } }
            td.number {
                b { (format!("{rating:.0}")) }
                @if *provisional { " " abbr title="provisional: not enough games for a rank" { "?" } }
            }
            td.number.soft { (format!("±{plus_minus:.0}")) }
            td.number { (games) }
        }
    }
}
