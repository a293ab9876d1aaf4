//! The choice of a pool: a line for each game and clock, in it the sides with their tables.

use azulejo_arena::pool::{Pool, TimeClass};
use azulejo_engine::Side;
use maud::{Markup, html};

use crate::site::Played;
use crate::words;

/// Pools of one game with one clock.
struct Line {
    game: String,
    class: TimeClass,
    pools: Vec<Played>,
}

fn lines(pools: &[Played]) -> Vec<Line> {
    let mut sorted = pools.to_vec();
    sorted.sort_by_key(|played| {
        let Pool { ruleset, time_class } = played.pool;
        (time_class, words::game(ruleset), ruleset.side() == Side::Gray, played.pool.players())
    });
    let mut lines: Vec<Line> = Vec::new();
    for played in sorted {
        let (game, class) = (words::game(played.pool.ruleset), played.pool.time_class);
        match lines.last_mut().filter(|line| line.game == game && line.class == class) {
            Some(line) => line.pools.push(played),
            None => lines.push(Line { game, class, pools: vec![played] }),
        }
    }
    lines
}

pub(super) fn chooser(pools: &[Played], chosen: Pool) -> Markup {
    html! {
        nav.pools aria-label="Pools" {
            @for line in lines(pools) {
                div.pool-line {
                    span.pool-game { (line.game) " " span.soft { (words::class(line.class)) } }
                    @for (side, name) in [(Side::Colored, "colored"), (Side::Gray, "gray")] {
                        (tables(&line, side, name, chosen))
                    }
                }
            }
        }
    }
}

fn tables(line: &Line, side: Side, name: &str, chosen: Pool) -> Markup {
    let of_side = |played: &&Played| played.pool.ruleset.side() == side;
    let pools: Vec<&Played> = line.pools.iter().filter(of_side).collect();
    html! {
        @if !pools.is_empty() {
            span.pool-side {
                span.soft { (name) }
                @for Played { pool, games } in pools {
                    @let label = format!("{}: {}", words::pool(*pool), words::several(*games, "game"));
                    a href=(format!("/?pool={pool}")) title=(label) aria-label=(label)
                        aria-current=[(*pool == chosen).then_some("page")] { (pool.players()) }
                }
            }
        }
    }
}
