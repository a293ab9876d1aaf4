//! The boards at one step, and the way to the others.

use azulejo_engine::draw::Options;
use maud::{Markup, PreEscaped, html};

use super::Shown;
use crate::replay::{Moment, Step};
use crate::words;

pub(super) fn section(shown: &Shown) -> Markup {
    html! {
        section.board id="board" aria-labelledby="board-title" {
            @match shown.moment() {
                None => {
                    h2 id="board-title" { "The boards" }
                    p.soft { "Nothing was dealt yet." }
                }
                Some(moment) => {
                    h2.hidden id="board-title" { "The boards at step " (shown.step) }
                    (steps(shown))
                    p.said aria-live="polite" { (moment.step.sentence(&shown.names)) }
                    div.picture { (picture(shown, moment)) }
                    @if !moment.news.is_empty() {
                        ul.news { @for news in &moment.news { li { (news) } } }
                    }
                }
            }
        }
    }
}

/// The renderer escapes what it is given.
fn picture(shown: &Shown, moment: &Moment) -> Markup {
    let last = match moment.step {
        Step::Move { seat, action, .. } => Some(action.shown(seat)),
        Step::Deal { .. } | Step::Forfeit { .. } => None,
    };
    let names = shown.saved.spec.seats.iter().map(words::name).collect();
    PreEscaped(moment.table.svg(&Options { names, last, ..Options::default() }))
}

fn steps(shown: &Shown) -> Markup {
    let (step, last) = (shown.step, shown.moments.len());
    html! {
        nav.steps aria-label="Steps" {
            (link(shown, "First", "«", None, (step > 1).then_some(1)))
            (link(shown, "Previous", "‹", Some("prev"), (step > 1).then(|| step - 1)))
            span.where { "Step " b { (step) } " of " (last) }
            (link(shown, "Next", "›", Some("next"), (step < last).then_some(step + 1)))
            (link(shown, "Last", "»", None, (step < last).then_some(last)))
        }
    }
}

/// A link to a step, or its name alone where there is none.
fn link(shown: &Shown, name: &str, sign: &str, rel: Option<&str>, to: Option<usize>) -> Markup {
    let content = html! {
        span.sign aria-hidden="true" { (sign) }
        span.name { (name) }
    };
    html! {
        @match to {
            Some(step) => a href=(shown.address(step)) rel=[rel] { (content) },
            None => span.off aria-disabled="true" { (content) },
        }
    }
}
