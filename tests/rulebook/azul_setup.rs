//! Azul: "Game setup", and the bounds that follow from it.

use azulejo_rules::azul::{
    Color, Column, Event, IllegalMove, Move, Phase, Position, Row, Rules, Wall, action_count,
};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Seeded, Side, Source, TileColor, Tiles};
use rstest::rstest;

use crate::azul_table::{colored, deal_all, refuse, sizes};
use crate::table::any_seed;

/// Situation 1.
#[rstest]
#[case::two_players(PlayerCount::Two, 5, 80)]
#[case::three_players(PlayerCount::Three, 7, 72)]
#[case::four_players(PlayerCount::Four, 9, 64)]
fn a_new_game_lays_four_tiles_on_each_factory(
    #[case] players: PlayerCount,
    #[case] factories: usize,
    #[case] bag: u8,
) {
    let mut position = Position::new(Rules::new(Side::Colored, players), Seat::First);

    deal_all(&mut position);

    assert_eq!(sizes(&position), vec![4; factories]);
    assert_eq!(position.stock().bag.total(), bag);
    assert_eq!(position.stock().discards, Tiles::EMPTY);
    assert_eq!(position.center(), Tiles::EMPTY);
    assert_eq!(position.marker(), None);
    assert_eq!(position.phase(), Phase::Offer);
    assert!(players.iter().all(|seat| position.board(seat).points() == 0));
}

#[test]
fn the_box_holds_twenty_tiles_of_each_of_five_colors() {
    let full = Tiles::<Color>::full_box();

    assert_eq!(full.total(), 100);
    assert!(Color::ALL.iter().all(|&color| full.count(color) == 20));
}

#[test]
fn each_row_of_the_wall_is_the_row_above_moved_one_to_the_right() {
    let board = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"];

    for (row, colors) in Row::ALL.into_iter().zip(board) {
        for (column, letter) in Column::ALL.into_iter().zip(colors.chars()) {
            let color = Color::from_letter(letter).unwrap();
            assert_eq!(Wall::column_of(row, color), column, "{color} of {row:?}");
        }
    }
}

#[test]
fn there_are_no_moves_before_the_factories_are_filled() {
    let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::Second);

    assert_eq!(position.to_move(), None);
    assert_eq!(refuse(&position, "1Bf"), IllegalMove::DealDue);
    deal_all(&mut position);
    assert_eq!(position.to_move(), Some(Seat::Second));
}

#[test]
fn factories_are_filled_one_after_the_other() {
    let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
    let mut events = Vec::new();

    for &factory in Factory::of(PlayerCount::Two) {
        assert_eq!(position.awaiting_deal(), Some(factory));
        position.deal(&mut Seeded(&any_seed()), &mut events);
        let tiles = position.factory(factory);
        assert_eq!(events.pop(), Some(Event::Dealt { factory, tiles }));
    }

    assert_eq!(position.awaiting_deal(), None);
}

#[rstest]
#[case::two_players(PlayerCount::Two, 180, 205)]
#[case::three_players(PlayerCount::Three, 240, 265)]
#[case::four_players(PlayerCount::Four, 300, 325)]
fn the_action_space_is_sources_times_colors_times_destinations(
    #[case] players: PlayerCount,
    #[case] on_colored: u16,
    #[case] on_gray: u16,
) {
    assert_eq!(action_count(Side::Colored, players), on_colored);
    assert_eq!(action_count(Side::Gray, players), on_gray);
}

#[rstest]
#[case::two_players(PlayerCount::Two, 20)]
#[case::three_players(PlayerCount::Three, 28)]
#[case::four_players(PlayerCount::Four, 36)]
fn a_round_has_at_most_one_turn_for_each_tile(#[case] players: PlayerCount, #[case] most: u32) {
    let factories = vec!["BYRK"; Factory::of(players).len()].join(" ");
    let mut position = colored(players).factories(&factories).position();
    let mut turns = 0;

    while position.phase() == Phase::Offer {
        // The center first: then no two tiles of a color ever lie together.
        let moves = position.legal_moves();
        let from_center =
            |action: &&Move| matches!(action, Move::Take { source: Source::Center, .. });
        let action = *moves.iter().find(from_center).unwrap_or(&moves[0]);
        position.play(action, &mut ()).unwrap();
        turns += 1;
    }

    assert_eq!(turns, most);
}
