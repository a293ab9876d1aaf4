//! The ladder of a pool: its official standings.

use azulejo_arena::standings::{Line, Standings};
use azulejo_arena::view::Achieved;
use maud::{Markup, html};

use crate::describe;

/// Rows that a page shows.
const ROWS: usize = 50;
/// Width of the drawn interval.
const WIDTH: f64 = 120.0;

/// A row: a line of the standings, and what the version has achieved.
type Row<'a> = (&'a Line, Achieved);

/// The range of ratings that the table shows.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rows: &[Row<'_>]) -> Self {
        let ends = rows.iter().map(|(line, _)| ends(line));
        let (low, high) = ends
            .fold((f64::MAX, f64::MIN), |(low, high), (from, to)| (low.min(from), high.max(to)));
        Self { low, high: high.max(low + 1.0) }
    }

    fn at(self, rating: f64) -> String {
        format!("{:.1}", 4.0 + (WIDTH - 8.0) * (rating - self.low) / (self.high - self.low))
    }
}

fn ends(line: &Line) -> (f64, f64) {
    (line.rating - line.plus_minus, line.rating + line.plus_minus)
}

pub(super) fn table(standings: &Standings, achieved: impl Fn(&Line) -> Achieved) -> Markup {
    let shown = standings.lines.iter().take(ROWS);
    let rows: Vec<Row<'_>> = shown.map(|line| (line, achieved(line))).collect();
    let scale = Scale::of(&rows);
    let groups = standings.lines.iter().any(|line| line.group > 1);
    html! {
        table.ladder {
            caption.hidden { "Bots by official rating, best first" }
            (headings(groups))
            tbody { @for row in &rows { (table_row(row, scale, groups)) } }
        }
        (legend(standings, groups))
    }
}

fn headings(groups: bool) -> Markup {
    html! {
        thead { tr {
            th.number scope="col" { abbr title="rank" { "#" } }
            th scope="col" { "Bot" }
            th.wide scope="col" { "Version" }
            th.number scope="col" { "Rating" }
            th.number.wide scope="col" { abbr title="95 % confidence interval" { "±" } }
            th.wide scope="col" { span.hidden { "Interval" } }
            th.number.wide scope="col" { abbr title="probability that it is stronger than the next bot" { "Better" } }
            th.number.wide scope="col" { abbr title="games that both would need for a significant difference to the next bot" { "Games needed" } }
            th.number scope="col" { "Games" }
            th.number scope="col" { "Wins" }
            th.number scope="col" { abbr title="forfeited games" { "Forf." } }
            @if groups { th.number scope="col" { "Group" } }
        } }
    }
}

fn table_row((line, achieved): &Row<'_>, scale: Scale, groups: bool) -> Markup {
    let bot = line.player.bot.as_str();
    let around = format!("±{:.0}", line.plus_minus);
    let better = line.better_than_next.map_or_else(String::new, |c| format!("{:.0}%", 100.0 * c));
    let wins = 100.0 * achieved.wins / f64::from(line.games.max(1));
    html! {
        tr.provisional[line.provisional] {
            td.number.rank {
                @match line.rank {
                    Some(rank) => { (rank) }
                    None => { abbr title="provisional" { "?" } }
                }
            }
            th.bot scope="row" {
                a href=(format!("/bot/{bot}")) { (describe::breakable(bot)) }
                @if line.player.bot.is_house() { " " span.tag title="a built-in bot: an anchor of the ladder" { "house" } }
                 " " span.narrow.soft { (line.player.version) }
            }
            td.wide.soft { (line.player.version) }
            td.number.rating { b { (format!("{:.0}", line.rating)) } span.narrow.soft { (around) } }
            td.number.wide.soft { (around) }
            td.wide { (interval(line, scale)) }
            td.number.wide { (better) }
            td.number.wide.soft { (line.apart()) }
            td.number { (line.games) }
            td.number { (format!("{:.0}%", wins.min(100.0))) }
            td.number { (achieved.forfeits) }
            @if groups { td.number { (line.group) } }
        }
    }
}

/// The rating with its interval, for the eye only: the numbers are in the cells beside it.
fn interval(line: &Line, scale: Scale) -> Markup {
    let (low, high) = ends(line);
    html! {
        svg.interval viewBox=(format!("0 0 {WIDTH} 12")) width=(WIDTH) height="12" aria-hidden="true" {
            line x1=(scale.at(low)) x2=(scale.at(high)) y1="6" y2="6" {}
            circle cx=(scale.at(line.rating)) cy="6" r="3.5" {}
        }
    }
}

fn legend(standings: &Standings, groups: bool) -> Markup {
    html! {
        @if standings.lines.iter().any(|line| line.provisional) {
            p.soft { "? provisional: not enough games for a rank." }
        }
        @if groups {
            p.soft { "Bots of different groups have no common opponents: their ratings cannot be compared." }
        }
        p.soft {
            "Official standings, computed from all " (describe::several(standings.games as u64, "result"))
            "; order does not matter. Adjusted for seat advantage ("
            (seats(&standings.seat_points)) " points by seat). Recompute them from an export with "
            code { "azulejo ladder fit" } "."
        }
    }
}

fn seats(points: &[f64]) -> String {
    let signed: Vec<String> = points.iter().map(|points| format!("{points:+.0}")).collect();
    signed.join(", ")
}
