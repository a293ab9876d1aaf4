//! Summer Pavilion: "Phase 3: prepare the next round".

use azulejo_rules::parts::{PlayerCount, Seat, Tiles};
use azulejo_rules::pavilion::{Color, Event, Phase, Star};

use crate::pavilion_table::{FULL_BOARD, Table, colored, deal_all, play, sizes};
use crate::table::tiles;

/// Situation 57.
#[test]
fn the_holder_of_the_token_opens_phase_2_and_the_next_round() {
    let mut position =
        colored(PlayerCount::Three).round(2).phase(Phase::Acquire).factories("R2B2 Y4").position();

    play(&mut position, "1R 2Y cB");
    let (phase, opens_phase_2) = (position.phase(), position.to_move());
    play(&mut position, "pass pass pass");
    deal_all(&mut position);

    assert_eq!((phase, opens_phase_2), (Phase::Play, Some(Seat::Third)));
    assert_eq!((position.round(), position.phase()), (3, Phase::Acquire));
    assert_eq!((position.start(), position.to_move()), (Seat::Third, Some(Seat::Third)));
    assert_eq!(position.token(), None);
}

/// Four boards with 85 tiles, and four more in the corners of each.
fn late_table_of_four() -> Table {
    let [orange, red, blue, yellow, green, purple, center] = FULL_BOARD;
    let none = "......";
    colored(PlayerCount::Four)
        .round(5)
        .phase(Phase::Deal)
        .stars(Seat::First, [orange, red, blue, none, none, "P.....", center])
        .stars(Seat::Second, [none, none, none, yellow, green, purple, center])
        .stars(Seat::Third, [orange, red, blue, none, none, none, none])
        .stars(Seat::Fourth, [none, none, none, yellow, green, purple, none])
        .hand(Seat::First, "Y4")
        .hand(Seat::Second, "O4")
        .hand(Seat::Third, "G4")
        .hand(Seat::Fourth, "R4")
        .supply("B5P5")
}

/// Situation 61.
#[test]
fn later_factories_stay_short_when_bag_and_tower_run_out() {
    let mut position = late_table_of_four().tower("O4R4Y3").position();
    assert_eq!((position.stock().bag.total(), position.stock().discards.total()), (10, 11));

    let events = deal_all(&mut position);

    assert_eq!(sizes(&position), [4, 4, 4, 4, 4, 1, 0, 0, 0]);
    assert_eq!(position.phase(), Phase::Acquire);
    let tipped = |event: &&Event| matches!(event, Event::TowerTipped { .. });
    assert_eq!(events.iter().filter(tipped).count(), 1);
    // Two factories came from the old bag, so the tower was tipped in the middle of the third.
    assert_eq!(events[2], Event::TowerTipped { tiles: tiles("O4R4Y3") });
}

#[test]
fn kept_tiles_are_at_hand_again_in_the_next_round() {
    let mut position = colored(PlayerCount::Two).hand(Seat::First, "G2R").position();

    play(&mut position, "pass pass");
    deal_all(&mut position);

    assert_eq!((position.round(), position.wild_color()), (2, Color::Green));
    assert_eq!(position.board(Seat::First).hand(), tiles("G2R"));
    assert!(position.passed().is_empty());
    assert_eq!(sizes(&position), [4; 5]);
}

#[test]
fn the_tower_is_not_tipped_while_the_bag_has_tiles() {
    let mut position = colored(PlayerCount::Two).round(2).phase(Phase::Deal).tower("O3").position();

    deal_all(&mut position);

    assert_eq!(position.stock().discards, tiles("O3"));
}

#[test]
fn without_a_single_tile_to_take_phase_1_is_skipped() {
    let others = [Seat::First, Seat::Third, Seat::Fourth];
    let mut position = Table::all_tiles_laid()
        .start(Seat::Second)
        .passed(&others)
        .star(Seat::Second, Star::Red, "RRRRR.")
        .hand(Seat::Second, "R")
        .position();

    let events = play(&mut position, "pass");

    let began = Event::RoundBegan { round: 6, start: Seat::Second, wild: Color::Red };
    assert_eq!(events[1..], [began, Event::PlacingBegan { seat: Seat::Second }]);
    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Second)));
    assert_eq!((position.token(), position.center()), (None, Tiles::EMPTY));
}
