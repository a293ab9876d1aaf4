//! A wrong field that only one call has is named: of a drawing, of playouts, of a deal.

use azulejo_engine::EngineError;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use rstest::rstest;

use crate::caller::{assert_refused, deal, playouts, render};
use crate::{azul_table, pavilion_table};

const REQUIRED: &str = "this field is required";

fn azul() -> game::GameState {
    azul_table::state(azul_table::offer(|_| ()))
}

fn drawn(change: impl FnOnce(&mut pb::RenderRequest)) -> EngineError {
    let mut request = pb::RenderRequest { state: Some(azul()), format: None, names: vec![] };
    change(&mut request);
    render(&request).unwrap_err()
}

fn named(first: &str) -> EngineError {
    drawn(|request| request.names = vec![first.to_owned(), "Rui".to_owned()])
}

#[rstest]
#[case::one_name_for_two_seats(drawn(|request| request.names = vec!["Ana".to_owned()]),
    "names", "WRONG_COUNT", "1 entries, but 2 are expected")]
#[case::an_escape_sequence(
    named("\u{1b}[31mAna"),
    "names[0]",
    "CONTROL_CHARACTER",
    "a control character cannot be shown"
)]
#[case::a_line_feed(
    named("A\nna"),
    "names[0]",
    "CONTROL_CHARACTER",
    "a control character cannot be shown"
)]
#[case::a_control_character_of_eight_bits(
    named("A\u{9b}31m"),
    "names[0]",
    "CONTROL_CHARACTER",
    "a control character cannot be shown"
)]
#[case::sixty_five_letters_of_two_bytes(named(&"é".repeat(65)),
    "names[0]", "TOO_LONG", "65 characters are more than 64")]
#[case::an_unknown_theme(drawn(|request| {
        request.format = Some(pb::render_request::Format::Svg(pb::RenderSvg { theme: 4 }));
    }), "svg.theme", "NO_SUCH_ENUM_VALUE", "unknown RenderTheme value: 4")]
fn a_wrong_field_of_a_drawing_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    assert_refused(&refused, field, reason, &format!("{field}: {problem}"));
}

fn play_out(change: impl FnOnce(&mut pb::PlayoutsRequest)) -> EngineError {
    let mut request = pb::PlayoutsRequest { state: Some(azul()), games: 1, policy: 0, seed: None };
    change(&mut request);
    playouts(&request).unwrap_err()
}

#[rstest]
#[case::no_games(play_out(|request| request.games = 0),
    "games", "OUT_OF_RANGE", "0 is not between 1 and 10000")]
#[case::too_many_random_games(play_out(|request| request.games = 10_001),
    "games", "OUT_OF_RANGE", "10001 is not between 1 and 10000")]
#[case::too_many_greedy_games(play_out(|request| (request.games, request.policy) = (201, 2)),
    "games", "OUT_OF_RANGE", "201 is not between 1 and 200")]
#[case::an_unknown_policy(play_out(|request| request.policy = 3),
    "policy", "NO_SUCH_ENUM_VALUE", "unknown PlayoutPolicy value: 3")]
#[case::a_seed_without_bytes(play_out(|request| request.seed = Some(game::Seed::default())),
    "seed.seed", "FIELD_MISSING", REQUIRED)]
fn a_wrong_field_of_playouts_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    assert_refused(&refused, field, reason, &format!("{field}: {problem}"));
}

#[test]
fn a_pavilion_has_ten_displays_at_most() {
    let state = Some(pavilion_table::state(pavilion_table::dealing(|_| ())));
    let displays = pavilion_table::displays(&["B"; 11]);
    let chance = Some(pb::deal_request::Chance::Displays(displays));

    let refused = deal(&pb::DealRequest { state, chance, max_displays: 0 }).unwrap_err();

    let field = "displays.summer_pavilion.displays";
    let told = format!("{field}: 11 entries are more than 10");
    assert_refused(&refused, field, "TOO_MANY", &told);
}

#[test]
fn a_deal_must_say_who_decides_it() {
    let state = Some(azul_table::state(azul_table::dealing(|_| ())));
    let request = pb::DealRequest { state, chance: None, max_displays: 0 };

    let refused = deal(&request).unwrap_err();

    assert_refused(&refused, "chance", "FIELD_MISSING", "chance: this field is required");
}
