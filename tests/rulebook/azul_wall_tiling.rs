//! Azul: "B. Wall-tiling".

use azulejo_rules::azul::{
    Color, Column, Event, FLOOR_PENALTIES, GameEnd, IllegalMove, PatternLine, Phase, Row,
};
use azulejo_rules::parts::{PlayerCount, Seat};
use rstest::rstest;

use crate::azul_table::{Table, colored, deal_all, floor_loss, play, points_for_tiles, refuse};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two)
}

const EMPTY_WALL: [&str; 5] = [".....", ".....", ".....", ".....", "....."];

/// Situations 14, 15, 16, 17, 18.
#[rstest]
#[case::alone(EMPTY_WALL, Row::Third, "B3", 1)]
#[case::along_the_row([".....", "...RK", ".....", ".....", "....."], Row::Second, "Y2", 3)]
#[case::along_the_column([".....", "..Y..", ".....", "..W..", "....."], Row::Third, "B3", 3)]
#[case::both_lines_count_the_tile(["...K.", "...R.", ".WB.R", ".....", "....."], Row::Third, "Y3", 7)]
#[case::a_gap_ends_the_line(["BY..W", ".....", ".....", ".....", "....."], Row::First, "K", 2)]
fn a_tile_scores_the_lines_it_joins(
    #[case] wall: [&str; 5],
    #[case] row: Row,
    #[case] line: &str,
    #[case] points: u16,
) {
    let table = two().wall(Seat::First, wall).line(Seat::First, row, line);

    let (position, events) = table.settle();

    assert_eq!(points_for_tiles(&events, Seat::First), [points]);
    assert_eq!(position.board(Seat::First).points(), points);
}

/// Situation 8.
#[test]
fn the_marker_counts_among_the_tiles_of_the_floor_line() {
    let table = two().marker(Seat::First).floor(Seat::First, "BW2Y");

    let (_, events) = table.settle();

    assert_eq!(floor_loss(&events, Seat::First), Some((8, 0)));
}

#[test]
fn the_spaces_of_the_floor_line_cost_1_1_2_2_2_3_3() {
    assert_eq!(FLOOR_PENALTIES, [0, 1, 2, 4, 6, 8, 11, 14]);
}

/// Situation 12. The other order would leave 1 point.
#[test]
fn the_floor_line_costs_its_points_after_the_wall_brought_them() {
    let table = two().line(Seat::First, Row::First, "B").floor(Seat::First, "R");

    let (position, events) = table.settle();

    assert_eq!(points_for_tiles(&events, Seat::First), [1]);
    assert_eq!(floor_loss(&events, Seat::First), Some((1, 1)));
    assert_eq!(position.board(Seat::First).points(), 0);
}

/// Situation 13.
#[test]
fn the_score_never_drops_below_zero_and_the_excess_is_forgotten() {
    let table = two()
        .points(Seat::First, 2)
        .wall(Seat::First, ["BY...", ".....", ".....", ".....", "....."])
        .line(Seat::First, Row::First, "R")
        .floor(Seat::First, "W4K3");

    let (mut position, events) = table.settle();
    deal_all(&mut position);

    assert_eq!(points_for_tiles(&events, Seat::First), [3]);
    assert_eq!(floor_loss(&events, Seat::First), Some((14, 5)));
    assert_eq!(position.phase(), Phase::Offer);
    assert_eq!(position.board(Seat::First).points(), 0);
}

/// Situation 19. From the bottom it would be 5 points.
#[test]
fn lines_are_tiled_from_top_to_bottom() {
    let table = two()
        .wall(Seat::First, [".....", ".....", ".....", ".....", "Y...."])
        .line(Seat::First, Row::Third, "K3")
        .line(Seat::First, Row::Fourth, "R4");

    let (position, events) = table.settle();

    assert_eq!(points_for_tiles(&events, Seat::First), [1, 3]);
    assert_eq!(position.board(Seat::First).points(), 4);
}

/// Situation 20.
#[test]
fn a_complete_line_moves_one_tile_to_the_wall_and_an_unfinished_one_stays() {
    let table = two().line(Seat::First, Row::Fourth, "R4").line(Seat::First, Row::Fifth, "B3");

    let (position, _) = table.settle();

    let board = position.board(Seat::First);
    assert_eq!(board.wall().color_at(Row::Fourth, Column::First), Some(Color::Red));
    assert_eq!(board.wall().tiles(), 1);
    assert_eq!(board.line(Row::Fourth), PatternLine::Empty);
    assert_eq!(board.line(Row::Fifth), PatternLine::Holding { color: Color::Blue, tiles: 3 });
    // The black tile is the one that the other seat took last.
    assert_eq!(position.stock().discards, tiles("R3K"));
}

/// Situation 21.
#[test]
fn the_round_is_played_to_its_end_when_a_row_is_sure_to_be_completed() {
    let mut position = two()
        .wall(Seat::First, ["BYRK.", ".....", ".....", ".....", "....."])
        .factories("WB3")
        .position();

    play(&mut position, "1W1");
    assert_eq!((position.phase(), position.to_move()), (Phase::Offer, Some(Seat::Second)));
    play(&mut position, "cB3");

    assert_eq!(position.phase(), Phase::Over(GameEnd::RowCompleted));
    assert_eq!(refuse(&position, "cBf"), IllegalMove::GameOver);
    assert_eq!(position.legal_moves().len(), 0);
}

#[test]
fn the_order_of_the_players_does_not_matter_to_the_walls() {
    let table = two()
        .line(Seat::First, Row::Second, "B2")
        .floor(Seat::First, "Y")
        .line(Seat::Second, Row::Second, "B2")
        .floor(Seat::Second, "W");

    let (one, _) = table.clone().marker(Seat::First).settle();
    let (other, _) = table.marker(Seat::Second).settle();

    for seat in PlayerCount::Two.iter() {
        assert_eq!(one.board(seat).wall(), other.board(seat).wall());
    }
    assert_eq!(one.stock().discards, other.stock().discards);
}

#[test]
fn the_marker_holder_tiles_first_then_the_others_clockwise() {
    let three = colored(PlayerCount::Three).marker(Seat::Third);
    let table =
        PlayerCount::Three.iter().fold(three, |table, seat| table.line(seat, Row::First, "B"));

    let (_, events) = table.settle();

    let mut order = Vec::new();
    for event in events {
        if let Event::TilePlaced { seat, .. } = event {
            order.push(seat);
        }
    }
    assert_eq!(order, [Seat::Third, Seat::First, Seat::Second]);
}
