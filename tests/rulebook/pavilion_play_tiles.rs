//! Summer Pavilion: "Phase 2: play tiles and score". The wild color of round 1 is purple.

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::pavilion::{Color, IllegalMove, Move, Phase, Position, Space, Star};
use rstest::rstest;

use crate::pavilion_table::{Table, colored, play, points_for_tiles, refuse};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two)
}

/// Situation 41.
#[test]
fn one_tile_of_the_price_is_laid_and_the_others_go_to_the_tower() {
    let mut position = two().hand(Seat::First, "B7").position();

    play(&mut position, "B6:B6");

    let board = position.board(Seat::First);
    assert_eq!(board.points(), 5 + 1);
    assert_eq!(board.color_at(Star::Blue, Space::Six), Some(Color::Blue));
    assert_eq!(board.hand(), tiles("B"));
    assert_eq!(position.stock().discards, tiles("B5"));
    assert_eq!(position.to_move(), Some(Seat::Second));
}

/// Situations 42, 43, 44, 45. What is paid with: naturals stand in the move, the rest is purple.
#[rstest]
#[case::apart_from_the_others(Star::Red, "R....R", "R3", "R3:R3", 1, "R2")]
#[case::the_whole_group(Star::Blue, "...BB.", "B3P3", "B6:B3", 3, "B2P3")]
#[case::between_two(Star::Orange, "..O.O.", "OP3", "O4:O1", 3, "P3")]
#[case::of_the_wild_color(Star::Purple, "P.P...", "P2", "P2:P2", 3, "P")]
#[case::round_the_corner(Star::Blue, ".B...B", "B", "B1:B1", 3, "-")]
#[case::both_ways_round(Star::Blue, "BB.BB.", "B6", "B6:B6", 5, "B5")]
#[case::the_sixth_tile(Star::Blue, "BB.BBB", "B3", "B3:B3", 6, "B2")]
fn a_tile_scores_the_group_it_joins(
    #[case] star: Star,
    #[case] before: &str,
    #[case] hand: &str,
    #[case] action: &str,
    #[case] points: u16,
    #[case] tower: &str,
) {
    let table = two().star(Seat::First, star, before).hand(Seat::First, hand);
    let mut position = table.position();

    let events = play(&mut position, action);

    assert_eq!(points_for_tiles(&events), [points]);
    assert_eq!(position.board(Seat::First).points(), 5 + points);
    assert_eq!(position.board(Seat::First).hand(), tiles("-"));
    assert_eq!(position.stock().discards, tiles(tower));
}

/// Situation 46.
#[test]
fn wild_tiles_alone_pay_only_for_their_own_color() {
    let position = two().hand(Seat::First, "P3").position();

    let too_few = |color, price| IllegalMove::TooFewTiles { color, price };
    assert_eq!(refuse(&position, "G2:G1"), too_few(Color::Green, 2));
    for action in ["P3:P3", "C1:P1", "C2:P2", "C3:P3"] {
        assert_eq!(position.check(action.parse().unwrap()), Ok(()), "{action}");
    }
    assert_eq!(refuse(&position, "C4:P4"), too_few(Color::Purple, 4));
    // Purple 1, 2, 3, the center 1, 2, 3, and the pass.
    assert_eq!(position.legal_moves().len(), 7);
}

/// Situation 47.
#[test]
fn the_player_chooses_how_many_wild_tiles_to_pay() {
    let position = two().hand(Seat::First, "G2P3").position();

    let on_green_four = |action: &&Move| {
        matches!(action, Move::Place { star: Star::Green, space: Space::Four, .. })
    };
    let legal: Vec<String> =
        position.legal_moves().iter().filter(on_green_four).map(ToString::to_string).collect();

    assert_eq!(legal, ["G4:G1", "G4:G2"]);
    let refusal = IllegalMove::NaturalsOutOfRange { naturals: 3, least: 1, most: 2 };
    assert_eq!(refuse(&position, "G4:G3"), refusal);
    let none =
        Move::Place { star: Star::Green, space: Space::Four, color: Color::Green, naturals: 0 };
    let refusal = IllegalMove::NaturalsOutOfRange { naturals: 0, least: 1, most: 2 };
    assert_eq!(position.check(none), Err(refusal));
}

/// Situation 48.
#[test]
fn nothing_stands_in_for_the_wild_color() {
    let position = two().hand(Seat::First, "PG5").position();

    let refusal = IllegalMove::TooFewTiles { color: Color::Purple, price: 2 };
    assert_eq!(refuse(&position, "P2:P1"), refusal);
}

/// Situation 49.
#[test]
fn the_center_star_takes_each_color_once() {
    let position =
        two().star(Seat::First, Star::Center, "...R..").hand(Seat::First, "R6").position();

    let refusal = IllegalMove::ColorNotTaken { star: Star::Center, color: Color::Red };
    for action in ["C1:R1", "C2:R2", "C3:R3", "C5:R5", "C6:R6"] {
        assert_eq!(refuse(&position, action), refusal, "{action}");
    }
}

#[test]
fn an_outer_star_takes_its_own_color_only() {
    let position = two().hand(Seat::First, "G6").position();

    let refusal = IllegalMove::ColorNotTaken { star: Star::Red, color: Color::Green };
    assert_eq!(refuse(&position, "R1:G1"), refusal);
}

#[test]
fn a_covered_space_takes_no_second_tile() {
    let table = two().star(Seat::First, Star::Red, "R.....").hand(Seat::First, "R2");

    let refusal = IllegalMove::SpaceCovered { star: Star::Red, space: Space::One };
    assert_eq!(refuse(&table.position(), "R1:R1"), refusal);
}

#[test]
fn the_natural_tile_is_the_one_laid() {
    let mut position = two().hand(Seat::First, "GP3").position();

    play(&mut position, "C4:G1");

    let board = position.board(Seat::First);
    assert_eq!(board.color_at(Star::Center, Space::Four), Some(Color::Green));
    assert_eq!(position.stock().discards, tiles("P3"));
}

#[test]
fn the_holder_of_this_rounds_token_plays_first() {
    let mut position = colored(PlayerCount::Three)
        .phase(Phase::Acquire)
        .turn(Seat::Second)
        .token(Seat::Third)
        .center("G")
        .position();

    play(&mut position, "cG");

    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Third)));
}

#[rstest]
#[case::a_take("cG", IllegalMove::NotAcquiring)]
#[case::a_bonus("+O", IllegalMove::NoBonusDue)]
#[case::a_choice_of_tiles_to_keep("=G4", IllegalMove::NotKeeping)]
fn phase_2_is_for_placing_and_passing(#[case] action: &str, #[case] refusal: IllegalMove) {
    let position: Position = two().hand(Seat::First, "G6").position();

    assert_eq!(refuse(&position, action), refusal);
}
