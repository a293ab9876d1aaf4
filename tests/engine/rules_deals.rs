//! Displays that cannot be dealt are refused by their rule; so are deals that are not due.

use azulejo_engine::EngineError;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1::{AzulState, Displays, GameState};
use pb::deal_request::Chance;
use rstest::rstest;

use crate::azul_table::{dealing, displays, lines, offer, state, tiles};
use crate::caller::{apply, deal, deal_outcomes, new_game, seed, written};
use crate::pavilion_table;

fn deal_given(state: GameState, displays: Displays) -> EngineError {
    let chance = Some(Chance::Displays(displays));
    deal(&pb::DealRequest { state: Some(state), chance, max_displays: 0 }).unwrap_err()
}

/// The bag holds one red tile, so that it runs empty in the next deal.
fn hardly_a_tile(lid: &str) -> AzulState {
    dealing(|table| {
        // White is out of reach: every tile of it lies on a pattern line.
        let all_white = lines(["-", "W", "W2", "W3", "W4"]);
        table.boards.iter_mut().for_each(|board| board.lines.clone_from(&all_white));
        table.lid = Some(tiles(lid));
    })
}

/// Displays that cannot be dealt: what is given, the rule, and the words for it.
pub(crate) fn broken_deals() -> Vec<(GameState, Displays, &'static str, &'static str)> {
    let all_blue_in_the_lid = dealing(|table| table.lid = Some(tiles("B20")));
    let short = || hardly_a_tile("B20Y20R19K20");
    let five = displays(&["BYRK", "BYRK", "BYRK", "BYRK", "BYRK", "BYRK"]);
    let supply = pavilion_table::state(pavilion_table::top_up(|_| ()));
    vec![
        (state(dealing(|_| ())), five, "NOT_DUE", "no deal is due"),
        (state(dealing(|_| ())), displays(&["BYR"]), "DEAL_SIZE", "this deal has 4 tiles, not 3"),
        (state(dealing(|_| ())), displays(&["-"]), "DEAL_SIZE", "this deal has 4 tiles, not 0"),
        (supply, pavilion_table::displays(&["BGYR"]), "DEAL_SIZE", "this deal has 3 tiles, not 4"),
        (
            state(all_blue_in_the_lid),
            displays(&["B4"]),
            "NOT_IN_BAG",
            "the bag holds no more than 0 Blue tiles, the deal has 4",
        ),
        (
            state(short()),
            displays(&["B4"]),
            "LEFT_IN_BAG",
            "the bag runs empty in this deal, so all its 1 Red tiles must come, not 0",
        ),
        (
            state(short()),
            displays(&["RW3"]),
            "NOT_IN_DISCARDS",
            "bag and discards hold no more than 0 White tiles, the deal has 3",
        ),
    ]
}

#[test]
fn every_impossible_deal_is_refused_by_a_rule() {
    for (state, displays, rule, words) in broken_deals() {
        let refused = deal_given(state, displays);

        assert_eq!((refused.reason(), refused.rule()), ("IMPOSSIBLE_DEAL", Some(rule)), "{words}");
        assert!(refused.to_string().ends_with(&format!(": {words}")), "{refused}");
    }
}

#[rstest]
#[case::azul(state(dealing(|_| ())), displays(&["BYRK", "BYR"]), "displays.azul.displays[1]")]
#[case::pavilion(pavilion_table::state(pavilion_table::top_up(|_| ())),
    pavilion_table::displays(&["B"]), "displays.summer_pavilion.displays[0]")]
fn the_display_that_cannot_be_dealt_is_named_by_its_path(
    #[case] state: GameState,
    #[case] displays: Displays,
    #[case] path: &str,
) {
    let refused = deal_given(state, displays);

    assert_eq!(refused.reason(), "IMPOSSIBLE_DEAL");
    assert_eq!(refused.field(), path);
}

#[test]
fn displays_after_a_move_that_needs_none_are_refused() {
    let mut request = written(&state(offer(|_| ())), "1B2");
    request.chance = Some(pb::apply_request::Chance::Displays(displays(&["BYRK"])));

    let refused = apply(&request).unwrap_err();

    assert_eq!((refused.reason(), refused.rule()), ("IMPOSSIBLE_DEAL", Some("NOT_DUE")));
}

#[test]
fn a_new_game_with_more_displays_than_the_table_has_is_refused() {
    let chance = pb::new_game_request::Chance::Displays(displays(&["BYRK"; 6]));
    let ruleset = crate::caller::list_rulesets().rulesets[0].ruleset;
    let request = pb::NewGameRequest { ruleset, start_seat: 0, chance: Some(chance) };

    let refused = new_game(&request).unwrap_err();

    assert_eq!((refused.reason(), refused.rule()), ("IMPOSSIBLE_DEAL", Some("NOT_DUE")));
}

#[rstest]
#[case::in_the_offer(state(offer(|_| ())))]
#[case::in_phase_2(pavilion_table::state(pavilion_table::table(|_| ())))]
#[case::after_the_end(pavilion_table::state(pavilion_table::over(|_| ())))]
fn without_a_due_deal_there_are_no_deals_and_no_outcomes(#[case] state: GameState) {
    let chance = Some(Chance::Seed(seed(1)));
    let request = pb::DealRequest { state: Some(state.clone()), chance, max_displays: 0 };

    for refused in [deal(&request).unwrap_err(), deal_outcomes(&state).unwrap_err()] {
        assert_eq!((refused.reason(), refused.rule()), ("NO_DEAL_DUE", None));
        assert_eq!(
            (refused.field().as_str(), refused.to_string().as_str()),
            ("state", "no deal is due")
        );
    }
}
