//! `Score`: item by item, in the middle of a game and at its end.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Playable, Style, play_game};
use azulejo_wire::game::v1 as game;
use game::seat_score::Bonuses;

use crate::azul_table::{lines, offer, over, state, tiles, wall};
use crate::caller::score;
use crate::either_game::{OnWire, tables};
use crate::pavilion_table;

fn azul_seat(points: u32, bonuses: [u32; 3], total: u32, rank: u32) -> game::SeatScore {
    let [rows, columns, colors] = bonuses;
    let bonuses = Some(Bonuses::Azul(game::AzulBonuses { rows, columns, colors }));
    game::SeatScore { points, bonuses, penalty: 0, total, rank }
}

#[test]
fn a_game_in_progress_scores_points_and_completed_bonuses_and_assumes_nothing() {
    let column = ["B....", "W....", "K....", "R....", "Y...."];
    let middle = offer(|state| {
        state.boards[0].wall = wall(column);
        state.boards[0].points = 5;
        // A line to be tiled and a floor line to be paid for: neither counts yet.
        state.boards[1].lines = lines(["B", "-", "-", "-", "-"]);
        state.boards[1].floor = Some(tiles("K3"));
    });

    let answer = score(&state(middle)).unwrap();

    let told = answer.score.unwrap();
    assert_eq!(told.seats, [azul_seat(5, [0, 1, 0], 12, 1), azul_seat(0, [0, 0, 0], 0, 2)]);
    assert_eq!((told.winners, told.end), (vec![0], game::GameEnd::Unspecified.into()));
    assert!(!answer.finished);
}

#[test]
fn the_end_of_an_azul_game_says_how_and_who() {
    let answer = score(&state(over(|state| state.boards[0].points = 15))).unwrap();

    let told = answer.score.unwrap();
    assert_eq!(told.seats, [azul_seat(15, [1, 0, 0], 17, 1), azul_seat(0, [0, 0, 0], 0, 2)]);
    assert_eq!((told.winners, told.end), (vec![0], game::GameEnd::RowCompleted.into()));
    assert!(answer.finished);
}

#[test]
fn equal_totals_are_decided_by_complete_rows_and_else_shared() {
    let more_rows = over(|state| {
        // 9 and a row of 2, against 11.
        state.boards[0].points = 9;
        state.boards[1].wall = wall(["BYRK.", "WBYR.", ".....", ".....", "....."]);
        state.boards[1].points = 11;
    });
    let told = score(&state(more_rows)).unwrap().score.unwrap();
    assert_eq!(told.seats.iter().map(|seat| seat.total).collect::<Vec<_>>(), [11, 11]);
    assert_eq!(told.winners, [0]);
    assert_eq!(told.seats.iter().map(|seat| seat.rank).collect::<Vec<_>>(), [1, 2]);

    let shared = over(|state| state.boards[1].wall = state.boards[0].wall.clone());
    let told = score(&state(shared)).unwrap().score.unwrap();
    assert_eq!(told.winners, [0, 1]);
    assert_eq!(told.seats.iter().map(|seat| seat.rank).collect::<Vec<_>>(), [1, 1]);
}

fn pavilion_seat(points: u32, stars: [u32; 7], penalty: u32, total: u32) -> game::SeatScore {
    let [orange, red, blue, yellow, green, purple, center] = stars;
    let stars =
        game::SummerPavilionStarBonuses { orange, red, blue, yellow, green, purple, center };
    let numbers = game::SummerPavilionNumberBonuses::default();
    let bonuses = game::SummerPavilionBonuses { stars: Some(stars), numbers: Some(numbers) };
    let bonuses = Some(Bonuses::SummerPavilion(bonuses));
    game::SeatScore { points, bonuses, penalty, total, rank: 1 }
}

#[test]
fn tiles_left_at_the_end_of_a_pavilion_cost_a_point_each() {
    let left = pavilion_table::over(|state| {
        state.boards[0].spaces = pavilion_table::spaces(&[(pavilion_table::RED, "RRRRRR")]);
        state.boards[0].hand = Some(pavilion_table::tiles("B2G2"));
        state.boards[0].points = 20;
    });

    let answer = score(&pavilion_table::state(left)).unwrap();

    let told = answer.score.unwrap();
    assert_eq!(told.seats[0], pavilion_seat(20, [0, 14, 0, 0, 0, 0, 0], 4, 30));
    assert_eq!((told.winners, told.end), (vec![0], game::GameEnd::SixRounds.into()));
    assert!(answer.finished);
}

#[test]
fn no_penalty_drops_a_pavilion_below_one_point() {
    let left = pavilion_table::over(|state| {
        for board in &mut state.boards {
            board.points = 2;
        }
        state.boards[0].hand = Some(pavilion_table::tiles("B2G2"));
        state.boards[1].hand = Some(pavilion_table::tiles("B"));
    });

    let told = score(&pavilion_table::state(left)).unwrap().score.unwrap();

    // Four tiles are left, but there was only one point to lose.
    assert_eq!(told.seats, [pavilion_seat(2, [0; 7], 1, 1), pavilion_seat(2, [0; 7], 1, 1)]);
    assert_eq!(told.winners, [0, 1]);
}

#[test]
fn tiles_at_hand_cost_nothing_before_the_end() {
    let middle =
        pavilion_table::table(|state| state.boards[0].hand = Some(pavilion_table::tiles("B9")));

    let answer = score(&pavilion_table::state(middle)).unwrap();

    let told = answer.score.unwrap();
    assert_eq!(told.seats, [pavilion_seat(5, [0; 7], 0, 5), pavilion_seat(5, [0; 7], 0, 5)]);
    assert_eq!((told.end, answer.finished), (game::GameEnd::Unspecified.into(), false));
}

/// Points, bonuses less penalty, of every seat, against the rules themselves.
fn check_games<G: OnWire>(bonus: impl Fn(&game::SeatScore) -> u32, truth: impl Fn(&G) -> Vec<u16>) {
    for (seed, (side, players)) in (0..).zip(tables()) {
        play_game::<G>(side, players, Style::Eager, seed, |position, _| {
            let answer = score(&position.message()).unwrap();
            let told = answer.score.unwrap();
            assert_eq!(answer.finished, position.is_over());
            assert_eq!(told.winners.len(), Playable::winners(position));
            let totals: Vec<u16> =
                told.seats.iter().map(|seat| u16::try_from(seat.total).unwrap()).collect();
            assert_eq!(totals, truth(position), "seed {seed}: {position}");
            for seat in &told.seats {
                assert_eq!(seat.total, seat.points + bonus(seat) - seat.penalty, "{position}");
                let above = told.seats.iter().filter(|other| other.rank < seat.rank).count();
                assert_eq!(usize::try_from(seat.rank).unwrap(), above + 1, "{position}");
            }
        });
    }
}

#[test]
fn every_azul_score_adds_up() {
    let bonus = |seat: &game::SeatScore| {
        let Some(Bonuses::Azul(bonuses)) = seat.bonuses.as_ref() else { panic!("{seat:?}") };
        bonuses.rows * 2 + bonuses.columns * 7 + bonuses.colors * 10
    };
    check_games(bonus, |position: &azul::Position| {
        position.score().seats.iter().map(azul::SeatScore::total).collect()
    });
}

#[test]
fn every_summer_pavilion_score_adds_up() {
    let bonus = |seat: &game::SeatScore| {
        let Some(Bonuses::SummerPavilion(bonuses)) = seat.bonuses.as_ref() else {
            panic!("{seat:?}")
        };
        let (stars, numbers) = pavilion_table::bonus_points(bonuses);
        stars.iter().chain(&numbers).sum::<u32>()
    };
    check_games(bonus, |position: &pavilion::Position| {
        position.score().seats.iter().map(pavilion::SeatScore::total).collect()
    });
}
