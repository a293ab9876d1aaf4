//! States in answers are complete: every message is set and every list is full. In requests, what is
//! empty may be omitted.

use azulejo_engine::Table;
use azulejo_rules::parts::{Factory, PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::State;
use azulejo_wire::game::v1 as pb;
use prost::Message;
use rstest::rstest;

use crate::caller::legal_moves;
use crate::either_game::OnWire;
use crate::quick_reader::read_generally;

const GAMES: u64 = 12;

/// The state as the general decoder of the messages reads it.
fn decoded(table: &Table) -> pb::GameState {
    pb::GameState::decode(table.state().encode_to_vec().as_slice()).unwrap()
}

fn assert_complete(state: &pb::GameState, players: PlayerCount) {
    let displays = Factory::of(players).len();
    match state.game.as_ref().unwrap() {
        pb::game_state::Game::Azul(state) => {
            assert!(state.rules.is_some());
            for heap in [state.bag, state.lid, state.center] {
                assert!(heap.is_some(), "{state:?}");
            }
            assert_eq!((state.factories.len(), state.boards.len()), (displays, players.seats()));
            for board in &state.boards {
                assert_eq!((board.lines.len(), board.wall.len()), (5, 25), "{state:?}");
                assert!(board.floor.is_some(), "{state:?}");
            }
            assert!(state.boards.iter().filter(|board| board.has_marker).count() <= 1);
        }
        pb::game_state::Game::SummerPavilion(state) => {
            assert!(state.rules.is_some());
            for heap in [state.bag, state.tower, state.supply, state.center] {
                assert!(heap.is_some(), "{state:?}");
            }
            assert_eq!((state.factories.len(), state.boards.len()), (displays, players.seats()));
            for board in &state.boards {
                assert_eq!(board.spaces.len(), 42, "{state:?}");
                assert!(board.hand.is_some(), "{state:?}");
            }
            assert!(state.boards.iter().filter(|board| board.has_token).count() <= 1);
            assert!(state.passed_seats.is_sorted(), "{state:?}");
        }
    }
}

/// The same state with everything omitted that is empty.
fn shortened(mut state: pb::GameState) -> pb::GameState {
    match state.game.as_mut().unwrap() {
        pb::game_state::Game::Azul(state) => {
            for heap in [&mut state.bag, &mut state.lid, &mut state.center] {
                *heap = heap.filter(|tiles| *tiles != pb::AzulTiles::default());
            }
            for board in &mut state.boards {
                board.floor = board.floor.filter(|tiles| *tiles != pb::AzulTiles::default());
                if board.wall.iter().all(|&color| color == 0) {
                    board.wall.clear();
                }
                if board.lines.iter().all(|line| line.tiles == 0) {
                    board.lines.clear();
                }
            }
        }
        pb::game_state::Game::SummerPavilion(state) => {
            let empty = pb::SummerPavilionTiles::default();
            for heap in [&mut state.bag, &mut state.tower, &mut state.supply, &mut state.center] {
                *heap = heap.filter(|tiles| *tiles != empty);
            }
            for board in &mut state.boards {
                board.hand = board.hand.filter(|tiles| *tiles != empty);
                if board.spaces.iter().all(|&color| color == 0) {
                    board.spaces.clear();
                }
            }
        }
    }
    state
}

fn check_games<G: OnWire>(side: Side, players: PlayerCount) {
    let mut shorter = 0;
    for (seed, style) in (0..GAMES).zip([Style::Uniform, Style::Eager, Style::Dear].iter().cycle())
    {
        play_game::<G>(side, players, *style, seed, |&position, _| {
            let state = decoded(&position.into());
            assert_complete(&state, players);

            let short = shortened(state.clone());
            shorter += u64::from(short != state);
            for sent in [state.clone(), short] {
                let arrived = State::decode(sent.encode_to_vec().as_slice()).unwrap();
                assert_eq!(Some(arrived.read()), read_generally(&arrived), "{position}");
                let read = Table::read(Some(arrived));
                assert_eq!(read.as_ref(), Ok(&position.into()), "{position}");
                assert_eq!(decoded(&read.unwrap()), state, "what is returned is complete again");
                assert_eq!(legal_moves(&sent), legal_moves(&state));
            }
        });
    }
    assert!(shorter > GAMES, "only {shorter} states have something to omit");
}

#[rstest]
fn every_state_of_azul_is_complete_and_may_be_sent_without_what_is_empty(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    check_games::<azul::Position>(side, players);
}

#[rstest]
fn every_state_of_summer_pavilion_is_complete_and_may_be_sent_without_what_is_empty(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    check_games::<pavilion::Position>(side, players);
}
