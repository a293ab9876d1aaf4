//! A match in one line: a running one from the arena's view, a finished one from its stored summary.

use std::sync::Arc;

use azulejo_arena::match_run::{Match, Phase};
use azulejo_arena::names::MatchId;
use azulejo_arena::record::SeatEnd;
use azulejo_arena::store::SavedMatch;
use azulejo_arena::time::{Time, Wall};
use maud::{Markup, html};

use crate::{describe, when};

/// A match, and when it ended.
#[derive(Clone, Debug)]
pub(crate) struct MatchLine {
    run: Arc<Match>,
    ended: Option<Wall>,
}

impl MatchLine {
    pub(crate) fn id(&self) -> &MatchId {
        &self.run.spec().id
    }

    pub(crate) const fn running(run: Arc<Match>) -> Self {
        Self { run, ended: None }
    }

    /// None if the stored match is corrupt.
    pub(crate) fn finished(saved: &SavedMatch) -> Option<Self> {
        // Matches of older versions have no summary.
        let run = Match::summarised(saved)
            .or_else(|| Match::replay(saved, Time::default()).ok())
            .map(Arc::new)?;
        Some(Self { run, ended: saved.ended })
    }

    pub(crate) const fn ended(&self) -> Option<Wall> {
        self.ended
    }

    fn markup(&self, now: Wall) -> Markup {
        let spec = self.run.spec();
        let ends: &[SeatEnd] = if let Phase::Ended(ends) = self.run.phase() { ends } else { &[] };
        html! {
            li.match {
                a.players href=(format!("/match/{}", spec.id)) {
                    @for (index, seat) in spec.seats.iter().enumerate() {
                        @let end = ends.get(index);
                        @let won = end.is_some_and(|end| end.placement == 1);
                        @if index > 0 { span.versus { " – " } }
                        span.player.won[won] {
                            @if self.run.hides_seats() {
                                span.bot.soft { "a bot" }
                            } @else {
                                span.bot { (seat.name()) }
                            }
                            @if let Some(end) = end { " " b.points { (end.total) } }
                            @if won { span.hidden { " (won)" } }
                        }
                    }
                }
                p.about {
                    (self.state(now)) " · " (describe::pool(spec.pool))
                    @if self.run.unrated_reason().is_some() && !ends.is_empty() { " · unrated" }
                }
            }
        }
    }

    fn state(&self, now: Wall) -> Markup {
        let spec = self.run.spec();
        html! {
            @match self.run.phase() {
                Phase::Gathering { .. } => { span.live { "waiting for the bots" } }
                Phase::Playing => { span.live { "turn " (self.run.turn() + 1) } }
                Phase::Voided { why, .. } => { "called off: " (why) }
                Phase::Ended(ends) => {
                    (when::ago(self.ended.unwrap_or(spec.called), now))
                    @for (seat, end) in spec.seats.iter().zip(ends) {
                        @if end.reason.is_forfeit() { " · " (seat.name()) " " (describe::ending(end.reason)) }
                    }
                }
            }
        }
    }
}

/// Lines of matches, or a sentence if there are none.
pub(crate) fn list(matches: &[MatchLine], now: Wall, none: &str) -> Markup {
    html! {
        @if matches.is_empty() {
            p.soft { (none) }
        } @else {
            ul.matches { @for found in matches { (found.markup(now)) } }
        }
    }
}
