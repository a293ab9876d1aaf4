//! The official standings of a pool.

use azulejo_arena::desk::Fitted;
use azulejo_arena::standings::Line;
use maud::{Markup, html};

use crate::words;

/// Lines that a page shows.
const LINES: usize = 50;

pub(super) fn section(fitted: &Fitted) -> Markup {
    let standings = &fitted.standings;
    let groups = standings.lines.last().map_or(1, |line| line.group);
    html! {
        h3 id="official" { "Official standings" }
        p.about {
            "One fit over " (words::several(standings.games as u64, "result"))
            ", whatever their order; what a seat is worth is taken out ("
            (seats(&standings.seat_points)) " points by seat). "
            code { "azulejo ladder fit" } " gives the same from an export."
        }
        @if groups > 1 {
            p.soft { "Bots of different groups share no opponent: they cannot be compared." }
        }
        table.ladder.official {
            caption.hidden { "Bots by fitted rating, the best first" }
            thead { tr {
                th.number scope="col" { abbr title="rank" { "#" } }
                th scope="col" { "Bot" }
                th.number scope="col" { "Rating" }
                th.number scope="col" { abbr title="95 % of the time the rating is this near" { "±" } }
                th.number scope="col" { abbr title="chance that it is better than the next line" { "Better" } }
                th.number.wide scope="col" { abbr title="games of both that would tell it from the next line" { "To tell apart" } }
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
                a href=(format!("/bot/{bot}")) { (words::breakable(bot)) }
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
