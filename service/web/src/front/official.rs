//! The official standings of a pool.

use azulejo_arena::arena_loop::Fitted;
use azulejo_arena::standings::Line;
use maud::{Markup, html};

use crate::describe;

/// Rows that a page shows.
const LINES: usize = 50;

pub(super) fn section(fitted: &Fitted) -> Markup {
    let standings = &fitted.standings;
    let groups = standings.lines.last().map_or(1, |line| line.group);
    html! {
        h3 id="official" { "Official standings" }
        p.about {
            "Computed from all " (describe::several(standings.games as u64, "result"))
            "; order does not matter. Adjusted for seat advantage ("
            (seats(&standings.seat_points)) " points by seat). Recompute it from an export with "
            code { "azulejo ladder fit" } "."
        }
        @if groups > 1 {
            p.soft { "Bots of different groups have no common opponents: their ratings cannot be compared." }
        }
        table.ladder.official {
            caption.hidden { "Bots by fitted rating, best first" }
            thead { tr {
                th.number scope="col" { abbr title="rank" { "#" } }
                th scope="col" { "Bot" }
                th.number scope="col" { "Rating" }
                th.number scope="col" { abbr title="95 % confidence interval" { "±" } }
                th.number scope="col" { abbr title="probability that it is stronger than the next bot" { "Better" } }
                th.number.wide scope="col" { abbr title="games that both would need for a significant difference" { "Games needed" } }
                th.number scope="col" { "Games" }
                @if groups > 1 { th.number scope="col" { "Group" } }
            } }
            tbody {
                @for (rank, line) in (1..).zip(standings.lines.iter().take(LINES)) {
                    (row(rank, line, groups > 1))
                }
            }
        }
    }
}

fn row(rank: usize, line: &Line, grouped: bool) -> Markup {
    let bot = line.player.bot.as_str();
    let better = line.better_than_next.map_or_else(String::new, |c| format!("{:.0}%", 100.0 * c));
    html! {
        tr {
            td.number.rank { (rank) }
            th.bot scope="row" {
                a href=(format!("/bot/{bot}")) { (describe::breakable(bot)) }
                @if line.player.bot.is_house() { " " span.tag { "house" } }
                " " span.soft { (line.player.version) }
            }
            td.number.rating { b { (format!("{:.0}", line.rating)) } }
            td.number.soft { (format!("±{:.0}", line.plus_minus)) }
            td.number { (better) }
            td.number.wide.soft { (line.apart()) }
            td.number { (line.games) }
            @if grouped { td.number { (line.group) } }
        }
    }
}

fn seats(points: &[f64]) -> String {
    let signed: Vec<String> = points.iter().map(|points| format!("{points:+.0}")).collect();
    signed.join(", ")
}
