//! Ratings after results, against values that were computed in another way: the formulas of Weng
//! and Lin (Bradley-Terry, full pairs) written once more below, and, by `check.py`, the
//! package `openskill`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod formulas;
mod matches;

use azulejo_arena::rating::{LiveRating, rate};
use azulejo_arena::record::{EndReason, SeatEnd};
use formulas::{by_hand, close};
use proptest::prelude::*;
use rstest::rstest;

fn ends(placements: &[u8]) -> Vec<SeatEnd> {
    let end = |&placement| SeatEnd { placement, reason: EndReason::Finished, total: 0 };
    placements.iter().map(end).collect()
}

fn standing(mean: f64, deviation: f64) -> LiveRating {
    LiveRating { mean, deviation, ..LiveRating::new() }
}

fn newcomers(players: usize) -> Vec<LiveRating> {
    vec![LiveRating::new(); players]
}

#[test]
fn the_winner_of_two_newcomers_gains_what_the_loser_loses() {
    let after = rate(&newcomers(2), &ends(&[1, 2]));

    // On paper: sigma = beta = 25/3, so c = 2 sigma; the gain is sigma^2 / c * 1/2 = 25/12, and the
    // variance shrinks by sigma/c * sigma^2/c^2 * 1/4 = 1/32.
    assert!(close(after[0].mean, 25.0 + 25.0 / 12.0), "{after:?}");
    assert!(close(after[1].mean, 25.0 - 25.0 / 12.0), "{after:?}");
    assert!(close(after[0].deviation, 25.0 / 3.0 * (31.0_f64 / 32.0).sqrt()), "{after:?}");
    assert!(close(after[0].deviation, after[1].deviation));
}

#[rstest]
#[case::two_newcomers(newcomers(2), &[1, 2])]
#[case::two_tie(newcomers(2), &[1, 1])]
#[case::an_upset(vec![standing(20.0, 2.0), standing(35.0, 1.5)], &[1, 2])]
#[case::as_expected(vec![standing(20.0, 2.0), standing(35.0, 1.5)], &[2, 1])]
#[case::a_tie_of_unequals(vec![standing(20.0, 2.0), standing(35.0, 1.5)], &[1, 1])]
#[case::three(vec![standing(25.0, 8.0), standing(28.0, 3.0), standing(22.0, 5.0)], &[2, 1, 3])]
#[case::three_share_the_first_place(newcomers(3), &[1, 1, 1])]
#[case::two_of_three_share_the_first_place(newcomers(3), &[1, 1, 3])]
#[case::four(vec![standing(30.0, 1.0), standing(25.0, 8.0), standing(18.0, 4.0), standing(26.0, 2.0)], &[4, 3, 2, 1])]
#[case::two_of_four_share_the_last_place(newcomers(4), &[1, 2, 3, 3])]
fn ratings_change_as_the_formulas_say(#[case] before: Vec<LiveRating>, #[case] placements: &[u8]) {
    let after = rate(&before, &ends(placements));

    for (standing, (mean, deviation)) in after.iter().zip(by_hand(&before, placements)) {
        assert!(close(standing.mean, mean), "{standing:?}, by hand {mean}");
        assert!(close(standing.deviation, deviation), "{standing:?}, by hand {deviation}");
        assert_eq!(standing.games, 1);
    }
}

#[test]
fn tied_seats_change_alike_whatever_their_order() {
    for seats in [[1, 1, 3, 3], [3, 1, 3, 1], [1, 3, 3, 1]] {
        let after = rate(&newcomers(4), &ends(&seats));
        let mean = |place: u8| -> Vec<f64> {
            seats.iter().zip(&after).filter(|(s, _)| **s == place).map(|(_, a)| a.mean).collect()
        };
        for place in [1, 3] {
            assert!(close(mean(place)[0], mean(place)[1]), "{seats:?} {after:?}");
        }
        assert!(mean(1)[0] > mean(3)[0]);
    }
}

#[test]
fn a_shared_first_place_counts_in_part() {
    let after = rate(&newcomers(3), &ends(&[1, 1, 3]));
    let wins: Vec<f64> = after.iter().map(|standing| standing.wins).collect();
    assert_eq!(wins, [0.5, 0.5, 0.0]);
}

fn any_table() -> impl Strategy<Value = (Vec<LiveRating>, Vec<u8>)> {
    let player = ((0.0..50.0), (0.5..8.4), 1_u8..=4);
    prop::collection::vec(player, 2..=4).prop_map(|seats| {
        let before = seats.iter().map(|&(mean, deviation, _)| standing(mean, deviation)).collect();
        (before, seats.iter().map(|&(_, _, placement)| placement).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn ratings_change_as_the_formulas_say_after_any_result((before, placements) in any_table()) {
        let after = rate(&before, &ends(&placements));
        for (standing, (mean, deviation)) in after.iter().zip(by_hand(&before, &placements)) {
            prop_assert!(close(standing.mean, mean) && close(standing.deviation, deviation));
        }
    }
}

/// Cases for `check.py`, with the ratings of this project: one per line.
#[test]
fn cases_for_the_second_opinion_are_written() {
    let mut dice = 1_u64;
    let mut unit = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((dice >> 33) as u32) / f64::from(1_u32 << 31)
    };
    let mut lines = String::new();
    for number in 0..500 {
        let players = 2 + number % 3;
        let before: Vec<LiveRating> =
            (0..players).map(|_| standing(unit() * 50.0, 0.5 + unit() * 7.9)).collect();
        let placements: Vec<u8> = (0..players)
            .map(|_| {
                if unit() < 0.3 {
                    1
                } else if unit() < 0.5 {
                    2
                } else {
                    3
                }
            })
            .collect();
        let after = rate(&before, &ends(&placements));
        let pairs = |all: &[LiveRating]| -> Vec<[f64; 2]> {
            all.iter().map(|standing| [standing.mean, standing.deviation]).collect()
        };
        let case = serde_json::json!({
            "before": pairs(&before), "placements": placements, "after": pairs(&after),
        });
        lines.extend([case.to_string(), "\n".to_owned()]);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tests");
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(format!("{folder}/ratings.jsonl"), lines).unwrap();
}
