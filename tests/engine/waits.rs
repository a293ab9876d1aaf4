//! Without a seed every deal waits: the state names the display, and only a deal continues the game.

use azulejo_engine::Table;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::new_game_request::Chance;
use rstest::rstest;

use crate::caller::{apply, deal, legal_moves, new_game, written};
use crate::{azul_table, pavilion_table};

fn factory(number: u32) -> game::Display {
    game::Display { display: Some(game::display::Display::Factory(number)) }
}

fn supply() -> game::Display {
    game::Display { display: Some(game::display::Display::Supply(game::Supply {})) }
}

/// The state waits for this display, offers nothing, and refuses this move.
#[track_caller]
fn assert_waits(
    state: &game::GameState,
    due: Option<game::Due>,
    display: game::Display,
    a_move: &str,
) {
    assert_eq!(due.and_then(|due| due.due), Some(game::due::Due::Deal(display)));

    let listed = legal_moves(state).unwrap();
    assert_eq!((listed.moves, listed.due), (vec![], due));

    let refused = apply(&written(state, a_move)).unwrap_err();
    assert_eq!((refused.reason(), refused.rule()), ("ILLEGAL_MOVE", Some("DEAL_DUE")));
}

fn undealt(game: &azul_or_pavilion::Game) -> pb::NewGameResponse {
    let request = pb::NewGameRequest {
        ruleset: Some(game.ruleset()),
        start_seat: 1,
        chance: Some(Chance::Displays(game.displays(&[]))),
    };
    new_game(&request).unwrap()
}

/// The same words for both games.
mod azul_or_pavilion {
    use azulejo_engine::Ruleset;
    use azulejo_rules::parts::{PlayerCount, Side};
    use azulejo_rules::{azul, pavilion};
    use azulejo_wire::game::v1 as game;

    pub(super) enum Game {
        Azul,
        SummerPavilion,
    }

    impl Game {
        pub(super) fn ruleset(&self) -> game::Ruleset {
            let (side, players) = (Side::Colored, PlayerCount::Three);
            match self {
                Self::Azul => Ruleset::Azul(azul::Rules::new(side, players)).message(),
                Self::SummerPavilion => {
                    Ruleset::SummerPavilion(pavilion::Rules::new(side, players)).message()
                }
            }
        }

        pub(super) fn displays(&self, texts: &[&str]) -> game::Displays {
            match self {
                Self::Azul => crate::azul_table::displays(texts),
                Self::SummerPavilion => crate::pavilion_table::displays(texts),
            }
        }
    }
}

use azul_or_pavilion::Game;

fn deal_given(state: game::GameState, displays: game::Displays) -> pb::DealResponse {
    let chance = Some(pb::deal_request::Chance::Displays(displays));
    deal(&pb::DealRequest { state: Some(state), chance, max_displays: 0 }).unwrap()
}

#[test]
fn a_new_game_of_azul_without_displays_waits_for_each_factory_in_turn() {
    let answer = undealt(&Game::Azul);
    let (mut state, mut due) = (answer.state.unwrap(), answer.due);

    for number in 1..=7 {
        assert_waits(&state, due, factory(number), "1B1");
        let answer = deal_given(state, Game::Azul.displays(&["BYRK"]));
        (state, due) = (answer.state.unwrap(), answer.due);
    }

    assert_eq!(due.unwrap().due, Some(game::due::Due::Seat(1)));
}

#[test]
fn a_new_game_of_summer_pavilion_waits_for_the_supply_first_and_then_for_the_factories() {
    let answer = undealt(&Game::SummerPavilion);
    let (mut state, mut due) = (answer.state.unwrap(), answer.due);

    assert_waits(&state, due, supply(), "1B");
    let answer = deal_given(state, Game::SummerPavilion.displays(&["O2R2B2Y2G2"]));
    (state, due) = (answer.state.unwrap(), answer.due);
    for number in 1..=7 {
        assert_waits(&state, due, factory(number), "1B");
        let answer = deal_given(state, Game::SummerPavilion.displays(&["ORBY"]));
        (state, due) = (answer.state.unwrap(), answer.due);
    }

    assert_eq!(due.unwrap().due, Some(game::due::Due::Seat(1)));
}

#[rstest]
#[case::azul(Game::Azul, &["BYRK", "BYRK"], factory(3), "1B1")]
#[case::pavilion_supply(Game::SummerPavilion, &["O2R2B2Y2G2"], factory(1), "1B")]
#[case::pavilion_factory(Game::SummerPavilion, &["O2R2B2Y2G2", "ORBY"], factory(2), "1B")]
fn a_new_game_with_fewer_displays_than_the_table_has_waits_for_the_next(
    #[case] game: Game,
    #[case] given: &[&str],
    #[case] next: game::Display,
    #[case] a_move: &str,
) {
    let chance = Some(Chance::Displays(game.displays(given)));
    let request = pb::NewGameRequest { ruleset: Some(game.ruleset()), start_seat: 0, chance };

    let answer = new_game(&request).unwrap();

    assert_waits(&answer.state.unwrap(), answer.due, next, a_move);
}

#[test]
fn azul_waits_after_the_last_take_of_a_round() {
    let last_take = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));

    let answer = apply(&written(&azul_table::state(last_take), "cKf")).unwrap();

    assert_waits(&answer.state.unwrap(), answer.due, factory(1), "1B1");
}

#[test]
fn gray_azul_waits_after_the_last_tile_of_a_round_is_laid() {
    let last_tile = azul_table::state(azul_table::tiling(|_| ()));

    let answer = apply(&written(&last_tile, "r1c3")).unwrap();

    assert_waits(&answer.state.unwrap(), answer.due, factory(1), "1B1");
}

#[test]
fn summer_pavilion_waits_for_the_supply_after_bonus_tiles_in_the_middle_of_phase_2() {
    let bonus = pavilion_table::state(pavilion_table::bonus(|_| ()));

    let answer = apply(&written(&bonus, "+O3")).unwrap();

    assert_waits(&answer.state.clone().unwrap(), answer.due, supply(), "pass");
    let topped = deal_given(answer.state.unwrap(), pavilion_table::displays(&["BGY"]));
    assert_eq!(topped.due.unwrap().due, Some(game::due::Due::Seat(1)));
}

#[test]
fn summer_pavilion_waits_for_a_factory_after_the_last_pass_of_a_round() {
    let last_pass = pavilion_table::table(|state| state.passed_seats = vec![1]);

    let answer = apply(&written(&pavilion_table::state(last_pass), "pass")).unwrap();

    assert_waits(&answer.state.unwrap(), answer.due, factory(1), "1B");
}

/// A seat took a bonus before the last pass: the supply of the next round is short.
#[test]
fn summer_pavilion_waits_for_a_short_supply_before_the_factories_of_a_round() {
    let short = pavilion_table::dealing(|state| state.supply = Some(pavilion_table::tiles("O7")));
    let state = pavilion_table::state(short);

    let due = legal_moves(&state).unwrap().due;

    assert_waits(&state, due, supply(), "1B");
    let answer = deal_given(state, pavilion_table::displays(&["BGY"]));
    assert_waits(&answer.state.unwrap(), answer.due, factory(1), "1B");
}

#[test]
fn a_seed_with_the_last_take_fills_all_displays_at_once() {
    let last_take = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));
    let mut request = written(&azul_table::state(last_take), "cKf");
    request.chance = Some(pb::apply_request::Chance::Seed(crate::caller::seed(3)));

    let answer = apply(&request).unwrap();

    // No seat held the marker, and the first seat took it from the center.
    assert_eq!(answer.due.unwrap().due, Some(game::due::Due::Seat(0)));
    assert!(!Table::read(answer.state).unwrap().awaits_deal());
}
