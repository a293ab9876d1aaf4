//! All steps as sentences, by rounds.

use maud::{Markup, html};

use super::Shown;
use crate::replay::{Moment, Step};
use crate::when;

/// Steps of one round, with the number of the first.
struct Round<'a> {
    number: u8,
    first: usize,
    moments: Vec<&'a Moment>,
}

/// A deal opens the round that it is for; the move that ends a round belongs to it.
fn rounds(moments: &[Moment]) -> Vec<Round<'_>> {
    let mut rounds: Vec<Round<'_>> = Vec::new();
    let mut number = 0;
    for (index, moment) in moments.iter().enumerate() {
        let opens = matches!(moment.step, Step::Deal { .. }) && moment.table.round() != number;
        if opens || rounds.is_empty() {
            number = moment.table.round();
            rounds.push(Round { number, first: index + 1, moments: Vec::new() });
        }
        if let Some(round) = rounds.last_mut() {
            round.moments.push(moment);
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

/// The round that is looked at is open, the others open at a click.
fn of_round(shown: &Shown, round: &Round<'_>) -> Markup {
    let last = round.first + round.moments.len();
    html! {
        details open[(round.first..last).contains(&shown.step)] {
            summary {
                "Round " (round.number)
                span.soft { " · steps " (round.first) " to " (last - 1) }
            }
            ol start=(round.first) {
                @for (step, moment) in (round.first..).zip(&round.moments) {
                    (item(shown, step, moment))
                }
            }
        }
    }
}

fn item(shown: &Shown, step: usize, moment: &Moment) -> Markup {
    let seat = match moment.step {
        Step::Move { seat, .. } => format!("seat-{}", seat.index() + 1),
        Step::Deal { .. } => "deal".to_owned(),
        Step::Forfeit { .. } => "forfeit".to_owned(),
    };
    html! {
        li {
            a.(seat) href=(shown.address(step)) aria-current=[(step == shown.step).then_some("step")] {
                (moment.step.sentence(&shown.names))
                @if let Step::Move { cost, .. } = moment.step {
                    " " span.cost { @match cost {
                        Some(cost) => (when::seconds(cost)),
                        None => "the house",
                    } }
                }
            }
        }
    }
}
