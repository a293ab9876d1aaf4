//! The ladder of a pool.

use azulejo_arena::rating::LiveRating;
use azulejo_arena::view::LadderLine;
use maud::{Markup, html};

use crate::describe;

/// Width of the drawn interval.
const WIDTH: f64 = 120.0;

/// The range of ratings that the table shows.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

fn ends(standing: &LiveRating) -> (f64, f64) {
    let two = 2.0 * standing.shown_deviation();
    (standing.shown() - two, standing.shown() + two)
}

impl Scale {
    fn of(entries: &[LadderLine]) -> Self {
        let ratings = entries.iter().map(|entry| ends(&entry.standing));
        let (low, high) = ratings
            .fold((f64::MAX, f64::MIN), |(low, high), (from, to)| (low.min(from), high.max(to)));
        Self { low, high: high.max(low + 1.0) }
    }

    fn at(self, rating: f64) -> String {
        format!("{:.1}", 4.0 + (WIDTH - 8.0) * (rating - self.low) / (self.high - self.low))
    }
}

pub(super) fn table(entries: &[LadderLine]) -> Markup {
    let scale = Scale::of(entries);
    html! {
        @if entries.is_empty() {
            p.soft { "No bot has a rating in this pool yet." }
        } @else {
            table.ladder {
                caption.hidden { "Bots by rating minus two deviations, best first" }
                thead { tr {
                    th.number scope="col" { abbr title="rank" { "#" } }
                    th scope="col" { "Bot" }
                    th.wide scope="col" { "Version" }
                    th.number scope="col" { "Rating" }
                    th.number.wide scope="col" { abbr title="two deviations" { "±" } }
                    th.wide scope="col" { span.hidden { "Interval" } }
                    th.number scope="col" { "Games" }
                    th.number scope="col" { "Wins" }
                    th.number scope="col" { abbr title="forfeited games" { "Forf." } }
                } }
                tbody { @for entry in entries { (row(entry, scale)) } }
            }
        }
    }
}

fn row(entry: &LadderLine, scale: Scale) -> Markup {
    let LadderLine { player, standing, .. } = entry;
    let wins = 100.0 * standing.wins / f64::from(standing.games.max(1));
    let around = format!("±{:.0}", 2.0 * standing.shown_deviation());
    html! {
        tr {
            td.number.rank { (entry.rank) }
            th.bot scope="row" {
                a href=(format!("/bot/{}", player.bot)) { (describe::breakable(player.bot.as_str())) }
                @if entry.house { " " span.tag title="a built-in bot: an anchor of the ladder" { "house" } }
                 " " span.narrow.soft { (player.version) }
            }
            td.wide.soft { (player.version) }
            td.number.rating { b { (format!("{:.0}", standing.shown())) } span.narrow.soft { (around) } }
            td.number.wide.soft { (around) }
            td.wide { (interval(standing, scale)) }
            td.number { (standing.games) }
            td.number { (format!("{wins:.0}%")) }
            td.number { (standing.forfeits) }
        }
    }
}

/// The rating with its interval, for the eye only: the numbers are in the cells beside it.
fn interval(standing: &LiveRating, scale: Scale) -> Markup {
    let (low, high) = ends(standing);
    html! {
        svg.interval viewBox=(format!("0 0 {WIDTH} 12")) width=(WIDTH) height="12" aria-hidden="true" {
            line x1=(scale.at(low)) x2=(scale.at(high)) y1="6" y2="6" {}
            circle cx=(scale.at(standing.shown())) cy="6" r="3.5" {}
        }
    }
}
