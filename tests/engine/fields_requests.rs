//! A wrong field of a request, around the state and the move, is named.

use azulejo_engine::{EngineError, calls};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use azulejo_wire::served::v1 as served;
use pb::apply_request::{Action, Chance};
use rstest::rstest;

use crate::caller::{apply, assert_refused, expand, made, new_game, written};
use crate::{azul_table, pavilion_table};

fn azul() -> game::GameState {
    azul_table::state(azul_table::offer(|_| ()))
}

fn apply_with(change: impl FnOnce(&mut pb::ApplyRequest)) -> EngineError {
    let mut request = written(&azul(), "1B2");
    change(&mut request);
    apply(&request).unwrap_err()
}

fn moved(game: Option<game::r#move::Game>) -> EngineError {
    apply_with(|request| request.action = Some(Action::Move(game::Move { game })))
}

fn pass() -> game::r#move::Game {
    let pass = game::summer_pavilion_move::Move::Pass(game::SummerPavilionPass {});
    game::r#move::Game::SummerPavilion(game::SummerPavilionMove { r#move: Some(pass) })
}

fn seeded(seed: Option<game::seed::Seed>) -> EngineError {
    apply_with(|request| request.chance = Some(Chance::Seed(game::Seed { seed })))
}

fn given(displays: game::Displays) -> EngineError {
    apply_with(|request| request.chance = Some(Chance::Displays(displays)))
}

fn overfull(index: usize) -> game::Displays {
    let mut displays = vec![azul_table::tiles("BYRK"); 3];
    displays[index].white = 21;
    game::Displays { game: Some(game::displays::Game::Azul(game::AzulDisplays { displays })) }
}

fn started(change: impl FnOnce(&mut pb::NewGameRequest)) -> EngineError {
    let ruleset = crate::caller::list_rulesets().rulesets[0].ruleset;
    let mut request = pb::NewGameRequest { ruleset, start_seat: 0, chance: None };
    change(&mut request);
    new_game(&request).unwrap_err()
}

const REQUIRED: &str = "this field is required";

#[rstest]
#[case::no_state(apply_with(|request| request.state = None), "state", "FIELD_MISSING", REQUIRED)]
#[case::no_game(apply_with(|request| request.state = Some(game::GameState::default())),
    "state.game", "FIELD_MISSING", REQUIRED)]
#[case::no_action(apply_with(|request| request.action = None),
    "action", "FIELD_MISSING", REQUIRED)]
#[case::no_game_of_the_move(moved(None), "move.game", "FIELD_MISSING", REQUIRED)]
#[case::a_move_of_no_kind(
    moved(Some(game::r#move::Game::Azul(game::AzulMove::default()))),
    "move.azul.move",
    "FIELD_MISSING",
    REQUIRED
)]
#[case::a_move_of_the_other_game(
    moved(Some(pass())),
    "move",
    "OTHER_GAME",
    "this belongs to the other game"
)]
#[case::a_seed_without_bytes(seeded(None), "seed.seed", "FIELD_MISSING", REQUIRED)]
#[case::a_seed_of_31_bytes(seeded(Some(game::seed::Seed::Key(vec![7; 31]))),
    "seed.key", "SEED_LENGTH", "31 bytes, but a seed has 32")]
#[case::a_seed_of_33_bytes(seeded(Some(game::seed::Seed::Key(vec![7; 33]))),
    "seed.key", "SEED_LENGTH", "33 bytes, but a seed has 32")]
#[case::displays_of_no_game(
    given(game::Displays::default()),
    "displays.game",
    "FIELD_MISSING",
    REQUIRED
)]
#[case::displays_of_the_other_game(given(pavilion_table::displays(&[])),
    "displays", "OTHER_GAME", "this belongs to the other game")]
#[case::a_display_of_21(
    given(overfull(2)),
    "displays.azul.displays[2].white",
    "OUT_OF_RANGE",
    "21 is not between 0 and 20"
)]
#[case::ten_displays(given(azul_table::displays(&["B"; 10])),
    "displays.azul.displays", "TOO_MANY", "10 entries are more than 9")]
#[case::no_ruleset(started(|request| request.ruleset = None),
    "ruleset", "FIELD_MISSING", REQUIRED)]
#[case::a_ruleset_of_no_game(started(|request| request.ruleset = Some(game::Ruleset::default())),
    "ruleset.game", "FIELD_MISSING", REQUIRED)]
#[case::a_start_seat_that_does_not_exist(started(|request| request.start_seat = 2),
    "start_seat", "OUT_OF_RANGE", "2 is not between 0 and 1")]
#[case::a_game_by_a_seed_of_no_bytes(started(|request| {
        let key = Some(game::seed::Seed::Key(vec![]));
        request.chance = Some(pb::new_game_request::Chance::Seed(game::Seed { seed: key }));
    }), "seed.key", "SEED_LENGTH", "0 bytes, but a seed has 32")]
#[case::an_unknown_view(expand(&azul(), 3).unwrap_err(),
    "view", "NO_SUCH_ENUM_VALUE", "unknown ExpandView value: 3")]
fn a_wrong_field_around_the_state_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    assert_refused(&refused, field, reason, &format!("{field}: {problem}"));
}

fn ruled(rules: game::AzulRules) -> EngineError {
    let ruleset = game::Ruleset { game: Some(game::ruleset::Game::Azul(rules)) };
    started(|request| request.ruleset = Some(ruleset))
}

fn rules() -> game::AzulRules {
    game::AzulRules { version: 0, side: 1, players: 2, round_limit: 0 }
}

#[rstest]
#[case::version(ruled(game::AzulRules { version: 2, ..rules() }), "version",
    "UNKNOWN_RULES_VERSION",
    "version 2 of the rules is unknown: this engine plays by version 1")]
#[case::side(ruled(game::AzulRules { side: 0, ..rules() }), "side", "FIELD_MISSING", REQUIRED)]
#[case::players(ruled(game::AzulRules { players: 0, ..rules() }),
    "players", "OUT_OF_RANGE", "0 is not between 2 and 4")]
#[case::round_limit(ruled(game::AzulRules { round_limit: 256, ..rules() }),
    "round_limit", "OUT_OF_RANGE", "256 is not between 1 and 255")]
fn a_wrong_field_of_a_ruleset_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("ruleset.azul.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}

#[test]
fn every_call_about_a_state_requires_it() {
    let missing = [
        calls::legal_moves(served::LegalMovesRequest::default()).unwrap_err(),
        calls::apply(served::ApplyRequest::default()).unwrap_err(),
        calls::deal(served::DealRequest::default()).unwrap_err(),
        calls::deal_outcomes(served::DealOutcomesRequest::default()).unwrap_err(),
        calls::score(served::ScoreRequest::default()).unwrap_err(),
        calls::expand(served::ExpandRequest::default()).unwrap_err(),
        calls::playouts(served::PlayoutsRequest::default(), made, || true).unwrap_err(),
        calls::render(served::RenderRequest::default()).unwrap_err(),
    ];

    for refused in missing {
        assert_refused(&refused, "state", "FIELD_MISSING", "state: this field is required");
    }
}
