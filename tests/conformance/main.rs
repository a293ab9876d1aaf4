//! Random games, every position of them checked: both games, both sides, two to four players.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::wildcard_enum_match_arm, reason = "tests look at the events that they need")]

mod effects_azul;
mod effects_by_hand;
mod effects_pavilion;
mod finished;
mod position;
mod statistics;

use std::collections::BTreeMap;

use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Observed, Playable, Style, play_game};
use rstest::rstest;

/// Games of each ruleset and player count.
const GAMES: u64 = 2_000;

/// Games of each ruleset and player count in which every position is observed.
const GAMES_OBSERVED: u64 = 200;

/// Games of each ruleset and player count in which every legal move is tried.
const GAMES_WITH_ALL_MOVES: u64 = 200;

/// Seeds that failed once are always played first: (seed, style).
const KEPT: [(u64, Style); 0] = [];

/// Plays the games of one ruleset and counts what they met.
fn play_all<G: Playable>(side: Side, players: PlayerCount) -> BTreeMap<Observed, u64> {
    let styles =
        Style::ALL.iter().filter(|&&style| style != Style::Scarce || players == PlayerCount::Four);
    let styles: Vec<Style> = styles.copied().collect();
    let fresh = (0..GAMES).zip(styles.iter().copied().cycle());
    let mut seen = BTreeMap::new();
    for (seed, style) in KEPT.into_iter().chain(fresh) {
        let game = format!("{} {side} {players:?} {style:?} seed {seed}", G::NAME);
        let finished = play_game::<G>(side, players, style, seed, |place, random| {
            position::check(place, random, &game);
            if seed < GAMES_OBSERVED {
                position::check_observation(place, random, &game);
            }
        });
        position::check_replay(&finished, style, &game);
        for event in finished.seen {
            *seen.entry(event).or_insert(0) += 1;
        }
    }
    eprintln!("{} {side} {players:?}: {GAMES} games, seeds 0 to {}: {seen:?}", G::NAME, GAMES - 1);
    seen
}

/// Plays games and shows every legal move of every position, with the name of the game.
fn for_every_legal_move<G: Playable>(
    side: Side,
    players: PlayerCount,
    check: impl Fn(&G, G::Move, &str),
) {
    let styles = [Style::Uniform, Style::Eager, Style::Dear, Style::Monochrome];
    let mut moves = 0;
    for (seed, style) in (0..GAMES_WITH_ALL_MOVES).zip(styles.into_iter().cycle()) {
        let game = format!("{} {side} {players:?} {style:?} seed {seed}", G::NAME);
        play_game::<G>(side, players, style, seed, |position, _| {
            for action in position.moves() {
                check(position, action, &game);
                moves += 1;
            }
        });
    }
    eprintln!("{} {side} {players:?}: {GAMES_WITH_ALL_MOVES} games, {moves} moves", G::NAME);
    assert!(moves > 1_000 * GAMES_WITH_ALL_MOVES, "only {moves} moves");
}

fn must_have_met(seen: &BTreeMap<Observed, u64>, wanted: &[Observed]) {
    for event in wanted {
        assert!(seen.contains_key(event), "{event:?} never came: {seen:?}");
    }
}

#[rstest]
fn every_position_of_random_azul_games_obeys_the_rules(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    let seen = play_all::<azul::Position>(side, players);

    must_have_met(&seen, &[Observed::MarkerNotTaken, Observed::SharedVictory]);
    if players != PlayerCount::Two {
        must_have_met(&seen, &[Observed::TippedInTheMiddle]);
    }
    if players == PlayerCount::Four {
        must_have_met(&seen, &[Observed::ShortDeal]);
    }
    if side == Side::Gray {
        must_have_met(&seen, &[Observed::GraySpecialCase]);
    }
}

#[rstest]
fn every_position_of_random_summer_pavilion_games_obeys_the_rules(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    let seen = play_all::<pavilion::Position>(side, players);

    must_have_met(&seen, &[Observed::MarkerNotTaken, Observed::SharedVictory]);
    must_have_met(&seen, &[Observed::BonusOfThree, Observed::TippedInTheMiddle]);
    if players == PlayerCount::Four {
        must_have_met(&seen, &[Observed::ShortDeal, Observed::ShortSupply]);
    }
}
