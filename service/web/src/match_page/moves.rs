//! All steps as sentences, grouped by round.

use maud::{Markup, html};

use super::Shown;
use crate::replay::{Moment, Step};
use crate::when;

/// The steps of one round, and the number of the first.
struct Round<'a> {
    number: u8,
    first: usize,
    moments: &'a [Moment],
}

/// A deal opens a round; the move that ends a round still belongs to it.
fn rounds(moments: &[Moment]) -> Vec<Round<'_>> {
    let mut rounds: Vec<Round<'_>> = Vec::new();
    let mut begin = 0;
    for index in 0..moments.len() {
        let is_last = index + 1 == moments.len();
        let opens_next = moments.get(index + 1).is_some_and(|next| {
            matches!(next.step, Step::Deal) && next.table.round() != moments[begin].table.round()
        });
        if opens_next || is_last {
            let number = moments[begin].table.round();
            rounds.push(Round { number, first: begin + 1, moments: &moments[begin..=index] });
            begin = index + 1;
        }
    }
    rounds
}

pub(super) fn section(shown: &Shown) -> Markup {
    html! {
        @if !shown.moments.is_empty() {
            section.moves aria-labelledby="moves-title" {
                h2 id="moves-title" { "Moves" }
                @for round in rounds(&shown.moments) { (of_round(shown, &round)) }
            }
        }
    }
}

/// The round of the shown step is expanded, the others are collapsed.
fn of_round(shown: &Shown, round: &Round<'_>) -> Markup {
    let last = round.first + round.moments.len();
    html! {
        details open[(round.first..last).contains(&shown.step)] {
            summary {
                "Round " (round.number)
                span.soft { " · steps " (round.first) " to " (last - 1) }
            }
            ol {
                @for (step, group) in lines(round) { (item(shown, step, group)) }
            }
        }
    }
}

/// One line per move, and one for all displays that are filled together; each links to its last
/// step.
fn lines<'a>(round: &Round<'a>) -> Vec<(usize, &'a [Moment])> {
    let together = |a: &Moment, b: &Moment| {
        matches!((a.step, b.step), (Step::Deal, Step::Deal)) && a.notes.is_empty()
    };
    let mut step = round.first - 1;
    let line = |group: &'a [Moment]| {
        step += group.len();
        (step, group)
    };
    round.moments.chunk_by(together).map(line).collect()
}

fn item(shown: &Shown, step: usize, group: &[Moment]) -> Markup {
    let Some(moment) = group.last() else { return html! {} };
    let seat = match moment.step {
        Step::Move { seat, .. } => format!("seat-{}", seat.index() + 1),
        Step::Deal => "deal".to_owned(),
    };
    let is_shown = (step + 1 - group.len()..=step).contains(&shown.step);
    html! {
        li value=(step) {
            a.(seat) href=(shown.address(step)) aria-current=[is_shown.then_some("step")] {
                @match (moment.step, group.len()) {
                    (Step::Deal, displays) if displays > 1 => { (displays) " displays are filled" },
                    _ => (moment.step.sentence(&shown.names)),
                }
                @if let Step::Move { cost, .. } = moment.step {
                    " " span.cost { @match cost {
                        Some(cost) => (when::seconds(cost)),
                        None => "the house",
                    } }
                }
            }
            @for note in &moment.notes { p.note { (note) } }
        }
    }
}
