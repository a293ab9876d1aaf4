//! Azul: "C. Preparing the next round".

use azulejo_rules::azul::{Event, GameEnd, Phase, Position, Row, Rules};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Seeded, Side, Tiles};
use rstest::rstest;

use crate::azul_table::{
    Table, colored, deal_all, floor_everything, floor_loss, play, points_for_tiles, sizes,
    wall_without,
};
use crate::table::any_seed;

fn without_column(table: Table, seat: Seat, column: usize) -> Table {
    let wall = wall_without(column);
    table.wall(seat, wall.each_ref().map(String::as_str))
}

/// Situation 24.
#[test]
fn the_lid_is_tipped_into_the_bag_only_when_the_bag_is_empty() {
    let columns = ["BY...", "WB...", "KW...", "RK...", "YR..."];
    let three = colored(PlayerCount::Three).phase(Phase::Deal).round(4, 50);
    let mut position = PlayerCount::Three
        .iter()
        .fold(three, |table, seat| table.wall(seat, columns))
        .line(Seat::First, Row::Third, "R2")
        .line(Seat::First, Row::Fourth, "W3")
        .line(Seat::Second, Row::Third, "Y2")
        .line(Seat::Second, Row::Fourth, "B3")
        .line(Seat::Third, Row::Third, "B2")
        .line(Seat::Third, Row::Fourth, "Y2")
        .lid("B7Y7R8K10W8")
        .position();
    let (old_bag, lid) = (position.stock().bag, position.stock().discards);
    assert_eq!((old_bag.total(), lid.total()), (16, 40));

    let mut events = Vec::new();
    for _ in 0..4 {
        position.deal(&mut Seeded(&any_seed()), &mut events);
    }
    let (bag_left, lid_left) = (position.stock().bag, position.stock().discards);
    let events_so_far = events.len();
    events.append(&mut deal_all(&mut position));

    let first_four = &Factory::ALL[..4];
    let dealt = first_four.iter().fold(Tiles::EMPTY, |all, &f| all + position.factory(f));
    assert_eq!((dealt, bag_left, lid_left), (old_bag, Tiles::EMPTY, lid));
    assert_eq!(events_so_far, 4);
    assert_eq!(events[4], Event::LidTipped { tiles: lid });
    assert_eq!(sizes(&position), [4; 7]);
    assert_eq!(position.stock().bag.total(), 28);
    assert_eq!(position.stock().discards, Tiles::EMPTY);
}

/// Situation 25.
#[test]
fn an_empty_bag_stays_empty_until_the_next_tile_is_needed() {
    let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
    for _ in 1..=4 {
        deal_all(&mut position);
        floor_everything(&mut position);
    }

    let fifth = deal_all(&mut position);
    let (bag, lid) = (position.stock().bag, position.stock().discards);
    floor_everything(&mut position);
    let before_the_sixth = position.stock().bag;
    let sixth = deal_all(&mut position);

    assert_eq!((bag.total(), lid.total()), (0, 80));
    assert!(!fifth.iter().any(|event| matches!(event, Event::LidTipped { .. })));
    assert_eq!(before_the_sixth, Tiles::EMPTY);
    assert_eq!(sixth[0], Event::LidTipped { tiles: Tiles::full_box() });
}

/// Situation 26.
#[test]
fn a_round_is_played_with_the_tiles_that_are_left() {
    let four = colored(PlayerCount::Four).phase(Phase::Deal);
    let mut position = PlayerCount::Four
        .iter()
        .fold(four, |table, seat| without_column(table, seat, 5))
        .line(Seat::First, Row::Second, "K")
        .line(Seat::Second, Row::Third, "R2")
        .line(Seat::Third, Row::Fourth, "Y3")
        .line(Seat::Fourth, Row::Fifth, "B4")
        .lid("K2W4")
        .position();
    assert_eq!(position.stock().bag.total() + position.stock().discards.total(), 10);

    deal_all(&mut position);
    let laid_out = sizes(&position);
    let (phase, stock) = (position.phase(), position.stock().due(4));
    floor_everything(&mut position);

    assert_eq!(laid_out, [4, 4, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!((phase, stock), (Phase::Offer, 0));
    assert_eq!((position.phase(), position.round()), (Phase::Deal, 6));
}

/// A table of four at which every tile but the last lies on the boards, and that one in the center.
fn last_tile_of_all() -> Table {
    let four = colored(PlayerCount::Four).turn(Seat::Fourth).marker(Seat::First).center("K");
    [(Seat::First, 5), (Seat::Second, 1), (Seat::Third, 2), (Seat::Fourth, 3)]
        .into_iter()
        .fold(four, |table, (seat, column)| without_column(table, seat, column))
        .line(Seat::First, Row::Fifth, "B4")
        .line(Seat::Second, Row::Fifth, "Y4")
        .line(Seat::Third, Row::Fifth, "R4")
        .line(Seat::Fourth, Row::Fifth, "K3")
        .line(Seat::Second, Row::Second, "W")
        .line(Seat::Fourth, Row::Fourth, "W3")
}

/// Situation 27.
#[test]
fn the_game_ends_with_its_final_scoring_when_no_tile_is_left() {
    let mut position = last_tile_of_all().position();

    let events = play(&mut position, "cK5");

    assert_eq!(position.phase(), Phase::Over(GameEnd::NoTiles));
    assert_eq!(events.last(), Some(&Event::GameEnded { end: GameEnd::NoTiles }));
    let score = position.score();
    assert!(score.seats.iter().all(|seat| (seat.complete_columns, seat.total()) == (4, 28)));
}

#[rstest]
#[case::row_before_limit(true, GameEnd::RowCompleted)]
#[case::limit_before_lack_of_tiles(false, GameEnd::RoundLimit)]
fn a_completed_row_comes_before_the_limit_and_that_before_the_lack_of_tiles(
    #[case] row: bool,
    #[case] end: GameEnd,
) {
    // The first seat's row 1 lacks white; a line of one tile sends nothing to the lid.
    let table = last_tile_of_all().round(5, 5).line(Seat::Second, Row::Second, "-");
    let table = if row {
        table.line(Seat::First, Row::First, "W")
    } else {
        table.line(Seat::Third, Row::Third, "W")
    };
    let mut position = table.position();

    play(&mut position, "cK5");

    assert_eq!(position.stock().due(1), 0);
    assert_eq!(position.phase(), Phase::Over(end));
}

/// Situation 28. Other engines wait for the marker forever.
#[test]
fn an_untaken_marker_costs_nothing_and_the_start_player_stays() {
    let mut position =
        colored(PlayerCount::Two).start(Seat::Second).factories("B4 Y4 R4 K4 W4").position();

    let events = play(&mut position, "1B4 2Y4 3R5 4K5 5W3");

    // The last four tiles are one too many for their line.
    assert_eq!(points_for_tiles(&events, Seat::Second), [1, 1]);
    assert_eq!(floor_loss(&events, Seat::Second), Some((1, 1)));
    assert_eq!(points_for_tiles(&events, Seat::First), [1]);
    assert_eq!(floor_loss(&events, Seat::First), None);
    assert!(!events.iter().any(|event| matches!(event, Event::MarkerTaken { .. })));
    assert_eq!(position.marker(), None);
    assert_eq!((position.phase(), position.start()), (Phase::Deal, Seat::Second));
    deal_all(&mut position);
    assert_eq!(position.to_move(), Some(Seat::Second));
}

/// With five displays the start player takes last, too; here it is the other one.
#[test]
fn the_last_to_take_gains_nothing_while_the_marker_lies_in_the_center() {
    let table = colored(PlayerCount::Two).start(Seat::Second).factories("B4 Y4");
    let mut position = table.position();

    play(&mut position, "1B4 2Y4");

    assert_eq!((position.phase(), position.start()), (Phase::Deal, Seat::Second));
}

/// Situation 29. A gray wall that has locked can be left by this way only, too.
#[rstest]
#[case::colored(Side::Colored)]
#[case::gray(Side::Gray)]
fn players_who_floor_everything_are_stopped_by_the_round_limit(#[case] side: Side) {
    let mut position = Position::new(Rules::new(side, PlayerCount::Two), Seat::First);

    let mut rounds = 0;
    while position.phase() == Phase::Deal {
        deal_all(&mut position);
        floor_everything(&mut position);
        rounds += 1;
        let untouched = |seat| position.board(seat).tiles().is_empty();
        assert!(PlayerCount::Two.iter().all(untouched));
    }

    assert_eq!(rounds, 50);
    assert_eq!(position.phase(), Phase::Over(GameEnd::RoundLimit));
    assert_eq!(position.stock().due(200), 100);
    assert!(position.score().seats.iter().all(|seat| seat.total() == 0));
}

#[test]
fn the_marker_returns_to_the_center_and_its_holder_starts() {
    let mut position = colored(PlayerCount::Three).turn(Seat::Third).center("B").position();

    play(&mut position, "cB1");
    deal_all(&mut position);

    assert_eq!(position.marker(), None);
    assert_eq!((position.start(), position.to_move()), (Seat::Third, Some(Seat::Third)));
    assert_eq!(position.round(), 6);
}
