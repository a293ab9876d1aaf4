//! The choice of a pool: one line per game and time class, with links by side and player count.

use azulejo_arena::pool::{Pool, TimeClass};
use azulejo_arena::view::PoolView;
use azulejo_engine::Side;
use maud::{Markup, html};

use crate::describe;

/// The pools of one game and time class.
struct Line {
    game: String,
    class: TimeClass,
    pools: Vec<PoolView>,
}

fn lines(pools: &[PoolView]) -> Vec<Line> {
    let mut sorted = pools.to_vec();
    sorted.sort_by_key(|played| {
        let Pool { ruleset, time_class } = played.pool;
        (time_class, describe::game(ruleset), ruleset.side() == Side::Gray, played.pool.players())
    });
    let mut lines: Vec<Line> = Vec::new();
    for played in sorted {
        let (game, class) = (describe::game(played.pool.ruleset), played.pool.time_class);
        match lines.last_mut().filter(|line| line.game == game && line.class == class) {
            Some(line) => line.pools.push(played),
            None => lines.push(Line { game, class, pools: vec![played] }),
        }
    }
    lines
}

pub(super) fn chooser(pools: &[PoolView], chosen: Pool) -> Markup {
    html! {
        nav.pools aria-label="Pools" {
            @for line in lines(pools) {
                div.pool-line {
                    span.pool-game { (line.game) " " span.soft { (describe::class(line.class)) } }
                    @for (side, name) in [(Side::Colored, "colored"), (Side::Gray, "gray")] {
                        (tables(&line, side, name, chosen))
                    }
                }
            }
        }
    }
}

fn tables(line: &Line, side: Side, name: &str, chosen: Pool) -> Markup {
    let of_side = |played: &&PoolView| played.pool.ruleset.side() == side;
    let pools: Vec<&PoolView> = line.pools.iter().filter(of_side).collect();
    html! {
        @if !pools.is_empty() {
            span.pool-side {
                span.soft { (name) }
                @for PoolView { pool, games, .. } in pools {
                    @let label = format!("{}: {}", describe::pool(*pool), describe::several(*games, "game"));
                    a href=(format!("/?pool={pool}")) title=(label) aria-label=(label)
                        aria-current=[(*pool == chosen).then_some("page")] { (pool.players()) }
                }
            }
        }
    }
}
