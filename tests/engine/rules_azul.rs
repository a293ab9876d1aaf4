//! Azul: every illegal move is refused by the rule it breaks.

use azulejo_rules::azul::{Move, Position};
use azulejo_wire::engine::v1::apply_request::Action;
use azulejo_wire::game::v1::AzulState;
use rstest::rstest;

use crate::azul_table::{dealing, lines, offer, over, state, tiling, wall};
use crate::caller::{apply, written};
use crate::either_game::OnWire;

/// A state, a move that is illegal there, the rule it breaks, and the words for it.
pub(crate) fn broken_rules() -> Vec<(AzulState, &'static str, &'static str, &'static str)> {
    let held = |line: &'static str| {
        offer(move |table| table.boards[0].lines = lines(["-", line, "-", "-", "-"]))
    };
    let shown = offer(|table| {
        table.boards[0].wall = wall(["B....", ".....", ".....", ".....", "....."]);
    });
    let covered = tiling(|table| {
        table.boards[0].wall = wall(["R....", ".....", ".....", ".....", "....."]);
    });
    let in_column = tiling(|table| {
        table.boards[0].wall = wall([".....", ".....", ".....", ".....", "B...."]);
    });
    let two_lines = tiling(|table| table.boards[0].lines = lines(["B", "R2", "-", "-", "-"]));
    vec![
        (over(|_| ()), "cBf", "GAME_OVER", "the game is over"),
        (
            dealing(|_| ()),
            "1B1",
            "DEAL_DUE",
            "a factory display waits to be filled before anyone can move",
        ),
        (
            tiling(|_| ()),
            "cBf",
            "NOT_OFFERING",
            "tiles are taken in the factory offer only; now the walls are tiled",
        ),
        (offer(|_| ()), "r1c1", "NOT_TILING", "no place on the wall is to be chosen now"),
        (offer(|_| ()), "6B1", "NO_SUCH_FACTORY", "this table has no factory display 6"),
        (offer(|_| ()), "1K1", "COLOR_ABSENT", "no black tiles there"),
        (offer(|_| ()), "cBf", "COLOR_ABSENT", "no blue tiles there"),
        (held("R"), "1B2", "LINE_HOLDS_OTHER_COLOR", "pattern line 2 holds red tiles"),
        (held("B2"), "1B2", "LINE_COMPLETE", "pattern line 2 is complete"),
        (shown, "1B1", "COLOR_ON_WALL", "row 1 of the wall shows blue already"),
        (two_lines, "r2c1", "OTHER_ROW_DUE", "line 1 is first: lines are tiled from the top"),
        (covered, "r1c1", "CELL_COVERED", "row 1, column 1 is covered"),
        (in_column, "r1c1", "COLOR_IN_COLUMN", "column 1 shows blue already"),
    ]
}

#[test]
fn every_illegal_move_of_azul_breaks_a_rule_by_name() {
    for (message, text, rule, words) in broken_rules() {
        let state = state(message);
        let mut typed = written(&state, "");
        let action: Move = text.parse().unwrap();
        typed.action = Some(Action::Move(Position::to_wire(action)));

        for request in [written(&state, text), typed] {
            let refused = apply(&request).expect_err(rule);
            assert_eq!((refused.reason(), refused.rule()), ("ILLEGAL_MOVE", Some(rule)), "{text}");
            assert!(refused.to_string().ends_with(&format!(": {words}")), "{refused}");
        }
    }
}

#[test]
fn a_refusal_says_once_that_the_move_is_illegal() {
    let refused = apply(&written(&state(offer(|_| ())), "1K1")).unwrap_err();

    assert_eq!(refused.to_string(), "illegal move: no black tiles there");
}

/// The error names a field that the caller has set.
#[rstest]
#[case::by_the_move(Action::Move(Position::to_wire("1K1".parse().unwrap())), "move")]
#[case::by_its_number(Action::ActionId(48), "action_id")]
#[case::by_its_notation(Action::Notation("1K1".to_owned()), "notation")]
fn an_illegal_move_is_an_error_of_the_field_that_has_the_move(
    #[case] action: Action,
    #[case] field: &str,
) {
    let mut request = written(&state(offer(|_| ())), "");
    request.action = Some(action);

    let refused = apply(&request).unwrap_err();

    assert_eq!((refused.reason(), refused.rule()), ("ILLEGAL_MOVE", Some("COLOR_ABSENT")));
    assert_eq!(refused.field(), field);
}

#[rstest]
#[case::just_beyond(180)]
#[case::beyond_sixteen_bits(65_536)]
#[case::largest(u32::MAX)]
fn a_number_beyond_the_action_space_is_not_an_action(#[case] id: u32) {
    let mut request = written(&state(offer(|_| ())), "");
    request.action = Some(Action::ActionId(id));

    let refused = apply(&request).unwrap_err();

    assert_eq!((refused.reason(), refused.rule()), ("NO_SUCH_ACTION", None));
    assert_eq!(refused.field(), "action_id");
    let told = format!("action {id} is not in the action space, which has 180 ids from 0");
    assert_eq!(refused.to_string(), told);
}

#[rstest]
#[case::empty("", 1)]
#[case::of_the_other_game("pass", 1)]
#[case::unknown_color("1X1", 2)]
#[case::line_6("1B6", 3)]
#[case::too_long("1B12", 4)]
fn a_notation_that_cannot_be_read_says_where(#[case] text: &str, #[case] at: usize) {
    let refused = apply(&written(&state(offer(|_| ())), text)).unwrap_err();

    assert_eq!((refused.reason(), refused.field().as_str()), ("BAD_NOTATION", "notation"));
    assert!(refused.to_string().contains(&format!("character {at}")), "{refused}");
}
