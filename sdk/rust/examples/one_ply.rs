//! Looks one move ahead: plays the move with the best effect. The effects come with the legal moves,
//! so it needs neither the rules nor a call to the engine.

mod shared;

use azulejo_sdk::game::legal_move::Effect;
use azulejo_sdk::game::{AzulEffect, LegalMove, SummerPavilionEffect};
use azulejo_sdk::{Bot, Ended, Turn};

struct OnePly;

impl Bot for OnePly {
    fn choose(&self, turn: &Turn) -> u32 {
        let best = turn.legal_moves.iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        best.map_or(0, |legal| legal.action_id)
    }
}

/// The value of a move, in points.
fn value(legal: &LegalMove) -> f64 {
    match &legal.effect {
        Some(Effect::AzulEffect(effect)) => azul(effect),
        Some(Effect::SummerPavilionEffect(effect)) => summer_pavilion(effect),
        None => 0.0,
    }
}

/// Points on the wall, a little for every tile that fits, and nothing for tiles on the floor.
fn azul(effect: &AzulEffect) -> f64 {
    let line = f64::from(effect.tiles_to_line) / 4.0 + f64::from(u8::from(effect.completes_line));
    let lost = f64::from(effect.floor_penalty) + f64::from(effect.tiles_to_lid);
    f64::from(effect.wall_points) + line - lost
}

/// Points and tiles now, and wild tiles for later. A pass gains nothing, so it is last.
fn summer_pavilion(effect: &SummerPavilionEffect) -> f64 {
    let tiles = f64::from(effect.tiles_taken) / 2.0 + 2.0 * f64::from(effect.bonus_tiles);
    let spent = f64::from(effect.wilds_paid) / 2.0 + f64::from(effect.points_lost);
    f64::from(effect.points) + tiles - spent
}

#[tokio::main]
async fn main() -> Result<(), Ended> {
    shared::play(OnePly).await
}
