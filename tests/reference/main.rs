//! The engine against a second one, which was written in Python from the rulebook alone: both must
//! offer the same moves, reach the same positions, deal the same tiles and count the same points.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod checker;
mod crafted;
mod scored;

use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Random, Style, play_game};

use checker::{Checker, Transcript};
use scored::Scored;

/// Games of each ruleset, player count and style.
const GAMES: u64 = 40;

const SIDES: [Side; 2] = [Side::Colored, Side::Gray];
const TABLES: [PlayerCount; 3] = [PlayerCount::Two, PlayerCount::Three, PlayerCount::Four];

/// Both sides with two to four players: six tables.
fn tables() -> impl Iterator<Item = (Side, PlayerCount)> {
    SIDES.into_iter().flat_map(|side| TABLES.map(|players| (side, players)))
}

/// Whole games in the styles of the other tests.
fn check_styles<G: Scored>() {
    let mut checker = Checker::start();
    for (side, players) in tables() {
        for style in Style::ALL {
            if style != Style::Scarce || players == PlayerCount::Four {
                let game = |seed| from_the_box::<G>(side, players, style, seed);
                (0..GAMES).map(game).for_each(|transcript| checker.check(&transcript));
            }
        }
    }
    checker.finish(GAMES);
}

fn from_the_box<G: Scored>(
    side: Side,
    players: PlayerCount,
    style: Style,
    seed: u64,
) -> Transcript {
    let mut transcript = Transcript::new(&format!("{side} {players:?} {style:?} seed {seed}"));
    let game = play_game::<G>(side, players, style, seed, |place, _| transcript.visit(place));
    if style != Style::Monochrome {
        transcript.dealt_by(seed);
    }
    if style != Style::Scarce {
        transcript.recorded(&game.last.record(game.start, game.steps.clone()));
    }
    transcript.steps(&game.steps);
    transcript.end(&game.last);
    transcript
}

fn from_there<G: Scored>(first: G, seed: u64, random: &mut Random) -> Transcript {
    let mut transcript = Transcript::new(&format!("crafted, seed {seed}: {first}"));
    let (mut position, mut steps) = (first, Vec::new());
    transcript.visit(&position);
    while !position.is_over() {
        if position.awaits_deal() {
            steps.push(G::deal_step(position.deal(&Seed::from_number(seed), &mut Vec::new())));
        } else {
            let action = random.pick(&position.moves());
            assert!(position.play(action, &mut Vec::new()), "offered and refused: {action}");
            steps.push(G::move_step(action));
        }
        transcript.visit(&position);
    }
    transcript.dealt_by(seed);
    transcript.steps(&steps);
    transcript.end(&position);
    transcript
}

/// Games of random moves from positions that play would seldom lead to.
fn check_crafted<G: Scored>(first: impl Fn(Side, PlayerCount, &mut Random) -> G) {
    let mut checker = Checker::start();
    for ((side, players), table) in tables().zip(0..) {
        for seed in table * GAMES..(table + 1) * GAMES {
            let mut random = Random::new(seed);
            let first = first(side, players, &mut random);
            checker.check(&from_there(first, seed, &mut random));
        }
    }
    checker.finish(6 * GAMES);
}

#[test]
fn an_independent_engine_agrees_on_every_move_and_every_score_of_azul() {
    check_styles::<azul::Position>();
}

#[test]
fn an_independent_engine_agrees_on_every_move_and_every_score_of_summer_pavilion() {
    check_styles::<pavilion::Position>();
}

#[test]
fn an_independent_engine_agrees_on_columns_colors_and_ties_of_azul() {
    check_crafted(crafted::full_walls);
}

#[test]
fn an_independent_engine_agrees_when_the_marker_comes_to_a_full_floor_line() {
    check_crafted(crafted::full_floors);
}

#[test]
fn an_independent_engine_agrees_when_the_last_tiles_are_used_up() {
    check_crafted(|side, _, random| crafted::last_tiles(side, random));
}

#[test]
fn an_independent_engine_agrees_when_the_round_limit_ends_the_game() {
    check_crafted(|side, players, random| {
        let round_limit = random.pick(&[1, 2, 3, 4, 5, 6, 7]);
        azul::Position::new(azul::Rules { side, players, round_limit }, Seat::First)
    });
}

#[test]
fn an_independent_engine_agrees_on_full_boards_of_summer_pavilion() {
    check_crafted(crafted::full_boards);
}
