//! Summer Pavilion: "Bonus tiles": pillars, statues and windows.

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::pavilion::{Color, Event, IllegalMove, Move, Phase, Position, Space, Star};
use rstest::rstest;

use crate::pavilion_table::{FULL_BOARD, Table, colored, deal_all, play, refuse};
use crate::table::tiles;

fn two() -> Table {
    colored(PlayerCount::Two)
}

fn due(position: &Position) -> Option<u8> {
    if let Phase::Bonus { due } = position.phase() { Some(due) } else { None }
}

/// Situation 50.
#[rstest]
#[case::with_center_6_and_1(".....P", "C1:O1", Some(1))]
#[case::with_center_1_and_2("P.....", "C2:O2", None)]
fn a_pillar_stands_between_two_spaces_of_its_star_and_two_of_the_center(
    #[case] center: &str,
    #[case] last: &str,
    #[case] bonus: Option<u8>,
) {
    let table = two().star(Seat::First, Star::Orange, ".OO...");
    let mut position =
        table.star(Seat::First, Star::Center, center).hand(Seat::First, "O2").position();

    play(&mut position, last);

    assert_eq!(due(&position), bonus);
}

/// Situation 51.
#[test]
fn a_space_between_two_pillars_may_complete_both() {
    let mut position = two()
        .star(Seat::First, Star::Orange, ".OO...")
        .star(Seat::First, Star::Red, ".RR...")
        .star(Seat::First, Star::Center, ".P...G")
        .hand(Seat::First, "O")
        .position();

    let events = play(&mut position, "C1:O1");

    assert_eq!(due(&position), Some(2));
    assert!(events.contains(&Event::BonusEarned { seat: Seat::First, tiles: 2 }));
}

/// Situation 52.
#[test]
fn several_bonuses_are_taken_together_before_the_supply_is_refilled() {
    let mut position = two()
        .star(Seat::First, Star::Orange, "O.O...")
        .star(Seat::First, Star::Red, "..RR..")
        .star(Seat::First, Star::Center, "G....P")
        .hand(Seat::First, "O2")
        .supply("OR2B3G4")
        .position();

    play(&mut position, "O2:O2");
    let (bonus, supply) = (due(&position), position.supply());
    let refusal = refuse(&position, "+OR");
    play(&mut position, "+ORB");

    assert_eq!((bonus, supply), (Some(3), tiles("OR2B3G4")));
    assert_eq!(refusal, IllegalMove::BonusSize { due: 3, found: 2 });
    assert_eq!(position.board(Seat::First).hand(), tiles("ORB"));
    assert_eq!((position.supply(), position.phase()), (tiles("RB2G4"), Phase::TopUp));
    assert_eq!(refuse(&position, "pass"), IllegalMove::DealDue);
    deal_all(&mut position);
    assert_eq!((position.supply().total(), position.phase()), (10, Phase::Play));
    assert_eq!(position.to_move(), Some(Seat::Second));
}

/// Situation 53.
#[test]
fn bonus_tiles_may_all_be_wild_and_are_used_from_the_next_turn_on() {
    let mut position = two()
        .star(Seat::First, Star::Green, "....G.")
        .hand(Seat::First, "G6R")
        .hand(Seat::Second, "Y")
        .supply("O7P3")
        .position();

    play(&mut position, "G6:G6");
    assert_eq!(due(&position), Some(3));
    play(&mut position, "+P3");
    deal_all(&mut position);
    play(&mut position, "Y1:Y1 R4:R1");

    let board = position.board(Seat::First);
    assert_eq!(board.color_at(Star::Red, Space::Four), Some(Color::Red));
    assert_eq!(board.hand(), tiles("-"));
    assert_eq!(position.round(), 1);
}

/// Situation 54. Another engine waits for the second tile forever.
#[test]
fn a_supply_with_too_few_tiles_gives_what_it_has() {
    let mut position = Table::all_tiles_laid()
        .star(Seat::Fourth, Star::Orange, "OOOO..")
        .star(Seat::Fourth, Star::Red, "RRRR..")
        .star(Seat::Fourth, Star::Yellow, "YYYYY.")
        .star(Seat::First, Star::Orange, ".O....")
        .star(Seat::First, Star::Red, "..RR..")
        .hand(Seat::First, "O")
        .supply("Y")
        .position();
    assert_eq!(position.stock().due(200), 0);

    play(&mut position, "O1:O1");
    assert_eq!(due(&position), Some(1));
    play(&mut position, "+Y");

    assert_eq!(position.supply(), tiles("-"));
    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Second)));
}

#[test]
fn an_empty_supply_gives_nothing_and_the_turn_is_over() {
    let mut position = Table::all_tiles_laid()
        .star(Seat::Fourth, Star::Orange, "OOOO..")
        .star(Seat::Fourth, Star::Red, "RRRR..")
        .star(Seat::First, Star::Orange, ".O....")
        .star(Seat::First, Star::Red, "..RR..")
        .hand(Seat::First, "O")
        .position();

    play(&mut position, "O1:O1");

    assert_eq!((position.phase(), position.to_move()), (Phase::Play, Some(Seat::Second)));
}

#[test]
fn bonus_tiles_come_from_the_supply_only() {
    let mut position = two()
        .star(Seat::First, Star::Green, "....G.")
        .hand(Seat::First, "G6")
        .supply("O7P3")
        .position();

    play(&mut position, "G6:G6");

    assert_eq!(refuse(&position, "+B3"), IllegalMove::NotInSupply { tiles: tiles("B3") });
    assert_eq!(refuse(&position, "pass"), IllegalMove::NotPlaying);
    assert_eq!(position.legal_moves().len(), 4);
}

/// Every feature of the board: its spaces, by star and number, and its bonus tiles.
const FEATURES: [(&[(Star, u8)], u8); 18] = {
    use Star::{Blue, Center, Green, Orange, Purple, Red, Yellow};
    [
        (&[(Orange, 2), (Orange, 3), (Center, 6), (Center, 1)], 1),
        (&[(Red, 2), (Red, 3), (Center, 1), (Center, 2)], 1),
        (&[(Blue, 2), (Blue, 3), (Center, 2), (Center, 3)], 1),
        (&[(Yellow, 2), (Yellow, 3), (Center, 3), (Center, 4)], 1),
        (&[(Green, 2), (Green, 3), (Center, 4), (Center, 5)], 1),
        (&[(Purple, 2), (Purple, 3), (Center, 5), (Center, 6)], 1),
        (&[(Orange, 1), (Orange, 2), (Red, 3), (Red, 4)], 2),
        (&[(Red, 1), (Red, 2), (Blue, 3), (Blue, 4)], 2),
        (&[(Blue, 1), (Blue, 2), (Yellow, 3), (Yellow, 4)], 2),
        (&[(Yellow, 1), (Yellow, 2), (Green, 3), (Green, 4)], 2),
        (&[(Green, 1), (Green, 2), (Purple, 3), (Purple, 4)], 2),
        (&[(Purple, 1), (Purple, 2), (Orange, 3), (Orange, 4)], 2),
        (&[(Orange, 5), (Orange, 6)], 3),
        (&[(Red, 5), (Red, 6)], 3),
        (&[(Blue, 5), (Blue, 6)], 3),
        (&[(Yellow, 5), (Yellow, 6)], 3),
        (&[(Green, 5), (Green, 6)], 3),
        (&[(Purple, 5), (Purple, 6)], 3),
    ]
};

/// The color that a full board has on this space.
fn color_on(star: Star, number: u8) -> char {
    FULL_BOARD[star.index()].chars().nth(usize::from(number) - 1).unwrap()
}

/// Whichever space is covered last, and no sooner than that.
#[test]
fn each_pillar_statue_and_window_pays_when_its_last_space_is_covered() {
    for (spaces, bonus) in FEATURES {
        for &(star, number) in spaces {
            let mut drawings = [['.'; 6]; 7];
            for &(other, space) in spaces.iter().filter(|&&space| space != (star, number)) {
                drawings[other.index()][usize::from(space) - 1] = color_on(other, space);
            }
            let letter = color_on(star, number);
            let table = two().hand(Seat::First, &format!("{letter}{number}"));
            let drawings = drawings.map(String::from_iter);
            let table = table.stars(Seat::First, drawings.each_ref().map(String::as_str));
            let mut position = table.position();

            play(&mut position, &format!("{}{number}:{letter}{number}", star.letter()));

            assert_eq!(due(&position), Some(bonus), "{star} {number} of {spaces:?}");
        }
    }
}

#[test]
fn a_board_has_18_features_with_36_bonus_tiles() {
    let table = two().round(6).star(Seat::First, Star::Center, ".RBYGP").hand(Seat::First, "O");
    let table = Star::OUTER
        .into_iter()
        .fold(table, |table, star| table.star(Seat::First, star, FULL_BOARD[star.index()]));
    let mut position = table.position();

    play(&mut position, "C1:O1");

    assert_eq!(FEATURES.iter().map(|&(_, bonus)| bonus).sum::<u8>(), 36);
    // The last space completes the two pillars beside it; all others have paid before.
    assert_eq!(due(&position), Some(2));
    let takes = |action: &Move| matches!(action, Move::TakeBonus(_));
    assert!(position.legal_moves().iter().all(takes));
}
