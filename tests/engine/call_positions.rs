//! `FormatPosition` and `ParsePosition`: states as one line of text, and back.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::game::v1::GameState;
use rstest::rstest;

use crate::caller::{assert_refused, format_position, legal_moves, parse_position};
use crate::either_game::{OnWire, tables};
use crate::{azul_table, pavilion_table, spoiled_azul, spoiled_pavilion};

fn check_games<G: OnWire>() {
    for (number, (side, players)) in (0..).zip(tables()) {
        for style in [Style::Uniform, Style::Eager] {
            play_game::<G>(side, players, style, number, |position, _| {
                let state = position.message();

                let text = format_position(&state).unwrap().position;
                let parsed = parse_position(&text).unwrap();

                assert_eq!(text, position.to_string());
                assert!(!text.contains(char::is_control) && text.len() < 1_000, "{text}");
                assert_eq!(parsed.due, legal_moves(&state).unwrap().due, "{text}");
                assert_eq!(parsed.state, Some(state), "{text}");
            });
        }
    }
}

#[test]
fn every_state_of_azul_games_becomes_text_and_comes_back() {
    check_games::<azul::Position>();
}

#[test]
fn every_state_of_summer_pavilion_games_becomes_text_and_comes_back() {
    check_games::<pavilion::Position>();
}

#[test]
fn a_text_may_have_more_spaces_than_it_needs() {
    let state = azul_table::state(azul_table::offer(|_| ()));
    let text = format_position(&state).unwrap().position;

    let parsed = parse_position(&format!("  {}\n", text.replace(' ', "  "))).unwrap();

    assert_eq!(parsed.state.unwrap().game, format_and_parse(&state).game);
}

/// The state with everything set, as the engine returns it.
fn format_and_parse(state: &GameState) -> GameState {
    parse_position(&format_position(state).unwrap().position).unwrap().state.unwrap()
}

#[test]
fn a_text_is_required() {
    let refused = parse_position("").unwrap_err();

    assert_refused(&refused, "position", "FIELD_MISSING", "position: this field is required");
}

#[rstest]
#[case::letters("x")]
#[case::letters_of_two_bytes("é")]
fn a_text_has_4096_characters_at_most(#[case] letter: &str) {
    let longest = parse_position(&letter.repeat(4096)).unwrap_err();
    let too_long = parse_position(&letter.repeat(4097)).unwrap_err();

    assert_eq!(longest.reason(), "BAD_POSITION_TEXT");
    let told = "position: 4097 characters are more than 4096";
    assert_refused(&too_long, "position", "TOO_LONG", told);
}

#[rstest]
#[case::another_game("chess", "at character 1: expected azul")]
#[case::spaces_only("   ", "at character 4: expected azul")]
#[case::nothing_after_the_game("azul", "at character 5: expected colored or gray")]
#[case::another_side("summer-pavilion blue", "at character 17: expected colored or gray")]
#[case::five_players("azul gray 5", "at character 11: expected 2, 3 or 4 players")]
#[case::no_round("azul gray 2 offer", "at character 13: expected round")]
#[case::another_phase(
    "azul gray 2 round 1/50 hello",
    "at character 24: expected deal, offer, tiling, over:row, over:limit or over:tiles"
)]
fn a_text_that_cannot_be_read_is_refused_with_the_place(#[case] text: &str, #[case] place: &str) {
    let refused = parse_position(text).unwrap_err();

    let told = format!("invalid position: {place}");
    assert_refused(&refused, "position", "BAD_POSITION_TEXT", &told);
}

/// Cutting a text off, or adding to it, is noticed at the end of what is right.
#[test]
fn a_text_that_ends_too_early_or_too_late_is_refused_with_the_place() {
    for state in [
        azul_table::state(azul_table::offer(|_| ())),
        pavilion_table::state(pavilion_table::acquire(|_| ())),
    ] {
        let text = format_position(&state).unwrap().position;
        for (end, _) in text.match_indices(' ') {
            let refused = parse_position(&text[..end]).unwrap_err();
            assert_eq!(refused.reason(), "BAD_POSITION_TEXT", "{}", &text[..end]);
            let place = format!("at character {}: ", end + 1);
            assert!(refused.to_string().contains(&place), "{refused}: {}", &text[..end]);
        }
        let refused = parse_position(&format!("{text} more")).unwrap_err();
        let place = format!("at character {}: expected the end", text.len() + 2);
        let told = format!("invalid position: {place}");
        assert_refused(&refused, "position", "BAD_POSITION_TEXT", &told);
    }
}

/// The text of a state that the rules refuse, written by hand: `FormatPosition` does not write one.
fn illegal<S: ToString, M: TryInto<S>>(message: M) -> String {
    message.try_into().unwrap_or_else(|_| panic!("the form is right")).to_string()
}

#[test]
fn an_illegal_position_of_azul_has_the_reason_of_that_position() {
    for spoiled in spoiled_azul::spoiled() {
        let text = illegal::<azul::Setup, _>(spoiled.state);

        let refused = parse_position(&text).unwrap_err();

        let told = format!("invalid Azul position: {}", spoiled.message);
        assert_refused(&refused, "position", spoiled.reason, &told);
    }
}

#[test]
fn an_illegal_position_of_summer_pavilion_has_the_reason_of_that_position() {
    for spoiled in spoiled_pavilion::spoiled() {
        let text = illegal::<pavilion::Setup, _>(spoiled.state);

        let refused = parse_position(&text).unwrap_err();

        let told = format!("invalid Summer Pavilion position: {}", spoiled.message);
        assert_refused(&refused, "position", spoiled.reason, &told);
    }
}

/// What the form of a message forbids can be written as text. The rules refuse it.
#[rstest]
#[case::turn(" turn 0 ", " turn 2 ", "NO_SUCH_SEAT")]
#[case::start(" start 0 ", " start 3 ", "NO_SUCH_SEAT")]
#[case::marker(" marker center ", " marker 2 ", "NO_SUCH_SEAT")]
#[case::no_rounds(" round 5/50 ", " round 5/0 ", "ROUND_OUT_OF_RANGE")]
#[case::too_few_factories(" B2YR/-/-/-/- ", " B2YR/-/- ", "WRONG_COUNT")]
fn a_text_can_be_wrong_where_a_message_cannot(
    #[case] right: &str,
    #[case] wrong: &str,
    #[case] reason: &str,
) {
    let state = azul_table::state(azul_table::offer(|_| ()));
    let text = format_position(&state).unwrap().position;
    assert!(text.contains(right), "{text}");

    let refused = parse_position(&text.replace(right, wrong)).unwrap_err();

    assert_eq!((refused.field().as_str(), refused.reason()), ("position", reason), "{refused}");
}

#[rstest]
#[case::token(" token center ", " token 3 ")]
#[case::passed(" passed - ", " passed 2 ")]
fn a_text_of_summer_pavilion_can_name_a_seat_that_does_not_exist(
    #[case] right: &str,
    #[case] wrong: &str,
) {
    let state = pavilion_table::state(pavilion_table::table(|_| ()));
    let text = format_position(&state).unwrap().position;
    assert!(text.contains(right), "{text}");

    let refused = parse_position(&text.replace(right, wrong)).unwrap_err();

    assert_eq!((refused.field().as_str(), refused.reason()), ("position", "NO_SUCH_SEAT"));
}

#[test]
fn a_state_that_the_rules_refuse_has_no_text() {
    let state = azul_table::state(azul_table::offer(|state| state.boards[1].points = 3));

    let refused = format_position(&state).unwrap_err();

    assert_eq!(refused.reason(), "POINTS_OUT_OF_RANGE");
    assert_eq!(refused.field(), "state.azul.boards[1].points");
}
