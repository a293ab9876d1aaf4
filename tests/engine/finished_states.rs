//! A finished game is as if the next round were to start: the marker or the token is in the center,
//! no seat has passed, and it is the turn of the seat that would start.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::game::v1 as pb;

use crate::caller::{format_position, legal_moves, parse_position};
use crate::either_game::{OnWire, tables};

fn last_state<G: OnWire>(seed: u64, visit: impl Fn(&pb::GameState)) {
    for (side, players) in tables() {
        for style in [Style::Uniform, Style::Eager] {
            let game = play_game::<G>(side, players, style, seed, |_, _| ());
            let state = game.last.message();
            visit(&state);
            // And such a state is accepted.
            let due = legal_moves(&state).unwrap().due.unwrap().due;
            assert_eq!(due, Some(pb::due::Due::GameOver(pb::GameOver {})));
            let text = format_position(&state).unwrap().position;
            assert_eq!(parse_position(&text).unwrap().state, Some(state));
        }
    }
}

#[test]
fn a_finished_state_of_azul_is_as_before_the_next_round() {
    for seed in 0..20 {
        last_state::<azul::Position>(seed, |state| {
            let Some(pb::game_state::Game::Azul(state)) = &state.game else { panic!("{state:?}") };
            assert_eq!(state.phase(), pb::AzulPhase::Over);
            assert_eq!(state.turn_seat, state.start_seat);
            assert!(state.boards.iter().all(|board| !board.has_marker), "{state:?}");
            let empty = pb::AzulTiles::default();
            assert_eq!(state.center, Some(empty));
            assert!(state.factories.iter().all(|tiles| *tiles == empty), "{state:?}");
            assert!(state.boards.iter().all(|board| board.floor == Some(empty)), "{state:?}");
        });
    }
}

#[test]
fn a_finished_state_of_summer_pavilion_is_as_before_the_next_round() {
    for seed in 0..20 {
        last_state::<pavilion::Position>(seed, |state| {
            let Some(pb::game_state::Game::SummerPavilion(state)) = &state.game else {
                panic!("{state:?}")
            };
            assert_eq!(state.phase(), pb::SummerPavilionPhase::Over);
            assert_eq!((state.round, state.turn_seat), (6, state.start_seat));
            assert!(state.passed_seats.is_empty(), "{state:?}");
            assert!(state.boards.iter().all(|board| !board.has_token), "{state:?}");
            let empty = pb::SummerPavilionTiles::default();
            assert_eq!(state.center, Some(empty));
            assert!(state.factories.iter().all(|tiles| *tiles == empty), "{state:?}");
        });
    }
}
