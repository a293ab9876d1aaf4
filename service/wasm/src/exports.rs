//! The exports: one line for each call. See the README for the conventions.

#![allow(unsafe_code, reason = "an exported name, and an imported function, count as unsafe")]

use crate::engine::call;

/// Exports calls of the engine.
macro_rules! exports {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) => $method:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $kind),*) -> i32 {
            call(|engine| engine.$method($($argument),*))
        }
    )*};
}

exports! {
    room(bytes: u32) => make_room;
    game_new(length: u32) => new_game;
    game_parse(length: u32) => parse_game;
    game_observed(length: u32, values: u32) => observed_game;
    game_state(length: u32, bytes: u32) => game_of_state;
    game_clone(game: u32) => clone_game;
    game_copy(game: u32, from: u32) => copy_game;
    game_free(game: u32) => free_game;
    game_status(game: u32) => status;
    game_ruleset(game: u32) => ruleset;
    game_round(game: u32) => round;
    game_legal(game: u32) => legal;
    game_mask(game: u32) => mask;
    game_apply(game: u32, action: u32) => apply;
    game_apply_text(game: u32, length: u32) => apply_text;
    game_action_text(game: u32, action: u32) => action_text;
    game_action_id(game: u32, length: u32) => action_id;
    game_outcomes(game: u32) => outcomes;
    game_deal(game: u32, length: u32) => deal;
    game_sample(game: u32, number: u64) => sample;
    game_returns(game: u32, length: u32) => returns;
    game_scores(game: u32) => scores;
    game_ranks(game: u32) => ranks;
    game_observe(game: u32, seat: u32) => observe;
    game_observe_scaled(game: u32, seat: u32) => observe_scaled;
    game_hash(game: u32) => hash;
    game_text(game: u32) => position_text;
    game_svg(game: u32) => svg;
    game_drawing(game: u32) => drawing;
    game_best_move(game: u32, length: u32, seed: u64) => best_move;
    game_play_out(game: u32, seed: u64) => play_out;
    game_playouts(game: u32, length: u32, games: u32, seed: u64) => playouts;
    batch_new(length: u32) => new_batch;
    batch_places(batch: u32) => batch_places;
    batch_step(batch: u32) => step;
    batch_reset(batch: u32, seed: u64) => reset_batch;
    batch_observe(batch: u32) => observe_batch;
    batch_sample(batch: u32) => sample_batch;
    batch_game(batch: u32, index: u32) => game_of_batch;
    batch_free(batch: u32) => free_batch;
    layout(length: u32) => layout;
    verify(length: u32) => verify;
}

/// Where the host finds what; see [`crate::Engine::place`].
#[unsafe(no_mangle)]
pub extern "C" fn place(which: u32) -> u32 {
    call(|engine| Ok(engine.place(which))).cast_unsigned()
}

/// The number of games and batches that were not freed.
#[unsafe(no_mangle)]
pub extern "C" fn living() -> i32 {
    call(|engine| Ok(engine.living()))
}

/// Writes the keys of all rulesets.
#[unsafe(no_mangle)]
pub extern "C" fn rulesets() -> i32 {
    call(|engine| Ok(engine.rulesets()))
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "azulejo")]
unsafe extern "C" {
    /// Milliseconds since a fixed moment.
    safe fn now() -> f64;
}

/// The host's clock.
#[cfg(target_family = "wasm")]
pub(crate) fn clock() -> std::time::Duration {
    std::time::Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}
