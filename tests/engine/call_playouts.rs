//! `Playouts`: games to their end, the same for the same seed.

use std::cell::Cell;

use azulejo_engine::calls::{MOST_GREEDY_PLAYOUTS, MOST_RANDOM_PLAYOUTS};
use azulejo_engine::{EngineError, calls};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use prost::Message;
use rstest::rstest;

use crate::caller::{made, playouts, score, seed};
use crate::{azul_table, pavilion_table};

const RANDOM: i32 = pb::PlayoutPolicy::Random as i32;
const GREEDY: i32 = pb::PlayoutPolicy::Greedy as i32;

fn azul() -> game::GameState {
    azul_table::state(azul_table::offer(|_| ()))
}

fn pavilion() -> game::GameState {
    pavilion_table::state(pavilion_table::acquire(|_| ()))
}

fn request(state: game::GameState, games: u32, policy: i32) -> pb::PlayoutsRequest {
    pb::PlayoutsRequest { state: Some(state), games, policy, seed: Some(seed(7)) }
}

#[rstest]
#[case::azul_at_random(azul(), RANDOM, 50)]
#[case::azul_greedily(azul(), GREEDY, 5)]
#[case::pavilion_at_random(pavilion(), RANDOM, 50)]
#[case::pavilion_greedily(pavilion(), GREEDY, 5)]
#[case::before_a_deal(azul_table::state(azul_table::dealing(|_| ())), RANDOM, 20)]
#[case::before_a_top_up(pavilion_table::state(pavilion_table::top_up(|_| ())), RANDOM, 20)]
fn the_same_seed_gives_the_same_bytes_and_every_game_is_won_once(
    #[case] state: game::GameState,
    #[case] policy: i32,
    #[case] games: u32,
) {
    let request = request(state, games, policy);

    let (one, other) = (playouts(&request).unwrap(), playouts(&request).unwrap());

    assert_eq!(one.encode_to_vec(), other.encode_to_vec());
    assert_eq!((one.games, one.seats.len(), one.seed), (games, 2, None));
    let wins: f64 = one.seats.iter().map(|seat| seat.wins).sum();
    assert!((wins - f64::from(games)).abs() < 1e-9, "{wins} of {games}");
    assert!(one.mean_moves > 1.0);
    assert!(one.seats.iter().all(|seat| seat.mean_total >= 0.0 && seat.total_deviation >= 0.0));
}

#[test]
fn another_seed_gives_other_games_whichever_byte_differs() {
    let with = |key: Vec<u8>| {
        let seed = Some(game::Seed { seed: Some(game::seed::Seed::Key(key)) });
        playouts(&pb::PlayoutsRequest { seed, ..request(azul(), 20, RANDOM) }).unwrap()
    };
    let first = with(vec![0; 32]);

    for at in 0..32 {
        let mut key = vec![0; 32];
        key[at] = 1;
        assert_ne!(with(key), first, "byte {at}");
    }
}

#[test]
fn without_a_seed_one_is_made_and_returned_and_replays_the_same_games() {
    let unseeded = pb::PlayoutsRequest { seed: None, ..request(pavilion(), 10, RANDOM) };

    let fresh = playouts(&unseeded).unwrap();

    let key = game::seed::Seed::Key(made().bytes().to_vec());
    assert_eq!(fresh.seed, Some(game::Seed { seed: Some(key) }));
    let again = pb::PlayoutsRequest { seed: fresh.seed.clone(), ..unseeded };
    assert_eq!(playouts(&again).unwrap(), pb::PlayoutsResponse { seed: None, ..fresh });
}

#[test]
fn no_policy_is_the_random_one_and_the_greedy_one_is_another() {
    let by = |policy| playouts(&request(azul(), 5, policy)).unwrap();

    assert_eq!(by(0), by(RANDOM));
    assert_ne!(by(GREEDY), by(RANDOM));
}

#[test]
fn the_largest_numbers_of_games_are_played() {
    let over = || azul_table::state(azul_table::over(|_| ()));

    let random = playouts(&request(over(), MOST_RANDOM_PLAYOUTS, RANDOM)).unwrap();
    let greedy = playouts(&request(over(), MOST_GREEDY_PLAYOUTS, GREEDY)).unwrap();

    assert_eq!((random.games, greedy.games), (10_000, 200));
}

#[test]
fn playouts_of_a_finished_game_return_its_score() {
    let state = azul_table::state(azul_table::over(|state| state.boards[0].points = 9));
    let totals: Vec<u32> =
        score(&state).unwrap().score.unwrap().seats.iter().map(|seat| seat.total).collect();
    assert_eq!(totals, [11, 0]);

    let answer = playouts(&request(state, 3, RANDOM)).unwrap();

    let seat = |wins, mean_total| pb::SeatPlayouts { wins, mean_total, total_deviation: 0.0 };
    assert_eq!(answer.seats, [seat(3.0, 11.0), seat(0.0, 0.0)]);
    assert!(answer.mean_moves.abs() < 1e-12);
}

#[test]
fn a_shared_victory_counts_by_its_share() {
    let state = pavilion_table::state(pavilion_table::over(|_| ()));

    let answer = playouts(&request(state, 4, RANDOM)).unwrap();

    assert_eq!(answer.seats.iter().map(|seat| seat.wins).collect::<Vec<_>>(), [2.0, 2.0]);
}

/// The request as the engine sees it.
fn served(request: &pb::PlayoutsRequest) -> azulejo_wire::served::v1::PlayoutsRequest {
    Message::decode(request.encode_to_vec().as_slice()).unwrap()
}

#[test]
fn when_the_time_is_up_no_further_game_is_begun() {
    let left = Cell::new(3);
    let in_time = || {
        left.set(left.get() - 1);
        left.get() > 0
    };

    let refused =
        calls::playouts(served(&request(azul(), 1000, RANDOM)), made, in_time).unwrap_err();

    assert_eq!(left.get(), 0, "asked before each game");
    assert_eq!(refused, EngineError::OutOfTime);
    assert_eq!((refused.reason(), refused.field()), ("DEADLINE_EXCEEDED", String::new()));
}
