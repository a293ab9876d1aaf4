//! The page of a match: players, result, every step, and the proof that the deals were fair.

mod board;
mod moves;
mod proof;
mod seats;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use azulejo_arena::match_record::Replayed;
use azulejo_arena::match_run::{Corrupt, Match, Phase};
use azulejo_arena::names::MatchId;
use azulejo_arena::store::SavedMatch;
use maud::{Markup, html};

use crate::frame::Page;
use crate::problem::Problem;
use crate::replay::{self, Moment};
use crate::site::Site;
use crate::{describe, query, when};

/// A match with everything that its page shows.
pub(crate) struct Shown {
    saved: SavedMatch,
    run: Match,
    /// The bots' names, shortened where that leaves them different.
    names: Vec<String>,
    moments: Vec<Moment>,
    /// The step that is shown, counted from 1; 0 before the first deal.
    step: usize,
}

pub(crate) async fn page(
    State(site): State<Site>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Page, Problem> {
    let saved = found(&site, path).await?;
    let names = describe::short_names(&saved.spec.seats);
    let (run, moments) = replay::moments(&saved, &names).map_err(|corrupt| damaged(&corrupt))?;
    let names = if run.hides_seats() { describe::hidden_names(names.len()) } else { names };
    let step = step(query::value(&uri, "step"), moments.len())?;
    let shown = Shown { saved, run, names, moments, step };
    let title = format!("{}: {}", shown.names.join(" – "), shown.saved.spec.id);
    let main = html! {
        (head(&shown))
        (seats::table(&shown))
        div.play {
            (board::section(&shown))
            (moves::section(&shown))
        }
        (proof::section(&shown))
    };
    Ok(Page::new(&title, main))
}

pub(crate) async fn record(
    State(site): State<Site>,
    path: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let saved = found(&site, path).await?;
    let replayed = Replayed::of(&saved).map_err(|corrupt| damaged(&corrupt))?;
    let text = saved.ended.and_then(|_| replayed.record(&saved));
    let text = text.ok_or_else(|| {
        Problem::missing(
            "This match has no record. A record exists after the end, if a deal was made.",
        )
    })?;
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.json\"", saved.spec.id)),
    ];
    Ok((headers, text).into_response())
}

async fn found(
    site: &Site,
    path: Result<Path<String>, PathRejection>,
) -> Result<SavedMatch, Problem> {
    let Path(id) = path.map_err(|_| Problem::no_such_match())?;
    let id: MatchId = id.parse().map_err(|_| Problem::no_such_match())?;
    site.find(&id).await
}

fn damaged(corrupt: &Corrupt) -> Problem {
    tracing::error!(%corrupt, "the store holds a corrupt match");
    Problem::missing("This match is damaged and cannot be shown.")
}

/// The step in the query; by default the last one.
fn step(asked: Option<&str>, steps: usize) -> Result<usize, Problem> {
    let Some(text) = asked else { return Ok(steps) };
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Problem::Unclear("A step is a number, counted from 1.".to_owned()));
    }
    let step = text.parse().ok().filter(|step| (1..=steps).contains(step));
    step.ok_or_else(|| {
        Problem::Missing(format!(
            "This match has {} so far.",
            describe::several(steps as u64, "step")
        ))
    })
}

impl Shown {
    fn moment(&self) -> Option<&Moment> {
        self.moments.get(self.step.checked_sub(1)?)
    }

    fn address(&self, step: usize) -> String {
        format!("/match/{}?step={step}#board", self.saved.spec.id)
    }
}

fn head(shown: &Shown) -> Markup {
    let spec = &shown.saved.spec;
    let status = match shown.run.phase() {
        Phase::Gathering { .. } => "Waiting for the bots",
        Phase::Playing => "Being played",
        Phase::Ended(_) => "Ended",
        Phase::Voided { .. } => "Called off",
    };
    let over = shown.run.is_over();
    html! {
        h1.versus-title {
            @for (index, name) in shown.names.iter().enumerate() {
                @if index > 0 { span.versus { " – " } }
                span { (name) }
            }
        }
        p.about {
            @if over { (status) } @else { span.live { (status) } }
            " · " a href=(format!("/?pool={}", spec.pool)) { (describe::pool(spec.pool)) }
            " · " @match shown.run.unrated_reason() {
                None => "rated",
                Some(why) => { "unrated: " (describe::unrated(why)) }
            }
            @if let Phase::Voided { why, .. } = shown.run.phase() { " (" (why) ")" }
            " · called " (when::exact(spec.called))
            @if let Some(ended) = shown.saved.ended { " · ended " (when::exact(ended)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_the_default() {
        assert_eq!(step(None, 7), Ok(7));
        assert_eq!(step(None, 0), Ok(0));
        assert_eq!(step(Some("1"), 7), Ok(1));
    }

    #[test]
    fn a_missing_step_is_not_found_and_a_malformed_one_is_a_bad_request() {
        for beyond in ["0", "8", "99999999999999999999999999"] {
            assert!(matches!(step(Some(beyond), 7), Err(Problem::Missing(_))), "{beyond}");
        }
        for unclear in ["", "-1", "+1", "1e3", "%00", "<script>"] {
            assert!(matches!(step(Some(unclear), 7), Err(Problem::Unclear(_))), "{unclear}");
        }
    }
}
