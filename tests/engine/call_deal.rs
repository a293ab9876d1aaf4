//! `Deal`: as many displays as asked for.

use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::deal_request::Chance;
use rstest::rstest;

use crate::caller::{deal, seed};
use crate::either_game::{OnWire, count};
use crate::{azul_table, pavilion_table};

fn request(state: game::GameState, chance: Chance, max_displays: u32) -> pb::DealRequest {
    pb::DealRequest { state: Some(state), chance: Some(chance), max_displays }
}

#[rstest]
#[case::all(0, 5)]
#[case::two(2, 2)]
#[case::more_than_wait(u32::MAX, 5)]
fn a_seed_fills_as_many_displays_as_asked_for(#[case] most: u32, #[case] filled: usize) {
    let state = azul_table::state(azul_table::dealing(|_| ()));

    let answer = deal(&request(state, Chance::Seed(seed(5)), most)).unwrap();

    assert_eq!(count(&azulejo_rules::azul::Position::displays(&answer.events)), filled);
}

#[test]
fn single_deals_and_one_deal_of_all_lead_to_the_same_state() {
    let first = pavilion_table::state(pavilion_table::dealing(|_| ()));
    let at_once = deal(&request(first.clone(), Chance::Seed(seed(5)), 0)).unwrap();

    let mut state = first;
    for _ in 0..5 {
        state = deal(&request(state, Chance::Seed(seed(5)), 1)).unwrap().state.unwrap();
    }

    assert_eq!(Some(state), at_once.state);
}

#[test]
fn a_deal_of_no_display_is_refused() {
    let state = azul_table::state(azul_table::dealing(|_| ()));
    let none = Chance::Displays(azul_table::displays(&[]));

    let refused = deal(&request(state, none, 0)).unwrap_err();

    assert_eq!((refused.reason(), refused.field().as_str()), ("FIELD_MISSING", "displays"));
}

#[test]
fn given_displays_say_themselves_how_many_they_are() {
    let state = azul_table::state(azul_table::dealing(|_| ()));
    let two = Chance::Displays(azul_table::displays(&["BYRK", "BYRK"]));

    let refused = deal(&request(state, two, 1)).unwrap_err();

    assert_eq!((refused.reason(), refused.field().as_str()), ("OUT_OF_RANGE", "max_displays"));
}

#[test]
fn a_refused_display_spoils_the_whole_deal() {
    let state = azul_table::state(azul_table::dealing(|_| ()));
    let half = Chance::Displays(azul_table::displays(&["BYRK", "BYR"]));

    let refused = deal(&request(state, half, 0));

    assert_eq!(refused.unwrap_err().rule(), Some("DEAL_SIZE"));
}
