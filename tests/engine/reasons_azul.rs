//! Azul: every state that breaks one rule is refused with its own reason, and the field is named.

use azulejo_engine::EngineError;
use azulejo_rules::azul::BadPosition;
use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_wire::azul_path;
use azulejo_wire::game::v1 as pb;
use rstest::rstest;

use crate::azul_table::{dealing, offer, over, state, tiling};
use crate::caller::{assert_refused, legal_moves};
use crate::spoiled_azul::{Spoiled, after, spoiled};

#[test]
fn every_spoiled_state_of_azul_is_refused_with_its_reason() {
    for Spoiled { state: message, reason, field, message: problem } in spoiled() {
        let refused = legal_moves(&state(message)).expect_err(problem);

        let dot = if field.is_empty() { "" } else { "." };
        let path = format!("state.azul{dot}{field}");
        assert_refused(&refused, &path, reason, &format!("invalid Azul position: {problem}"));
    }
}

/// The states that were spoiled were good before.
#[rstest]
#[case::offer(offer(|_| ()))]
#[case::dealing(dealing(|_| ()))]
#[case::tiling(tiling(|_| ()))]
#[case::over(over(|_| ()))]
fn the_states_to_be_spoiled_are_good(#[case] message: pb::AzulState) {
    let due = legal_moves(&state(message)).unwrap().due;

    assert!(due.is_some());
}

fn two(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    after(offer(|_| ()), change)
}

/// The rules refuse these defects too, but no message gets that far: its form is checked before, and
/// the same field is named.
#[rstest]
#[case::boards(two(|table| table.boards.truncate(1)),
    BadPosition::BoardCount { players: PlayerCount::Two, found: 1 }, "WRONG_COUNT")]
#[case::factories(two(|table| table.factories.truncate(4)),
    BadPosition::FactoryCount { players: PlayerCount::Two, found: 4 }, "WRONG_COUNT")]
#[case::turn(two(|table| table.turn_seat = 2), BadPosition::TurnSeat { seat: Seat::Third },
    "OUT_OF_RANGE")]
#[case::start(two(|table| table.start_seat = 3), BadPosition::StartSeat { seat: Seat::Fourth },
    "OUT_OF_RANGE")]
#[case::marker(two(|table| table.boards.push(pb::AzulBoard { has_marker: true, ..<_>::default() })),
    BadPosition::MarkerSeat { seat: Seat::Third }, "WRONG_COUNT")]
fn a_state_of_the_wrong_form_never_reaches_the_rules(
    #[case] message: pb::AzulState,
    #[case] at_the_gate: BadPosition,
    #[case] reason: &str,
) {
    let refused = legal_moves(&state(message)).unwrap_err();

    assert!(matches!(refused, EngineError::BadField(_)), "{refused:?}");
    assert_eq!(refused.reason(), reason);
    assert_eq!(refused.field(), format!("state.azul.{}", azul_path(&at_the_gate)));
}
