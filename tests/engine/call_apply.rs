//! `Apply` with the legal moves and the score of the next state, alone and in a batch.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Random, Style, play_game};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1::GameState;
use pb::apply_request::{Action, Chance};
use pb::batch_apply_result::Result as Of;

use crate::caller::{apply, batch_apply, legal_moves, score, seed, written};
use crate::either_game::{OnWire, tables};
use crate::{azul_table, pavilion_table};

/// What the options add to an answer is what the calls `LegalMoves` and `Score` say of its state.
fn check(request: &pb::ApplyRequest) {
    let plain = apply(request).unwrap();
    assert_eq!((plain.legal_moves.as_slice(), &plain.score), (&[][..], &None));
    let next = plain.state.clone().unwrap();
    let (moves, points) = (legal_moves(&next).unwrap().moves, score(&next).unwrap().score);

    for (include_legal_moves, include_score) in [(true, false), (false, true), (true, true)] {
        let request = pb::ApplyRequest { include_legal_moves, include_score, ..request.clone() };
        let answer = apply(&request).unwrap();

        let expected = pb::ApplyResponse {
            legal_moves: if include_legal_moves { moves.clone() } else { Vec::new() },
            score: if include_score { points.clone() } else { None },
            ..plain.clone()
        };
        assert_eq!(answer, expected);
        let batch = batch_apply(&pb::BatchApplyRequest { requests: vec![request] }).unwrap();
        assert_eq!(batch.results[0].result, Some(Of::Response(answer)));
    }
}

/// A random move from the state, by its action id, sometimes with a seed for the deals after it.
fn random_move(state: &GameState, random: &mut Random) -> Option<pb::ApplyRequest> {
    let moves = legal_moves(state).unwrap().moves;
    let at = random.below(moves.len().max(1));
    let mut request = written(state, "");
    request.action = Some(Action::ActionId(moves.get(at)?.action_id));
    request.chance = (random.below(2) == 0).then(|| Chance::Seed(seed(5)));
    Some(request)
}

fn check_games<G: OnWire>() {
    for (number, (side, players)) in (0..).zip(tables()) {
        play_game::<G>(side, players, Style::Uniform, number, |position, random| {
            if let Some(request) = random_move(&position.message(), random) {
                check(&request);
            }
        });
    }
}

#[test]
fn apply_of_azul_includes_the_legal_moves_and_the_score_that_their_own_calls_return() {
    check_games::<azul::Position>();
}

#[test]
fn apply_of_summer_pavilion_includes_the_legal_moves_and_the_score_that_their_own_calls_return() {
    check_games::<pavilion::Position>();
}

#[test]
fn a_state_that_waits_for_a_deal_has_a_score_and_no_legal_moves() {
    let last_take = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));
    let last_pass = pavilion_table::table(|state| state.passed_seats = vec![1]);
    for (state, notation) in
        [(azul_table::state(last_take), "cKf"), (pavilion_table::state(last_pass), "pass")]
    {
        let mut request = written(&state, notation);
        (request.include_legal_moves, request.include_score) = (true, true);

        let answer = apply(&request).unwrap();

        assert_eq!(answer.legal_moves, []);
        assert_eq!(answer.score.unwrap().seats.len(), 2);
    }
}
