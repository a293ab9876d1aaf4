//! Azul: "A. Factory offer".

use azulejo_rules::azul::{Color, Destination, IllegalMove, Move, PatternLine, Phase, Row};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Source, Tiles};
use rstest::rstest;

use crate::azul_table::{Table, colored, floor_loss, play, refuse, tiles_in};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two)
}

const fn holding(color: Color, tiles: u8) -> PatternLine {
    PatternLine::Holding { color, tiles }
}

/// Situation 2.
#[test]
fn each_color_of_each_source_goes_to_any_of_six_places_of_an_empty_board() {
    let position = two().factories("B2RY K3W - BY3 R2K2").center("W2R").position();

    let moves = position.legal_moves();

    assert_eq!(moves.len(), 66);
    assert_eq!(position.count_moves(), 66);
    assert!(moves.iter().all(|&action| position.check(action).is_ok()));
}

/// Situation 3.
#[test]
fn a_pattern_line_takes_one_color_and_none_that_its_row_shows() {
    let position = two()
        .wall(Seat::First, [".....", "..Y..", "...Y.", ".....", "....."])
        .line(Seat::First, Row::Fourth, "B2")
        .factories("Y2K2")
        .position();

    let yellow = |action: &&Move| matches!(action, Move::Take { color: Color::Yellow, .. });
    let legal: Vec<String> =
        position.legal_moves().iter().filter(yellow).map(ToString::to_string).collect();
    let mut on_the_first_line = position;
    play(&mut on_the_first_line, "1Y1");

    assert_eq!(legal, ["1Y1", "1Y5", "1Yf"]);
    let on_wall = |row| IllegalMove::ColorOnWall { row, color: Color::Yellow };
    assert_eq!(refuse(&position, "1Y2"), on_wall(Row::Second));
    assert_eq!(refuse(&position, "1Y3"), on_wall(Row::Third));
    let held = IllegalMove::LineHoldsOtherColor { row: Row::Fourth, held: Color::Blue };
    assert_eq!(refuse(&position, "1Y4"), held);
    assert_eq!(on_the_first_line.board(Seat::First).floor(), tiles("Y"));
}

/// Situation 4.
#[test]
fn surplus_tiles_fall_to_the_floor_line() {
    let mut position = two().line(Seat::First, Row::Second, "B").factories("B4 K4").position();

    play(&mut position, "1B2");

    assert_eq!(position.board(Seat::First).line(Row::Second), holding(Color::Blue, 2));
    assert_eq!(position.board(Seat::First).floor(), tiles("B3"));
}

/// Situation 5.
#[test]
fn a_complete_line_takes_no_more_tiles_this_round() {
    let position = two().line(Seat::First, Row::Third, "R3").factories("RK3").position();

    assert_eq!(refuse(&position, "1R3"), IllegalMove::LineComplete { row: Row::Third });
}

/// Situation 6. The marker lies on the leftmost free space, here the second.
#[test]
fn the_first_to_take_from_the_center_lays_the_marker_on_the_floor_line() {
    let mut position = two().floor(Seat::First, "R").center("B2K").position();

    play(&mut position, "cB2");

    assert_eq!(position.marker(), Some(Seat::First));
    assert_eq!(position.board(Seat::First).line(Row::Second), holding(Color::Blue, 2));
    assert_eq!(position.floor_spaces_covered(Seat::First), 2);
    assert_eq!(floor_loss(&play(&mut position, "cKf"), Seat::First), Some((2, 1)));
}

/// Situation 7.
#[test]
fn the_marker_lies_before_the_tiles_that_came_with_it() {
    let mut position = two().center("R3K").position();

    play(&mut position, "cRf");

    assert_eq!(position.board(Seat::First).floor(), tiles("R3"));
    assert_eq!(position.floor_spaces_covered(Seat::First), 4);
    assert_eq!(floor_loss(&play(&mut position, "cKf"), Seat::First), Some((6, 0)));
}

/// Situation 9.
#[test]
fn the_marker_takes_the_last_space_and_the_tiles_go_to_the_lid() {
    let mut position = two().floor(Seat::First, "R3Y3").center("B2K").position();

    play(&mut position, "cBf");

    assert_eq!(position.marker(), Some(Seat::First));
    assert_eq!(position.board(Seat::First).floor(), tiles("R3Y3"));
    assert_eq!(position.stock().discards, tiles("B2"));
    assert_eq!(floor_loss(&play(&mut position, "cKf"), Seat::First), Some((14, 0)));
}

/// Situation 10. Another engine stops here with an error.
#[test]
fn the_marker_finds_a_full_floor_line_and_still_gives_the_start() {
    let table = two().start(Seat::Second).turn(Seat::First);
    let mut position = table.floor(Seat::First, "R4Y3").center("B2K").position();

    play(&mut position, "cBf");
    let lid_before_tiling = position.stock().discards;
    let events = play(&mut position, "cKf");

    assert_eq!(lid_before_tiling, tiles("B2"));
    assert_eq!(floor_loss(&events, Seat::First), Some((14, 0)));
    assert_eq!(position.start(), Seat::First);
    assert_eq!(position.stock().discards, tiles("R4Y3B2K"));
    assert_eq!(tiles_in(&position), Tiles::full_box());
}

/// Situation 11.
#[test]
fn tiles_beyond_the_seventh_space_go_to_the_lid_for_nothing() {
    let mut position =
        two().marker(Seat::Second).floor(Seat::First, "R3Y3").center("B3K").position();

    play(&mut position, "cBf");

    assert_eq!(position.board(Seat::First).floor(), tiles("R3Y3B"));
    assert_eq!(position.stock().discards, tiles("B2"));
    assert_eq!(floor_loss(&play(&mut position, "cKf"), Seat::First), Some((14, 0)));
}

/// Situation 30. Ruling E-10: all tiles that find room are laid, or all go to the floor.
#[test]
fn no_tile_that_fits_the_line_may_be_kept_back_for_the_floor() {
    let position = two().factories("B3K Y4").position();

    for &action in position.legal_moves().iter() {
        let Move::Take { color: Color::Blue, destination, .. } = action else { continue };
        let mut after = position;
        after.play(action, &mut ()).unwrap();

        let board = after.board(Seat::First);
        let (row, laid, fallen) = match destination {
            Destination::Floor => (Row::Fifth, PatternLine::Empty, 3),
            Destination::Line(row) => {
                let laid = row.spaces().min(3);
                (row, holding(Color::Blue, laid), 3 - laid)
            }
        };
        assert_eq!((board.line(row), board.floor().total()), (laid, fallen), "{action}");
    }
}

#[test]
fn the_rest_of_the_factory_goes_to_the_center() {
    let mut position = two().factories("B2RY").position();

    play(&mut position, "1B2");

    assert_eq!(position.factory(Factory::F1), Tiles::EMPTY);
    assert_eq!(position.center(), tiles("RY"));
    assert_eq!(position.marker(), None);
    assert_eq!(position.to_move(), Some(Seat::Second));
}

#[test]
fn tiles_may_go_to_the_floor_line_even_where_a_line_has_room() {
    let mut position = two().factories("B2RY").position();

    play(&mut position, "1Bf");

    assert_eq!(position.board(Seat::First).floor(), tiles("B2"));
}

#[test]
fn only_the_first_to_take_from_the_center_takes_the_marker() {
    let mut position = two().center("B2KY").position();

    play(&mut position, "cB2 cK1");

    assert_eq!(position.marker(), Some(Seat::First));
    assert_eq!(position.floor_spaces_covered(Seat::Second), 0);
}

#[test]
fn turns_go_clockwise() {
    let mut position = colored(PlayerCount::Three).turn(Seat::Third).center("B2KY").position();

    play(&mut position, "cB2");

    assert_eq!(position.to_move(), Some(Seat::First));
}

#[rstest]
#[case::a_color_that_is_not_there("1Wf", IllegalMove::ColorAbsent {
    place: Source::Factory(Factory::F1), color: Color::White })]
#[case::an_empty_factory("2Bf", IllegalMove::ColorAbsent {
    place: Source::Factory(Factory::F2), color: Color::Blue })]
#[case::the_marker_alone("cBf", IllegalMove::ColorAbsent {
    place: Source::Center, color: Color::Blue })]
#[case::a_factory_of_a_larger_table("6Bf", IllegalMove::NoSuchFactory { factory: Factory::F6 })]
#[case::a_cell_of_the_wall("r1c1", IllegalMove::NotTiling)]
fn only_tiles_that_lie_there_can_be_taken(#[case] action: &str, #[case] refusal: IllegalMove) {
    let position = two().factories("B2RY").position();

    assert_eq!(refuse(&position, action), refusal);
}

#[test]
fn the_offer_goes_on_while_a_tile_is_left() {
    let mut position = two().center("B2K").position();

    play(&mut position, "cB2");
    assert_eq!(position.phase(), Phase::Offer);
    play(&mut position, "cK1");

    assert_eq!(position.phase(), Phase::Deal);
}
