//! The table of a pool.

use azulejo_wire::served::arena as pb;
use maud::{Markup, html};

use crate::words;

/// How wide the drawn interval is.
const WIDTH: f64 = 120.0;

/// The lowest and the highest rating that the table has to show.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

fn ends(rating: pb::Rating) -> (f64, f64) {
    let two = 2.0 * rating.deviation;
    (rating.rating - two, rating.rating + two)
}

impl Scale {
    fn of(entries: &[pb::LadderEntry]) -> Self {
        let ratings = entries.iter().filter_map(|entry| entry.rating).map(ends);
        let (low, high) = ratings
            .fold((f64::MAX, f64::MIN), |(low, high), (from, to)| (low.min(from), high.max(to)));
        Self { low, high: high.max(low + 1.0) }
    }

    fn at(self, rating: f64) -> String {
        format!("{:.1}", 4.0 + (WIDTH - 8.0) * (rating - self.low) / (self.high - self.low))
    }
}

pub(super) fn table(entries: &[pb::LadderEntry]) -> Markup {
    let scale = Scale::of(entries);
    html! {
        @if entries.is_empty() {
            p.soft { "Nobody has a rating in this pool yet." }
        } @else {
            table.ladder {
                caption.hidden { "Bots by rating less two deviations, the best first" }
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

fn row(entry: &pb::LadderEntry, scale: Scale) -> Markup {
    let rating = entry.rating.unwrap_or_default();
    let wins = 100.0 * entry.wins / f64::from(rating.games.max(1));
    let around = format!("±{:.0}", 2.0 * rating.deviation);
    html! {
        tr {
            td.number.rank { (entry.rank) }
            th.bot scope="row" {
                a href=(format!("/bot/{}", entry.bot)) { (words::breakable(&entry.bot)) }
                @if entry.house { " " span.tag title="a bot of the house: an anchor of the ladder" { "house" } }
                 " " span.narrow.soft { (entry.version) }
            }
            td.wide.soft { (entry.version) }
            td.number.rating { b { (format!("{:.0}", rating.rating)) } span.narrow.soft { (around) } }
            td.number.wide.soft { (around) }
            td.wide { (interval(rating, scale)) }
            td.number { (rating.games) }
            td.number { (format!("{wins:.0}%")) }
            td.number { (entry.forfeits) }
        }
    }
}

/// Where the rating very likely is; the numbers beside it say the same.
fn interval(rating: pb::Rating, scale: Scale) -> Markup {
    let (low, high) = ends(rating);
    html! {
        svg.interval viewBox=(format!("0 0 {WIDTH} 12")) width=(WIDTH) height="12" aria-hidden="true" {
            line x1=(scale.at(low)) x2=(scale.at(high)) y1="6" y2="6" {}
            circle cx=(scale.at(rating.rating)) cy="6" r="3.5" {}
        }
    }
}
