//! Azul: "Variant play", the gray wall.

use azulejo_rules::azul::{
    Color, Column, Event, GameEnd, IllegalMove, Move, PatternLine, Phase, Position, Row,
};
use azulejo_rules::parts::{PlayerCount, Seat};

use crate::azul_table::{Table, deal_all, floor_loss, gray, play, points_for_tiles, refuse};
use crate::table::tiles;

fn two() -> Table {
    gray(PlayerCount::Two)
}

/// The columns in which the line that is due may be laid.
fn columns(position: &Position) -> Vec<usize> {
    let mut columns = Vec::new();
    for action in position.legal_moves().iter() {
        if let Move::PlaceTile { column, .. } = action {
            columns.push(column.index() + 1);
        }
    }
    columns
}

/// Situation 31.
#[test]
fn on_an_empty_wall_a_tile_may_go_to_any_column() {
    let table = two().line(Seat::First, Row::First, "B");

    let (position, _) = table.settle();

    assert_eq!((position.phase(), position.to_move()), (Phase::Tiling, Some(Seat::First)));
    assert_eq!(columns(&position), [1, 2, 3, 4, 5]);
}

/// Situation 32.
#[test]
fn no_column_shows_a_color_twice() {
    let table = two().wall(Seat::First, ["..B..", ".....", ".....", ".....", "....."]).line(
        Seat::First,
        Row::Second,
        "B2",
    );

    let (position, _) = table.settle();

    assert_eq!(columns(&position), [1, 2, 4, 5]);
    let refusal = IllegalMove::ColorInColumn { column: Column::Third, color: Color::Blue };
    assert_eq!(refuse(&position, "r2c3"), refusal);
}

/// Row 5 is free in column 2 only, and that column shows red.
fn locked_for_red() -> Table {
    two().wall(Seat::First, [".R...", ".....", ".....", ".....", "B.YKW"])
}

/// Situation 33.
#[test]
fn a_line_that_no_column_takes_falls_to_the_floor_line() {
    let table = locked_for_red().line(Seat::First, Row::Fifth, "R5").floor(Seat::First, "B2Y");

    let (position, events) = table.settle();

    let seat = Seat::First;
    let dropped = Event::LineDropped { seat, row: Row::Fifth, color: Color::Red, tiles: 5 };
    assert!(events.contains(&dropped));
    assert!(events.contains(&Event::FellToFloor { seat, color: Color::Red, tiles: 4 }));
    assert!(events.contains(&Event::FellToLid { seat, color: Color::Red, tiles: 1 }));
    assert_eq!(points_for_tiles(&events, seat), []);
    assert_eq!(floor_loss(&events, seat), Some((14, 0)));
    assert_eq!(position.board(seat).line(Row::Fifth), PatternLine::Empty);
    assert_eq!(position.board(seat).wall().tiles(), 5);
    assert_eq!(position.stock().discards, tiles("R5B2YK"));
    assert_eq!(position.phase(), Phase::Deal);
}

/// Situation 34.
#[test]
fn a_color_that_no_column_takes_may_still_be_drafted() {
    let mut position = locked_for_red().factories("R3K").position();

    play(&mut position, "1R5");

    let line = PatternLine::Holding { color: Color::Red, tiles: 3 };
    assert_eq!(position.board(Seat::First).line(Row::Fifth), line);
}

/// Situation 35. Row 2 can take blue only in column 3.
#[test]
fn the_upper_line_may_block_the_lower_one() {
    let (position, _) = two()
        .wall(Seat::First, [".....", "...YR", "B....", ".B...", "....."])
        .line(Seat::First, Row::First, "B")
        .line(Seat::First, Row::Second, "B2")
        .settle();

    let mut blocked = position;
    let blocking = play(&mut blocked, "r1c3");
    let mut laid = position;
    play(&mut laid, "r1c5");
    let only_column = columns(&laid);
    play(&mut laid, "r2c3");

    let seat = Seat::First;
    let row = Row::Second;
    assert!(blocking.contains(&Event::LineDropped { seat, row, color: Color::Blue, tiles: 2 }));
    assert_eq!(floor_loss(&blocking, seat), Some((2, 1)));
    assert!(!blocked.board(seat).wall().holds(row, Color::Blue));
    assert_eq!(only_column, [3]);
    assert_eq!(laid.board(seat).wall().color_at(Row::First, Column::Fifth), Some(Color::Blue));
    assert_eq!(laid.board(seat).wall().color_at(row, Column::Third), Some(Color::Blue));
}

/// Situation 36.
#[test]
fn a_line_that_some_column_takes_must_be_laid() {
    let (position, _) = two().line(Seat::First, Row::First, "B").settle();

    let to_wall = |action: &Move| matches!(action, Move::PlaceTile { row: Row::First, .. });

    assert!(position.legal_moves().iter().all(to_wall));
    assert_eq!(refuse(&position, "cBf"), IllegalMove::NotOffering);
    assert_eq!(position.board(Seat::First).floor(), tiles("-"));
}

#[test]
fn lines_of_the_gray_wall_are_laid_strictly_from_the_top() {
    let (position, _) =
        two().line(Seat::First, Row::Second, "B2").line(Seat::First, Row::Fourth, "R4").settle();

    let refusal = IllegalMove::OtherRowDue { row: Row::Fourth, due: Row::Second };
    assert_eq!(refuse(&position, "r4c1"), refusal);
}

/// The lower line has one column only; it is not laid before the upper one all the same.
#[test]
fn a_forced_lower_line_waits_for_the_line_above_it() {
    let (mut position, _) = two()
        .wall(Seat::First, [".....", "...YR", "B....", ".B...", "....."])
        .line(Seat::First, Row::First, "W")
        .line(Seat::First, Row::Second, "B2")
        .settle();

    assert_eq!(position.board(Seat::First).wall().tiles(), 4);
    let upper = play(&mut position, "r1c3");
    let lower = play(&mut position, "r2c3");

    assert_eq!(points_for_tiles(&upper, Seat::First), [1]);
    assert_eq!(points_for_tiles(&lower, Seat::First), [5]);
}

#[test]
fn only_a_free_cell_takes_a_tile() {
    let (position, _) = two()
        .wall(Seat::First, ["Y....", ".....", ".....", ".....", "....."])
        .line(Seat::First, Row::First, "B")
        .settle();

    let refusal = IllegalMove::CellCovered { row: Row::First, column: Column::First };
    assert_eq!(refuse(&position, "r1c1"), refusal);
    assert_eq!(columns(&position), [2, 3, 4, 5]);
}

#[test]
fn drafting_keeps_a_color_from_a_row_of_the_gray_wall_that_shows_it() {
    let position = two()
        .wall(Seat::First, [".....", "....B", ".....", ".....", "....."])
        .factories("B2K2")
        .position();

    let refusal = IllegalMove::ColorOnWall { row: Row::Second, color: Color::Blue };
    assert_eq!(refuse(&position, "1B2"), refusal);
}

#[test]
fn the_marker_holder_chooses_first_and_settles_the_floor_line_at_once() {
    let (mut position, _) = gray(PlayerCount::Three)
        .marker(Seat::Third)
        .line(Seat::First, Row::First, "B")
        .line(Seat::Third, Row::First, "B")
        .settle();

    assert_eq!(position.to_move(), Some(Seat::Third));
    let events = play(&mut position, "r1c2");

    assert_eq!(floor_loss(&events, Seat::Third), Some((1, 1)));
    assert_eq!(position.to_move(), Some(Seat::First));
    assert_eq!((position.phase(), position.round()), (Phase::Tiling, 5));
    play(&mut position, "r1c4");
    assert_eq!((position.phase(), position.start()), (Phase::Deal, Seat::Third));
}

/// Every free cell lies in a column that shows the one color its row lacks.
const LOCKED: &str = ".BWRY/.RBYW/KW.BR/BYKW./RKY.B";

#[test]
fn a_gray_wall_that_has_locked_plays_on_to_the_round_limit() {
    let seat = format!("seat points 0 wall {LOCKED} lines -/-/-/-/- floor -");
    let table = "azul gray 2 round 5/12 deal turn 0 start 0 marker center drawn 80";
    let heaps = "bag B10Y12R12K14W12 lid - center - factories -/-/-/-/-";
    let mut position: Position = format!("{table} {heaps} {seat} {seat}").parse().unwrap();

    let mut events = Vec::new();
    while position.end().is_none() {
        deal_all(&mut position);
        // The first move of the list lays tiles on a line wherever one takes them.
        let action = position.legal_moves()[0];
        position.play(action, &mut events).unwrap();
    }

    assert!(events.iter().any(|event| matches!(event, Event::LineDropped { .. })));
    assert!(!events.iter().any(|event| matches!(event, Event::TilePlaced { .. })));
    assert_eq!((position.end(), position.round()), (Some(GameEnd::RoundLimit), 12));
}
