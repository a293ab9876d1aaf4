//! Summer Pavilion: "Phase 1: acquire tiles". The wild color of round 1 is purple.

use azulejo_rules::parts::{Factory, PlayerCount, Seat, Source, Tiles};
use azulejo_rules::pavilion::{Color, Event, IllegalMove, Phase};
use rstest::rstest;

use crate::pavilion_table::{Table, colored, play, refuse};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two).phase(Phase::Acquire)
}

/// Situation 38.
#[test]
fn a_wild_tile_comes_along_with_all_tiles_of_the_color() {
    let mut position = two().factories("GP2Y").position();

    play(&mut position, "1G");

    assert_eq!(position.board(Seat::First).hand(), tiles("GP"));
    assert_eq!(position.center(), tiles("PY"));
    assert_eq!(position.factory(Factory::F1), Tiles::EMPTY);
    assert_eq!((position.token(), position.board(Seat::First).points()), (None, 5));
}

/// Situation 39.
#[test]
fn the_wild_color_itself_cannot_be_chosen_where_another_color_lies() {
    let position = two().factories("GP2Y").position();

    let place = Source::Factory(Factory::F1);
    assert_eq!(refuse(&position, "1P"), IllegalMove::WildNotAlone { place });
}

/// Situation 39.
#[test]
fn from_wild_tiles_alone_exactly_one_is_taken() {
    let mut position = two().factories("P4").position();

    play(&mut position, "1P");
    let center_after_the_factory = position.center();
    play(&mut position, "cP");

    assert_eq!(position.board(Seat::First).hand(), tiles("P"));
    assert_eq!(center_after_the_factory, tiles("P3"));
    assert_eq!(position.board(Seat::Second).hand(), tiles("P"));
    assert_eq!(position.center(), tiles("P2"));
}

/// Situation 40. The wild tile counts, the token does not, and the track has no space below 1.
#[rstest]
#[case::four_tiles(5, "Y3P2R", 1, 4)]
#[case::never_below_one(3, "Y4P2R", 1, 2)]
#[case::at_one_it_is_free(1, "Y3P2R", 1, 0)]
#[case::two_tiles(5, "YP2R", 3, 2)]
fn the_first_to_take_from_the_center_loses_a_point_for_each_tile(
    #[case] points: u16,
    #[case] center: &str,
    #[case] left: u16,
    #[case] lost: u16,
) {
    let mut position = two().points(Seat::First, points).center(center).position();

    let events = play(&mut position, "cY");

    assert_eq!(position.token(), Some(Seat::First));
    assert_eq!(position.board(Seat::First).points(), left);
    assert!(events.contains(&Event::TokenTaken { seat: Seat::First, lost }));
}

/// Situation 40.
#[test]
fn later_takers_from_the_center_lose_nothing() {
    let mut position = two().center("Y3PR2").position();

    play(&mut position, "cY cR");

    assert_eq!(position.token(), Some(Seat::First));
    assert_eq!(position.board(Seat::Second).points(), 5);
}

#[test]
fn last_rounds_wild_color_is_an_ordinary_color_again() {
    let mut position = two().round(2).factories("P2GY").position();

    play(&mut position, "1P");

    assert_eq!(position.board(Seat::First).hand(), tiles("P2G"));
    assert_eq!(position.center(), tiles("Y"));
}

#[test]
fn tiles_are_acquired_until_factories_and_center_are_empty() {
    let mut position = two().factories("G2R2").position();

    play(&mut position, "1G");
    assert_eq!((position.phase(), position.to_move()), (Phase::Acquire, Some(Seat::Second)));
    play(&mut position, "cR");

    assert_eq!(position.phase(), Phase::Play);
}

/// Other engines wait for the token forever.
#[test]
fn if_no_player_takes_the_token_the_start_player_begins_and_starts_again() {
    let mut position = two().start(Seat::Second).factories("G4 R4").position();

    play(&mut position, "1G 2R");
    assert_eq!((position.phase(), position.token()), (Phase::Play, None));
    assert_eq!(position.to_move(), Some(Seat::Second));
    play(&mut position, "pass pass");

    assert_eq!((position.round(), position.start()), (2, Seat::Second));
    let points = [Seat::First, Seat::Second].map(|seat| position.board(seat).points());
    assert_eq!(points, [5, 5]);
}

#[rstest]
#[case::a_color_that_is_not_there("1R", IllegalMove::ColorAbsent {
    place: Source::Factory(Factory::F1), color: Color::Red })]
#[case::the_token_alone("cP", IllegalMove::ColorAbsent {
    place: Source::Center, color: Color::Purple })]
#[case::a_factory_of_a_larger_table("6G", IllegalMove::NoSuchFactory { factory: Factory::F6 })]
#[case::a_placement("G1:G1", IllegalMove::NotPlaying)]
#[case::a_pass("pass", IllegalMove::NotPlaying)]
#[case::a_bonus("+O", IllegalMove::NoBonusDue)]
#[case::a_choice_of_tiles_to_keep("=O4", IllegalMove::NotKeeping)]
fn phase_1_is_for_tiles_that_lie_there(#[case] action: &str, #[case] refusal: IllegalMove) {
    let position = two().factories("GP2Y").hand(Seat::First, "GO4").position();

    assert_eq!(refuse(&position, action), refusal);
}
