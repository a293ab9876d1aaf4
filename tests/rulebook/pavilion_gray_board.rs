//! Summer Pavilion: the gray side of the boards.
//!
//! Spaces keep the names that they have on the colored side; the outer ones cost 3, 2, 1, 4, 5, 6.

use azulejo_rules::parts::{PlayerCount, Seat, TileColor};
use azulejo_rules::pavilion::{Color, IllegalMove, Move, Phase, Space, Star};
use rstest::rstest;

use crate::pavilion_table::{Table, gray, play, points_for_tiles, refuse};
use crate::table::tiles;

fn two() -> Table {
    gray(PlayerCount::Two)
}

fn over() -> Table {
    two().round(6).phase(Phase::Over)
}

/// Situation 62.
#[rstest]
#[case::cost_3_lies_between_6_and_2(".B...B", "O1:B3", 3)]
#[case::cost_1_lies_apart_from_3_and_6("B....B", "O3:B1", 1)]
fn neighbors_are_the_neighbors_of_the_colored_side(
    #[case] before: &str,
    #[case] action: &str,
    #[case] points: u16,
) {
    let mut position =
        two().star(Seat::First, Star::Orange, before).hand(Seat::First, "B3").position();

    let events = play(&mut position, action);

    assert_eq!(points_for_tiles(&events), [points]);
}

/// Situation 63. The fifth space is free in each case; round 2, so green is wild.
#[rstest]
#[case::one_tile_decides_nothing("R.....", "ORBYGP")]
#[case::the_same_color_fixes_it("R..R..", "R")]
#[case::different_colors_stay_different("R..B..", "OYGP")]
#[case::five_colors_leave_the_sixth("ORBY.G", "P")]
fn the_second_tile_decides_what_a_gray_star_becomes(
    #[case] before: &str,
    #[case] colors: &str,
    #[values((Star::Orange, 5), (Star::Center, 3))] (star, price): (Star, u8),
) {
    for color in Color::ALL {
        let table = two().star(Seat::First, star, before);
        let hand = format!("{}{price}", color.letter());
        let position = table.round(2).hand(Seat::First, &hand).position();

        let place = Move::Place { star, space: Space::Five, color, naturals: price };
        let refusal = Err(IllegalMove::ColorNotTaken { star, color });
        let expected = if colors.contains(color.letter()) { Ok(()) } else { refusal };
        assert_eq!(position.check(place), expected, "{color}");
    }
}

/// Situation 63.
#[test]
fn a_refused_color_leaves_the_gray_star_as_it_was() {
    let position =
        two().star(Seat::First, Star::Red, "RB....").hand(Seat::First, "R2B2").position();

    let refusal = |color| IllegalMove::ColorNotTaken { star: Star::Red, color };
    assert_eq!(refuse(&position, "R3:R1"), refusal(Color::Red));
    assert_eq!(refuse(&position, "R3:B1"), refusal(Color::Blue));
}

/// Situation 64.
#[test]
fn a_gray_star_pays_for_what_was_built() {
    let position = over()
        .star(Seat::First, Star::Orange, "RRRRRR")
        .star(Seat::First, Star::Green, "RRRRRR")
        .star(Seat::First, Star::Red, "ORBYGP")
        .star(Seat::First, Star::Blue, "PGYBRO")
        .star(Seat::Second, Star::Center, "PPPPPP")
        .position();

    let [first, second] = [Seat::First, Seat::Second].map(|seat| position.seat_score(seat));

    assert_eq!(first.stars, [14, 12, 12, 0, 14, 0, 0]);
    assert_eq!(first.star_points(), 14 + 14 + 12 + 12);
    assert_eq!(second.stars, [0, 0, 0, 0, 0, 0, 20]);
}

/// Situation 65.
#[rstest]
#[case::outer_only("......", 0)]
#[case::with_five_of_the_center("PPPPP.", 0)]
#[case::with_the_whole_center("PPPPPP", 12)]
fn all_threes_of_the_gray_board_are_twelve_spaces(#[case] center: &str, #[case] bonus: u16) {
    let outer = Star::OUTER.into_iter();
    let table = outer.fold(over(), |table, star| table.star(Seat::First, star, "B....."));
    let table = table.star(Seat::First, Star::Center, center);

    let score = table.position().seat_score(Seat::First);

    assert_eq!(score.number_points(), bonus);
}

#[rstest]
#[case::ones("..B...", 4)]
#[case::twos(".B....", 8)]
#[case::fours("...B..", 16)]
#[case::fives("....B.", 0)]
fn other_numbers_of_the_gray_board_are_six_outer_spaces(#[case] each: &str, #[case] bonus: u16) {
    let outer = Star::OUTER.into_iter();
    let table = outer.fold(over(), |table, star| table.star(Seat::First, star, each));

    assert_eq!(table.position().seat_score(Seat::First).number_points(), bonus);
}

/// Situation 66.
#[rstest]
#[case::cost_3_of_the_left_star(".B....", "..GG..", "O1:B3")]
#[case::cost_2_of_the_left_star("B.....", "..GG..", "O2:B2")]
#[case::cost_1_of_the_right_star("BB....", "...G..", "R3:G1")]
#[case::cost_4_of_the_right_star("BB....", "..G...", "R4:G4")]
fn a_statue_of_the_gray_board_stands_between_3_and_2_and_1_and_4(
    #[case] upper_left: &str,
    #[case] upper_right: &str,
    #[case] last: &str,
) {
    let mut position = two()
        .star(Seat::First, Star::Orange, upper_left)
        .star(Seat::First, Star::Red, upper_right)
        .hand(Seat::First, "B3G4")
        .position();

    play(&mut position, last);

    assert_eq!(position.phase(), Phase::Bonus { due: 2 });
}

#[test]
fn a_color_may_fill_several_gray_stars() {
    let mut position = two()
        .star(Seat::First, Star::Orange, "RRR...")
        .star(Seat::First, Star::Blue, "RR....")
        .hand(Seat::First, "R")
        .position();

    let events = play(&mut position, "B3:R1");

    assert_eq!(points_for_tiles(&events), [3]);
}

#[test]
fn wild_tiles_pay_on_the_gray_side_as_on_the_colored() {
    let mut position = two().hand(Seat::First, "GP3").position();

    play(&mut position, "B4:G1");

    let board = position.board(Seat::First);
    assert_eq!(board.color_at(Star::Blue, Space::Four), Some(Color::Green));
    assert_eq!(position.stock().discards, tiles("P3"));
}
