//! The boards at one step, and links to the other steps.

use azulejo_engine::draw::Options;
use maud::{Markup, PreEscaped, html};

use super::Shown;
use crate::replay::{Moment, Step};

pub(super) fn section(shown: &Shown) -> Markup {
    html! {
        section.board id="board" aria-labelledby="board-title" {
            @match shown.moment() {
                None => {
                    h2 id="board-title" { "The boards" }
                    p.soft { "No tiles have been dealt yet." }
                }
                Some(moment) => {
                    h2.hidden id="board-title" { "The boards at step " (shown.step) }
                    (steps(shown))
                    p.said aria-live="polite" { (moment.step.sentence(&shown.names)) }
                    div.picture { (picture(shown, moment)) }
                    @if !moment.news.is_empty() || !moment.notes.is_empty() {
                        ul.news { @for news in moment.news.iter().chain(&moment.notes) { li { (news) } } }
                    }
                }
            }
        }
    }
}

/// The renderer escapes the names itself.
fn picture(shown: &Shown, moment: &Moment) -> Markup {
    let last = match moment.step {
        Step::Move { seat, action, .. } => Some(action.shown(seat)),
        Step::Deal => None,
    };
    // Without their owners: there is little room beside the score.
    let names = shown.names.clone();
    PreEscaped(moment.table.svg(&Options { names, last, ..Options::default() }))
}

/// The links from a step.
#[derive(Clone, Copy)]
enum Way {
    First,
    Previous,
    Next,
    Last,
}

impl Way {
    /// The step that it leads to, if there is one.
    fn from(self, step: usize, last: usize) -> Option<usize> {
        match self {
            Self::First => (step > 1).then_some(1),
            Self::Previous => (step > 1).then(|| step - 1),
            Self::Next => (step < last).then_some(step + 1),
            Self::Last => (step < last).then_some(last),
        }
    }

    const fn rel(self) -> Option<&'static str> {
        match self {
            Self::Previous => Some("prev"),
            Self::Next => Some("next"),
            Self::First | Self::Last => None,
        }
    }

    fn label(self) -> Markup {
        let sign = |sign: &str| html! { span.sign aria-hidden="true" { (sign) } };
        let name = |name: &str| html! { span.name { (name) } };
        html! {
            @match self {
                Self::First => { (sign("«")) (name("First")) }
                Self::Previous => { (sign("‹")) (name("Previous")) }
                Self::Next => { (name("Next")) (sign("›")) }
                Self::Last => { (name("Last")) (sign("»")) }
            }
        }
    }
}

fn steps(shown: &Shown) -> Markup {
    let (step, last) = (shown.step, shown.moments.len());
    // Plain text where there is no such step.
    let link = |way: Way| {
        html! {
            @match way.from(step, last) {
                Some(to) => a href=(shown.address(to)) rel=[way.rel()] { (way.label()) },
                None => span.off aria-disabled="true" { (way.label()) },
            }
        }
    };
    html! {
        nav.steps aria-label="Steps" {
            (link(Way::First)) (link(Way::Previous))
            span.where { "Step " b { (step) } " of " (last) }
            (link(Way::Next)) (link(Way::Last))
        }
    }
}
