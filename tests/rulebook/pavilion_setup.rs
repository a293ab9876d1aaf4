//! Summer Pavilion: "Game setup", and the board.

use azulejo_rules::parts::{PlayerCount, Seat, Side, TileColor, Tiles};
use azulejo_rules::pavilion::{
    Color, Display, Event, IllegalMove, Phase, Position, Rules, Space, Star, WILD_COLORS, cost,
};
use rstest::rstest;

use crate::pavilion_table::{colored, deal_all, refuse, sizes};

fn fresh(players: PlayerCount) -> Position {
    Position::new(Rules::new(Side::Colored, players), Seat::First)
}

/// Situation 37.
#[rstest]
#[case::two_players(PlayerCount::Two, 5, 102)]
#[case::three_players(PlayerCount::Three, 7, 94)]
#[case::four_players(PlayerCount::Four, 9, 86)]
fn a_new_game_lays_out_ten_supply_tiles_and_four_on_each_factory(
    #[case] players: PlayerCount,
    #[case] factories: usize,
    #[case] bag: u8,
) {
    let mut position = fresh(players);

    deal_all(&mut position);

    assert_eq!(position.supply().total(), 10);
    assert_eq!(sizes(&position), vec![4; factories]);
    assert_eq!(position.stock().bag.total(), bag);
    assert_eq!((position.stock().discards, position.center()), (Tiles::EMPTY, Tiles::EMPTY));
    assert_eq!((position.token(), position.phase()), (None, Phase::Acquire));
    assert!(players.iter().all(|seat| position.board(seat).points() == 5));
}

#[test]
fn the_box_holds_twenty_two_tiles_of_each_of_six_colors() {
    let full = Tiles::<Color>::full_box();

    assert_eq!(full.total(), 132);
    assert!(Color::ALL.iter().all(|&color| full.count(color) == 22));
}

#[test]
fn the_supply_is_filled_before_the_factories() {
    let mut position = fresh(PlayerCount::Two);

    assert_eq!(refuse(&position, "1G"), IllegalMove::DealDue);
    let events = deal_all(&mut position);

    let supply = Event::Dealt { display: Display::Supply, tiles: position.supply() };
    assert_eq!(events[0], supply);
    assert_eq!(events.len(), 6);
}

#[rstest]
#[case::first(1, Color::Purple)]
#[case::second(2, Color::Green)]
#[case::third(3, Color::Orange)]
#[case::fourth(4, Color::Yellow)]
#[case::fifth(5, Color::Blue)]
#[case::sixth(6, Color::Red)]
fn each_round_has_its_wild_color(#[case] round: u8, #[case] wild: Color) {
    let position = colored(PlayerCount::Two).round(round).position();

    assert_eq!(position.wild_color(), wild);
    assert_eq!(WILD_COLORS[usize::from(round) - 1], wild);
}

#[test]
fn the_outer_stars_stand_clockwise_from_upper_left() {
    let order: String = Star::ALL.iter().map(|star| star.letter()).collect();

    assert_eq!(order, "ORBYGPC");
    assert_eq!(Star::OUTER.map(Star::color), Color::ALL.map(Some));
    assert_eq!(Color::ALL.map(TileColor::letter), ['O', 'R', 'B', 'Y', 'G', 'P']);
}

#[rstest]
#[case::colored_outer(Side::Colored, &Star::OUTER, [1, 2, 3, 4, 5, 6])]
#[case::colored_center(Side::Colored, &[Star::Center], [1, 2, 3, 4, 5, 6])]
#[case::gray_outer(Side::Gray, &Star::OUTER, [3, 2, 1, 4, 5, 6])]
#[case::gray_center(Side::Gray, &[Star::Center], [3, 3, 3, 3, 3, 3])]
fn a_space_costs_the_number_printed_on_it(
    #[case] side: Side,
    #[case] stars: &[Star],
    #[case] costs: [u8; 6],
) {
    for &star in stars {
        assert_eq!(Space::ALL.map(|space| cost(side, star, space)), costs, "{star}");
    }
}
