//! The seats: bots, points, clocks and results.

use azulejo_arena::record::{Seat, SeatEnd};
use azulejo_engine::SeatScore;
use maud::{Markup, html};

use super::Shown;
use crate::{describe, when};

pub(super) fn table(shown: &Shown) -> Markup {
    let ends = shown.run.ends();
    let scores = shown.run.table().map(|table| table.score().seats).unwrap_or_default();
    html! {
        table.seats {
            caption.hidden { @if ends.is_empty() { "Seats" } @else { "Result" } }
            thead { tr {
                @if !ends.is_empty() { th scope="col" { "Place" } }
                th scope="col" { "Bot" }
                th.number scope="col" { "Points" }
                th.wide scope="col" { "Breakdown" }
                th.number scope="col" { "Clock" }
                @if !ends.is_empty() { th.wide scope="col" { "How it ended" } }
            } }
            tbody {
                @for seat in 0..shown.names.len() {
                    (row(shown, seat, ends.get(seat), scores.get(seat)))
                }
            }
        }
    }
}

fn row(shown: &Shown, seat: usize, end: Option<&SeatEnd>, score: Option<&SeatScore>) -> Markup {
    let last = shown.moments.last();
    let due = shown.run.due() == Some(seat);
    html! {
        tr.won[end.is_some_and(|end| end.placement == 1)] {
            @if let Some(end) = end { td.place { (describe::place(end.placement)) } }
            th.bot scope="row" {
                @if shown.run.hides_seats() {
                    span.soft { "named when all are ready" }
                } @else {
                    (bot(&shown.saved.spec.seats[seat]))
                }
                @if shown.run.is_house(seat) { " " span.tag { "played by the server" } }
                @if due { " " span.live { "to move" } }
                @if let Some(end) = end { " " span.narrow.soft { (describe::ending(end.reason)) } }
            }
            td.number { @if let Some(score) = score { b { (score.total) } } @else { "–" } }
            td.wide.soft { @if let Some(score) = score { (made_of(score)) } }
            td.number.clock {
                @match last.and_then(|moment| moment.clocks.get(seat)) {
                    Some(left) => (when::seconds(*left)),
                    None => "–",
                }
            }
            @if let Some(end) = end { td.wide { (describe::ending(end.reason)) } }
        }
    }
}

fn bot(seat: &Seat) -> Markup {
    html! {
        @match seat {
            Seat::Remote(player) => {
                a href=(format!("/bot/{}", player.bot)) { (describe::breakable(player.bot.as_str())) }
                " " span.soft { (player.version) }
            }
            Seat::House(_) => (seat.name()),
        }
    }
}

/// "41 on the board, 13 bonus".
fn made_of(score: &SeatScore) -> String {
    let bonus = if score.bonus > 0 { format!(", {} bonus", score.bonus) } else { String::new() };
    let lost = match score.lost {
        0 => String::new(),
        lost => format!(", {lost} lost for tiles left"),
    };
    format!("{} on the board{bonus}{lost}", score.points)
}
