//! Summer Pavilion: every state that breaks one rule is refused with its own reason, and the field
//! is named.

use azulejo_engine::EngineError;
use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::pavilion::BadPosition;
use azulejo_wire::game::v1 as pb;
use azulejo_wire::pavilion_path;
use rstest::rstest;

use crate::caller::{assert_refused, legal_moves};
use crate::pavilion_table::{acquire, bonus, dealing, keep, over, state, table, top_up};
use crate::spoiled_pavilion::{Spoiled, after, spoiled};

#[test]
fn every_spoiled_state_of_summer_pavilion_is_refused_with_its_reason() {
    for Spoiled { state: message, reason, field, message: problem } in spoiled() {
        let refused = legal_moves(&state(message)).expect_err(problem);

        let dot = if field.is_empty() { "" } else { "." };
        let path = format!("state.summer_pavilion{dot}{field}");
        let told = format!("invalid Summer Pavilion position: {problem}");
        assert_refused(&refused, &path, reason, &told);
    }
}

/// The states that were spoiled were good before.
#[rstest]
#[case::acquire(acquire(|_| ()))]
#[case::play(table(|_| ()))]
#[case::bonus(bonus(|_| ()))]
#[case::keep(keep(|_| ()))]
#[case::dealing(dealing(|_| ()))]
#[case::top_up(top_up(|_| ()))]
#[case::over(over(|_| ()))]
fn the_pavilions_to_be_spoiled_are_good(#[case] message: pb::SummerPavilionState) {
    let due = legal_moves(&state(message)).unwrap().due;

    assert!(due.is_some());
}

fn two(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    after(table(|_| ()), change)
}

/// The rules refuse these defects too, but no message gets that far: its form is checked before, and
/// the same field is named, or its entry.
#[rstest]
#[case::boards(two(|table| table.boards.truncate(1)),
    BadPosition::BoardCount { players: PlayerCount::Two, found: 1 }, "WRONG_COUNT", "")]
#[case::factories(two(|table| table.factories.truncate(4)),
    BadPosition::FactoryCount { players: PlayerCount::Two, found: 4 }, "WRONG_COUNT", "")]
#[case::turn(two(|table| table.turn_seat = 2), BadPosition::TurnSeat { seat: Seat::Third },
    "OUT_OF_RANGE", "")]
#[case::start(two(|table| table.start_seat = 3), BadPosition::StartSeat { seat: Seat::Fourth },
    "OUT_OF_RANGE", "")]
#[case::token(two(|table| {
        table.boards.push(pb::SummerPavilionBoard { has_token: true, ..<_>::default() });
    }), BadPosition::TokenSeat { seat: Seat::Third }, "WRONG_COUNT", "")]
#[case::passed(two(|table| table.passed_seats = vec![2]),
    BadPosition::PassedSeat { seat: Seat::Third }, "OUT_OF_RANGE", "[0]")]
fn a_pavilion_of_the_wrong_form_never_reaches_the_rules(
    #[case] message: pb::SummerPavilionState,
    #[case] at_the_gate: BadPosition,
    #[case] reason: &str,
    #[case] entry: &str,
) {
    let refused = legal_moves(&state(message)).unwrap_err();

    assert!(matches!(refused, EngineError::BadField(_)), "{refused:?}");
    assert_eq!(refused.reason(), reason);
    let path = pavilion_path(&at_the_gate);
    assert_eq!(refused.field(), format!("state.summer_pavilion.{path}{entry}"));
}
