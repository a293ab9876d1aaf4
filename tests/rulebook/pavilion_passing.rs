//! Summer Pavilion: "Passing".

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::pavilion::{IllegalMove, Move, Phase, Star};
use rstest::rstest;

use crate::pavilion_table::{Table, colored, deal_all, play, refuse};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two)
}

/// Situation 55.
#[rstest]
#[case::two_points_off(5, 3)]
#[case::never_below_one(1, 1)]
fn four_tiles_are_kept_and_each_other_costs_a_point(#[case] before: u16, #[case] after: u16) {
    let mut position = two().points(Seat::First, before).hand(Seat::First, "G4R2").position();

    play(&mut position, "pass");
    assert_eq!((position.phase(), position.to_move()), (Phase::Keep, Some(Seat::First)));
    play(&mut position, "=G4");

    let board = position.board(Seat::First);
    assert_eq!((board.points(), board.hand()), (after, tiles("G4")));
    assert_eq!(position.stock().discards, tiles("R2"));
    assert_eq!(position.to_move(), Some(Seat::Second));
}

/// Situation 56.
#[test]
fn a_player_who_passes_is_out_for_the_round_and_the_last_one_continues_alone() {
    let mut position =
        colored(PlayerCount::Three).hand(Seat::First, "R").hand(Seat::Second, "RBYG").position();
    assert_eq!(position.check("R1:R1".parse().unwrap()), Ok(()));

    play(&mut position, "pass R1:R1");
    assert_eq!(position.to_move(), Some(Seat::Third));
    play(&mut position, "pass");
    assert_eq!(position.to_move(), Some(Seat::Second));
    play(&mut position, "B1:B1");
    assert_eq!(position.to_move(), Some(Seat::Second));
    play(&mut position, "Y1:Y1 pass");

    assert_eq!((position.round(), position.board(Seat::First).hand()), (2, tiles("R")));
}

#[test]
fn a_player_without_tiles_can_only_pass() {
    let position = two().position();

    assert_eq!(position.legal_moves().as_slice(), [Move::Pass]);
}

#[rstest]
#[case::four_tiles("G2R2", 5, "G2R2")]
#[case::three_tiles("G2R", 5, "G2R")]
#[case::none_at_all("-", 5, "-")]
#[case::six_of_one_color("G6", 3, "G4")]
fn where_nothing_is_to_be_chosen_the_tiles_are_kept_at_once(
    #[case] hand: &str,
    #[case] points: u16,
    #[case] kept: &str,
) {
    let mut position = two().hand(Seat::First, hand).position();

    play(&mut position, "pass");

    let board = position.board(Seat::First);
    assert_eq!((board.points(), board.hand()), (points, tiles(kept)));
    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Second)));
}

#[test]
fn exactly_four_tiles_are_kept() {
    let mut position = two().points(Seat::First, 1).hand(Seat::First, "G4R2").position();

    play(&mut position, "pass");

    assert_eq!(refuse(&position, "=G3"), IllegalMove::KeepSize { found: 3 });
    assert_eq!(refuse(&position, "=G4R"), IllegalMove::KeepSize { found: 5 });
    assert_eq!(refuse(&position, "=R3G"), IllegalMove::NotAtHand { tiles: tiles("R3G") });
    assert_eq!(refuse(&position, "R1:R1"), IllegalMove::NotPlaying);
    // Four green, three and a red, two and both.
    assert_eq!(position.legal_moves().len(), 3);
}

/// Six tiles at hand, four in the supply, and all others on the boards.
fn short_supply() -> Table {
    Table::all_tiles_laid()
        .star(Seat::Fourth, Star::Orange, "OO....")
        .star(Seat::Fourth, Star::Yellow, "YYY...")
        .star(Seat::Fourth, Star::Green, "GGG...")
        .supply("O4")
        .hand(Seat::First, "Y3G3")
}

#[test]
fn a_short_supply_is_topped_up_after_a_pass_too() {
    let mut position = short_supply().position();

    play(&mut position, "pass =Y3G");
    assert_eq!((position.phase(), position.stock().discards), (Phase::TopUp, tiles("G2")));
    deal_all(&mut position);

    assert_eq!(position.supply(), tiles("O4G2"));
    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Second)));
}

#[test]
fn the_supply_is_not_topped_up_after_the_last_pass_of_the_game() {
    let others = [Seat::Second, Seat::Third, Seat::Fourth];
    let mut position = short_supply().round(6).passed(&others).position();

    play(&mut position, "pass =Y3G");

    assert_eq!(position.phase(), Phase::Over);
    assert_eq!((position.supply(), position.stock().discards), (tiles("O4"), tiles("G2")));
    assert_eq!(refuse(&position, "pass"), IllegalMove::GameOver);
}
