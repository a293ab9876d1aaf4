//! Clocks: what a turn costs, and which lag is credited.

use std::time::Duration;

use azulejo_arena::match_run::Refused;
use azulejo_arena::record::EndReason;

use super::one_match::{Play, at, legal, ms};

#[test]
fn a_bot_is_out_of_time_when_its_bank_is_used_up() {
    let mut play = Play::begun("azul-colored-2-bullet");
    let due = play.due();
    play.tick(2_000, &[2_000, 2_000]);
    assert!(!play.run.is_over(), "the last moment is in time");
    play.tick(2_001, &[2_000, 2_000]);
    assert_eq!(play.reasons()[due], EndReason::OutOfTime);
}

#[test]
fn an_answer_after_the_bank_is_empty_forfeits_even_before_the_next_tick() {
    let mut play = Play::begun("azul-colored-2-bullet");
    let due = play.due();
    assert_eq!(play.moves(2_001), Err(Refused::OutOfTime));
    assert_eq!(play.reasons()[due], EndReason::OutOfTime);
}

#[test]
fn an_answer_in_the_last_moment_is_in_time() {
    let mut play = Play::begun("azul-colored-2-bullet");
    let (seat, turn) = (play.due(), play.run.turn());
    let receipt = play.say(seat, turn, legal, 2_000).unwrap();
    assert_eq!((receipt.charged, receipt.left), (ms(2_000), ms(50)), "the increment is left");
}

#[test]
fn a_turn_that_was_not_announced_costs_nothing() {
    let mut play = Play::begun("azul-colored-2-bullet");
    play.moves(10).unwrap();
    let due = play.due();
    play.tick(20_000, &[20_000, 20_000]);
    assert!(!play.run.is_over(), "the turn was not announced");
    let stale = Refused::StaleTurn { asked: 1, due: 1 };
    assert_eq!(play.say(due, 1, legal, 20_000), Err(stale));
    play.turn_leaves(20_000);
    assert_eq!(play.moves(20_100).unwrap().measured, ms(100));
}

#[test]
fn a_slow_fetcher_gains_at_most_a_quarter_of_a_second() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.moves(0).unwrap();
    play.run.turn_sent(1, at(1_000).time);
    play.run.turn_fetched(1, at(1_900).time);
    assert_eq!(play.moves(2_000).unwrap().measured, ms(750));
    play.run.turn_sent(2, at(3_000).time);
    play.run.turn_fetched(2, at(3_200).time);
    assert_eq!(
        play.moves(3_300).unwrap().measured,
        ms(100),
        "waiting to be fetched is not charged"
    );
}

#[test]
fn in_bullet_a_slow_fetcher_gains_at_most_a_twentieth_of_a_second() {
    let mut play = Play::begun("azul-colored-2-bullet");
    play.moves(0).unwrap();
    play.run.turn_sent(1, at(1_000).time);
    play.run.turn_fetched(1, at(1_900).time);
    assert_eq!(play.moves(2_000).unwrap().measured, ms(950));
    play.run.turn_sent(2, at(3_000).time);
    play.run.turn_fetched(2, at(3_040).time);
    assert_eq!(play.moves(3_140).unwrap().measured, ms(100));
    play.run.turn_sent(3, at(4_000).time);
    // 2 s and an increment of 50 ms, less the 950 ms of the first turn, and 50 ms of waiting.
    play.tick(5_150, &[5_150, 5_150]);
    assert!(!play.run.is_over());
    play.tick(5_151, &[5_150, 5_150]);
    assert!(play.run.is_over(), "a bot that never fetches is out of time too");
}

/// What each seat gains in a match in which every turn waits for 200 ms, and how many turns it had.
fn gained_by_waiting(fetch: impl Fn(&mut Play, u32)) -> [(Duration, u32); 2] {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.moves(0).unwrap();
    let mut gained = [(ms(0), 0); 2];
    while !play.run.is_over() {
        let (seat, turn) = (play.due(), play.run.turn());
        play.run.turn_sent(turn, at(0).time);
        fetch(&mut play, turn);
        gained[seat].0 += ms(200).abs_diff(play.moves(200).unwrap().measured);
        gained[seat].1 += 1;
    }
    gained
}

#[test]
fn a_slow_fetcher_gains_at_most_two_seconds_a_match_and_a_fiftieth_a_turn() {
    for (gained, turns) in gained_by_waiting(|play, turn| play.run.turn_fetched(turn, at(200).time))
    {
        assert_eq!(gained, ms(2_000) + turns * ms(20));
    }
}

#[test]
fn a_bot_that_answers_a_turn_without_fetching_it_gains_no_more_than_one_that_fetches_late() {
    for (gained, turns) in gained_by_waiting(|_, _| {}) {
        assert_eq!(gained, ms(2_000) + turns * ms(20));
    }
}

#[test]
fn a_wrong_answer_to_a_turn_that_was_not_fetched_starts_its_clock() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.moves(0).unwrap();
    play.run.turn_sent(1, at(1_000).time);
    play.errs(1_100).unwrap_err();
    assert_eq!(play.moves(1_200).unwrap().measured, ms(100));
}

#[test]
fn a_turn_that_is_sent_again_costs_from_the_first_time_on() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.turn_leaves(500);
    assert_eq!(play.moves(700).unwrap().measured, ms(700));
}

#[test]
fn lag_is_credited_up_to_a_tenth_of_a_second_a_move() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.round_trip = ms(40);
    let receipt = play.moves(500).unwrap();
    assert_eq!((receipt.credited, receipt.charged), (ms(40), ms(460)));
    play.turn_leaves(1_000);
    play.round_trip = ms(900);
    let receipt = play.moves(1_500).unwrap();
    assert_eq!((receipt.credited, receipt.charged), (ms(100), ms(400)));
}

#[test]
fn lag_is_credited_up_to_two_seconds_a_match() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.round_trip = ms(100);
    let mut credited = [ms(0); 2];
    while !play.run.is_over() {
        play.turn_leaves(0);
        let seat = play.due();
        credited[seat] += play.moves(100).unwrap().credited;
    }
    assert!(credited.iter().all(|credited| *credited <= ms(2_000)), "{credited:?}");
    assert!(play.events.len() > 40, "long enough to reach it");
    assert_eq!(credited, [ms(2_000); 2]);
}

#[test]
fn lag_counts_before_the_bank_is_called_empty() {
    let mut play = Play::begun("azul-colored-2-bullet");
    play.round_trip = ms(40);
    play.tick(2_040, &[2_000, 2_000]);
    assert!(!play.run.is_over());
    let receipt = play.moves(2_040).unwrap();
    assert_eq!((receipt.charged, receipt.left), (ms(2_000), ms(50)));
}

#[test]
fn only_the_seat_whose_turn_it_is_pays() {
    let mut play = Play::begun("azul-colored-2-blitz");
    let other = 1 - play.due();
    play.moves(9_000).unwrap();
    assert_eq!(play.run.left(other, at(9_000).time), ms(10_000));
}

#[test]
fn submitting_an_accepted_move_again_returns_the_same_receipt() {
    let mut play = Play::begun("azul-colored-2-blitz");
    let seat = play.due();
    let action = legal(play.run.table().unwrap()).unwrap();
    let receipt = play.say(seat, 0, |_| Ok(action), 300).unwrap();
    let events = play.events.len();
    assert_eq!(play.say(seat, 0, |_| Ok(action), 900), Ok(receipt));
    let other = play.say(seat, 0, |table| table.action(u32::MAX), 950);
    let accepted =
        matches!(other, Err(Refused::OtherMove { turn: 0, accepted, .. }) if accepted == action);
    assert!(accepted, "another move is refused with the accepted one: {other:?}");
    assert_eq!(play.events.len(), events);
}

#[test]
fn an_older_turn_is_refused_and_costs_nothing() {
    let mut play = Play::begun("azul-colored-2-blitz");
    for now in [100, 200, 300, 400] {
        play.moves(now).unwrap();
        play.turn_leaves(now);
    }
    let seat = play.due();
    for _ in 0..10 {
        let stale = Refused::StaleTurn { asked: 0, due: 4 };
        assert_eq!(play.say(seat, 0, |table| table.action(u32::MAX), 450), Err(stale));
    }
    assert!(play.moves(500).is_ok());
}

#[test]
fn a_decision_out_of_turn_is_refused_and_costs_nothing() {
    let mut play = Play::begun("azul-colored-2-blitz");
    let due = play.due();
    for _ in 0..5 {
        let refused = play.say(1 - due, 0, legal, 100);
        assert_eq!(refused, Err(Refused::NotYourTurn { due }));
    }
    assert!(play.moves(200).is_ok());
}
