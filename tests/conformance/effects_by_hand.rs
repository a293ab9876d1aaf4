//! Effects of moves in positions that random games seldom meet.

use azulejo_rules::parts::{PlayerCount, Seat, Side, TileColor, Tiles, Word};
use azulejo_rules::{azul, pavilion};
use rstest::rstest;

fn tiles<C: TileColor>(text: &str) -> Tiles<C> {
    Word { text, at: 1 }.tiles().unwrap()
}

/// Two players, round 5, the first seat to take. All other tiles are in the bag.
fn azul(side: Side, change: impl FnOnce(&mut azul::Setup)) -> azul::Position {
    let rules = azul::Rules::new(side, PlayerCount::Two);
    let mut setup = azul::Setup::from(&azul::Position::new(rules, Seat::First));
    (setup.phase, setup.round) = (azul::Phase::Offer, 5);
    change(&mut setup);
    let mut outside = setup.center;
    outside = setup.factories.iter().fold(outside, |all, &heap| all + heap);
    for board in &setup.boards {
        let wall = board.wall.iter().flatten().flatten().map(|&color| (color, 1));
        for (color, count) in wall.chain(board.lines.iter().flatten().copied()) {
            outside.put(color, count);
        }
        outside += board.floor;
    }
    (setup.bag, setup.drawn) = (Tiles::full_box() - outside, outside.total().into());
    azul::Position::try_from(&setup).unwrap()
}

/// Four players, phase 2 of round 1, the first seat to play. All other tiles are in the bag.
fn pavilion(change: impl FnOnce(&mut pavilion::Setup)) -> pavilion::Position {
    let rules = pavilion::Rules::new(Side::Colored, PlayerCount::Four);
    let mut setup = pavilion::Setup::from(&pavilion::Position::new(rules, Seat::First));
    (setup.phase, setup.supply) = (pavilion::Phase::Play, tiles("O10"));
    change(&mut setup);
    let mut outside = setup.center + setup.supply + setup.tower;
    outside = setup.factories.iter().fold(outside, |all, &heap| all + heap);
    for board in &setup.boards {
        board.stars.iter().flatten().flatten().for_each(|&color| outside.put(color, 1));
        outside += board.hand;
    }
    let drawn = outside.total() - setup.tower.total();
    (setup.bag, setup.drawn) = (Tiles::full_box() - outside, drawn.into());
    pavilion::Position::try_from(&setup).unwrap()
}

/// The center holds B3K, the floor line these tiles. Seven spaces cost 1, 1, 2, 2, 2, 3, 3.
#[rstest]
#[case::empty("-", "cBf", 3, 0, 6)]
#[case::three_spaces_free("Y4", "cBf", 2, 1, 8)]
#[case::one_space_free_for_the_marker("Y6", "cBf", 0, 3, 3)]
#[case::full("Y7", "cBf", 0, 3, 0)]
#[case::full_and_one_tile_on_a_line("Y7", "cB1", 0, 2, 0)]
#[case::one_space_free_and_one_tile_on_a_line("Y6", "cB1", 0, 2, 3)]
fn a_take_from_the_center_brings_the_marker_before_the_tiles(
    #[case] floor: &str,
    #[case] action: &str,
    #[case] to_floor: u8,
    #[case] to_lid: u8,
    #[case] floor_penalty: u16,
) {
    let position = azul(Side::Gray, |setup| {
        setup.center = tiles("B3K");
        setup.boards[0].floor = tiles(floor);
    });

    let effect = position.effect(action.parse().unwrap());

    let to_line = 3 - to_floor - to_lid;
    let expected = azul::Effect {
        taken: 3,
        to_line,
        to_floor,
        to_lid,
        takes_marker: true,
        completes_line: to_line == 1,
        wall_points: 0,
        floor_penalty,
    };
    assert_eq!(effect, expected);
}

#[rstest]
#[case::from_the_center("cBf")]
#[case::from_a_factory("1Bf")]
fn a_marker_that_is_taken_is_not_taken_again(#[case] action: &str) {
    let position = azul(Side::Colored, |setup| {
        (setup.center, setup.factories[0]) = (tiles("B2"), tiles("B2K2"));
        setup.marker = Some(Seat::Second);
    });

    let effect = position.effect(action.parse().unwrap());

    assert!(!effect.takes_marker);
    assert_eq!((effect.to_floor, effect.floor_penalty), (2, 2));
}

/// Row 2 of the wall: white, blue, yellow, red, black. Yellow is in the middle.
#[rstest]
#[case::alone([".....", ".....", ".....", ".....", "....."], 1)]
#[case::in_a_row([".....", ".B.R.", ".....", ".....", "....."], 3)]
#[case::in_a_row_and_a_column(["..R..", ".B.R.", "..B..", ".....", "....."], 6)]
#[case::beside_a_gap([".....", "W...K", ".....", "..W..", "....."], 1)]
fn a_take_that_completes_a_line_scores_the_colored_wall_as_it_is(
    #[case] wall: [&str; 5],
    #[case] points: u16,
) {
    let position = azul(Side::Colored, |setup| {
        setup.factories[0] = tiles("Y2K2");
        setup.boards[0].wall = wall.map(|row| {
            let cells: Vec<_> = row.chars().map(azul::Color::from_letter).collect();
            cells.try_into().unwrap()
        });
        // A complete line beside it does not count: its tile is not on the wall yet.
        setup.boards[0].lines[0] = Some((azul::Color::Red, 1)).filter(|_| points == 1);
    });

    let completed = position.effect("1Y2".parse().unwrap());
    let begun = position.effect("1Y3".parse().unwrap());

    assert_eq!((completed.completes_line, completed.wall_points), (true, points));
    assert_eq!((begun.completes_line, begun.wall_points), (false, 0));
}

/// The token costs a point a tile, but no score drops below 1.
#[rstest]
#[case::enough(5, 3)]
#[case::just_enough(4, 3)]
#[case::not_enough(2, 1)]
#[case::nothing_to_lose(1, 0)]
fn the_token_costs_what_the_score_has(#[case] points: u16, #[case] lost: u16) {
    let position = pavilion(|setup| {
        setup.phase = pavilion::Phase::Acquire;
        setup.center = tiles("B2P2");
        setup.boards[0].points = points;
    });

    let effect = position.effect("cB".parse().unwrap());

    // Purple is wild in the first round; one of them comes along.
    let expected = pavilion::Effect {
        taken: 3,
        wilds_taken: 1,
        takes_token: true,
        lost,
        ..pavilion::Effect::default()
    };
    assert_eq!(effect, expected);
}

#[rstest]
#[case::four_tiles("B4", 5, 0, 0)]
#[case::one_color("B7", 5, 3, 3)]
#[case::several_colors("B4R3", 5, 3, 3)]
#[case::two_points("B4R3", 2, 3, 1)]
#[case::one_point("B4R3", 1, 3, 0)]
fn a_pass_costs_a_point_for_each_tile_above_four(
    #[case] hand: &str,
    #[case] points: u16,
    #[case] discarded: u8,
    #[case] lost: u16,
) {
    let position = pavilion(|setup| {
        (setup.boards[0].hand, setup.boards[0].points) = (tiles(hand), points);
    });

    let effect = position.effect(pavilion::Move::Pass);

    assert_eq!(effect, pavilion::Effect { discarded, lost, ..pavilion::Effect::default() });
}

/// Spaces 5 and 6 of a star surround a window, which gives three tiles of the supply.
#[rstest]
#[case::full_supply("O10", 3)]
#[case::two_left("O2", 2)]
#[case::none_left("-", 0)]
fn a_placement_earns_no_more_bonus_tiles_than_the_supply_has(
    #[case] supply: &str,
    #[case] bonus_tiles: u8,
) {
    // Blue is wild in round 5.
    let position = pavilion(|setup| {
        setup.round = 5;
        setup.boards[0].hand = tiles("R3B3");
        setup.boards[0].stars[1][4] = Some(pavilion::Color::Red);
        setup.supply = tiles(supply);
        if supply != "O10" {
            // A supply is short only if bag and tower are empty: another seat has all other tiles.
            setup.boards[1].hand = tiles("O22R18B19Y22G22P22") - setup.supply;
        }
    });

    let effect = position.effect("R6:R3".parse().unwrap());

    let expected = pavilion::Effect {
        cost: 6,
        wilds_paid: 3,
        points: 2,
        bonus_tiles,
        ..pavilion::Effect::default()
    };
    assert_eq!(effect, expected);
}
