//! `DealOutcomes`: exact probabilities, and only outcomes that are possible.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::deal_request::Chance;
use rstest::rstest;

use crate::azul_table::{dealing, displays, state, tiles};
use crate::caller::{deal, deal_outcomes};
use crate::either_game::{OnWire, tables};
use crate::pavilion_table;

fn given(state: &game::GameState, displays: game::Displays) -> pb::DealRequest {
    let chance = Some(Chance::Displays(displays));
    pb::DealRequest { state: Some(state.clone()), chance, max_displays: 0 }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn check(state: &game::GameState, most: usize) {
    let answer = deal_outcomes(state).unwrap();

    assert!((1..=most).contains(&answer.outcomes.len()), "{}", answer.outcomes.len());
    assert_eq!(answer.outcomes.iter().map(|one| one.ways).sum::<u64>(), answer.all_ways);
    let sum: f64 = answer.outcomes.iter().map(|one| one.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    for (at, outcome) in answer.outcomes.iter().enumerate() {
        assert!(outcome.ways > 0);
        let share = outcome.ways as f64 / answer.all_ways as f64;
        assert!((outcome.probability - share).abs() < 1e-12, "{outcome:?}");
        let earlier = &answer.outcomes[..at];
        assert!(earlier.iter().all(|other| other.displays != outcome.displays), "{outcome:?}");
        deal(&given(state, outcome.displays.clone().unwrap())).unwrap();
    }
}

fn check_games<G: OnWire>() {
    for (seed, (side, players)) in (0..).zip(tables()) {
        let mut deals = 0;
        play_game::<G>(side, players, Style::Dear, seed, |position, random| {
            // One deal in four: the supply of a new game alone has 3,003 outcomes.
            let is_first = deals == 0;
            if position.awaits_deal() && !is_first && random.below(4) == 0 {
                check(&position.message(), 3003);
            }
            deals += usize::from(position.awaits_deal());
        });
    }
}

#[test]
fn the_outcomes_of_azul_deals_can_all_be_dealt_and_their_chances_add_up() {
    check_games::<azul::Position>();
}

#[test]
fn the_outcomes_of_summer_pavilion_deals_can_all_be_dealt_and_their_chances_add_up() {
    check_games::<pavilion::Position>();
}

#[test]
fn a_factory_of_a_full_bag_has_seventy_outcomes_and_names_itself() {
    let state = state(dealing(|_| ()));

    let answer = deal_outcomes(&state).unwrap();

    let first = game::display::Display::Factory(1);
    assert_eq!(answer.display, Some(game::Display { display: Some(first) }));
    assert_eq!((answer.outcomes.len(), answer.all_ways), (70, 3_921_225));
    check(&state, 70);
}

#[test]
fn a_top_up_of_three_tiles_has_fifty_six_outcomes() {
    let state = pavilion_table::state(pavilion_table::top_up(|_| ()));

    let answer = deal_outcomes(&state).unwrap();

    let supply = game::display::Display::Supply(game::Supply {});
    assert_eq!(answer.display, Some(game::Display { display: Some(supply) }));
    assert_eq!(answer.outcomes.len(), 56);
    check(&state, 56);
}

/// One red tile is left in the bag: it is certain, the others come from the lid.
#[rstest]
#[case::without_the_sure_tile("B4")]
#[case::too_many_tiles("RB4")]
#[case::too_few_tiles("RB2")]
fn what_is_not_listed_cannot_be_dealt(#[case] other: &str) {
    let state = state(dealing(|table| table.lid = Some(tiles("B20Y20R19K20W20"))));
    let answer = deal_outcomes(&state).unwrap();
    // Three of five colors, with repetition.
    assert_eq!(answer.outcomes.len(), 35);

    let other = displays(&[other]);
    assert!(answer.outcomes.iter().all(|one| one.displays.as_ref() != Some(&other)));
    let refused = deal(&given(&state, other)).unwrap_err();

    assert_eq!(refused.reason(), "IMPOSSIBLE_DEAL");
}

#[test]
fn every_single_display_that_is_not_listed_is_refused() {
    let state = state(dealing(|table| table.lid = Some(tiles("B19Y19K20W20"))));
    let listed = deal_outcomes(&state).unwrap();
    let (mut dealt, mut refused) = (0, 0);

    for number in 0..5_u32.pow(5) {
        let count = |place: u32| number / 5_u32.pow(place) % 5;
        let (blue, yellow, red, black, white) = (count(0), count(1), count(2), count(3), count(4));
        let tiles = game::AzulTiles { blue, yellow, red, black, white };
        let one = game::AzulDisplays { displays: vec![tiles] };
        let one = game::Displays { game: Some(game::displays::Game::Azul(one)) };
        let is_listed = listed.outcomes.iter().any(|o| o.displays.as_ref() == Some(&one));
        assert_eq!(deal(&given(&state, one)).is_ok(), is_listed, "{tiles:?}");
        if is_listed { dealt += 1 } else { refused += 1 }
    }

    // One blue, one yellow, up to four red.
    assert_eq!((dealt, refused), (4, 3121));
}
