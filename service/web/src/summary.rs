//! A match in a line, as it lies in the store: nothing is replayed for it.

use azulejo_arena::moment::Wall;
use azulejo_arena::record::{Event, SeatEnd};
use azulejo_arena::store::SavedMatch;
use maud::{Markup, html};

use crate::{when, words};

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage<'a> {
    Gathering,
    Playing,
    Ended(&'a [SeatEnd]),
    Voided(&'a str),
}

pub(crate) fn stage(saved: &SavedMatch) -> Stage<'_> {
    match saved.events.last() {
        Some(Event::Ended { seats, .. }) => Stage::Ended(seats),
        Some(Event::Voided { why, .. }) => Stage::Voided(why),
        Some(
            Event::Started { .. }
            | Event::Moved { .. }
            | Event::Refused(_)
            | Event::Forfeited { .. },
        ) => Stage::Playing,
        Some(Event::Ready { .. }) | None => Stage::Gathering,
    }
}

fn turns(saved: &SavedMatch) -> usize {
    saved.events.iter().filter(|event| matches!(event, Event::Moved { .. })).count()
}

/// The line of a match.
pub(crate) fn line(saved: &SavedMatch, now: Wall) -> Markup {
    let stage = stage(saved);
    let ends: &[SeatEnd] = if let Stage::Ended(ends) = stage { ends } else { &[] };
    html! {
        li.match {
            a.players href=(format!("/match/{}", saved.spec.id)) {
                @for (index, seat) in saved.spec.seats.iter().enumerate() {
                    @let end = ends.get(index);
                    @let won = end.is_some_and(|end| end.placement == 1);
                    @if index > 0 { span.versus { " – " } }
                    span.player.won[won] {
                        span.bot { (words::name(seat)) }
                        @if let Some(end) = end { " " b.points { (end.total) } }
                        @if won { span.hidden { " (won)" } }
                    }
                }
            }
            p.about {
                (state(saved, stage, now)) " · " (words::pool(saved.spec.pool))
                @if !saved.rated && matches!(stage, Stage::Ended(_)) { " · unrated" }
            }
        }
    }
}

fn state(saved: &SavedMatch, stage: Stage<'_>, now: Wall) -> Markup {
    html! {
        @match stage {
            Stage::Gathering => { span.live { "being called" } }
            Stage::Playing => { span.live { "turn " (turns(saved) + 1) } }
            Stage::Voided(why) => { "called off: " (why) }
            Stage::Ended(ends) => {
                (when::ago(saved.ended.unwrap_or(saved.spec.called), now))
                @for (seat, end) in saved.spec.seats.iter().zip(ends) {
                    @if end.reason.is_forfeit() { " · " (words::name(seat)) " " (words::ending(end.reason)) }
                }
            }
        }
    }
}

/// Lines of matches, or a sentence where there are none.
pub(crate) fn lines(matches: &[SavedMatch], now: Wall, none: &str) -> Markup {
    html! {
        @if matches.is_empty() {
            p.soft { (none) }
        } @else {
            ul.matches { @for saved in matches { (line(saved, now)) } }
        }
    }
}
