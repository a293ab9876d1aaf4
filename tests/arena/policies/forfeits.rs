//! Forfeits, and how a match ends with them.

use azulejo_arena::match_run::{Match, Phase, Refused};
use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::SavedMatch;

use super::one_match::{Play, at};

fn tries(refused: &Result<azulejo_arena::record::Receipt, Refused>) -> Option<u32> {
    match refused {
        Err(Refused::Illegal { tries, .. }) => Some(*tries),
        _ => None,
    }
}

#[test]
fn the_third_wrong_answer_to_a_turn_forfeits() {
    let mut play = Play::begun("azul-colored-2-blitz");
    let due = play.due();
    assert_eq!(tries(&play.errs(10)), Some(1));
    assert_eq!(tries(&play.errs(20)), Some(2));
    assert!(!play.run.is_over());
    assert_eq!(tries(&play.errs(30)), Some(3));
    assert_eq!(play.reasons()[due], EndReason::IllegalMoves);
    assert_eq!(play.reasons()[1 - due], EndReason::Finished);
}

#[test]
fn wrong_answers_are_counted_for_one_turn_only() {
    let mut play = Play::begun("azul-colored-2-blitz");
    for now in 0..10 {
        play.errs(now).unwrap_err();
        play.errs(now).unwrap_err();
        play.moves(now).unwrap();
        play.turn_leaves(now);
    }
    assert!(!play.run.is_over());
}

#[test]
fn the_forfeit_of_another_bot_does_not_reset_wrong_answers() {
    let mut play = Play::begun("azul-colored-3-blitz");
    let due = play.due();
    play.errs(1).unwrap_err();
    play.errs(2).unwrap_err();
    play.resign((due + 1) % 3, 3).unwrap();
    assert_eq!(tries(&play.errs(4)), Some(3));
    assert!(play.run.is_over(), "only one is left");
}

#[test]
fn a_wrong_answer_does_not_stop_the_clock() {
    let mut play = Play::begun("azul-colored-2-bullet");
    play.errs(1_500).unwrap_err();
    assert_eq!(play.moves(2_001), Err(Refused::OutOfTime));
}

#[test]
fn a_bot_that_sends_nothing_for_more_than_thirty_seconds_is_gone() {
    let mut play = Play::begun("azul-colored-2-rapid");
    let due = play.due();
    let mut heard = [30_000; 2];
    heard[1 - due] = 0;
    play.tick(30_000, &heard);
    assert!(!play.run.is_over(), "thirty seconds are not longer than thirty seconds");
    play.tick(30_001, &heard);
    assert_eq!(play.reasons()[1 - due], EndReason::Gone, "also out of turn");
    assert_eq!(play.placements()[due], 1);
}

#[test]
fn with_two_seats_a_forfeit_is_the_end() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.resign(0, 10).unwrap();
    assert_eq!(play.reasons(), [EndReason::Resigned, EndReason::Finished]);
    assert_eq!(play.placements(), [2, 1], "whatever the score");
    assert_eq!(play.run.unrated_reason(), None, "it counts");
}

#[test]
fn with_more_seats_the_house_plays_on_and_the_forfeiter_is_last() {
    let mut play = Play::begun("azul-colored-4-blitz");
    play.resign(2, 10).unwrap();
    assert_eq!(play.run.phase(), &Phase::Playing);
    play.finish(10);
    assert_eq!(play.reasons()[2], EndReason::Resigned);
    assert_eq!(play.placements()[2], 4);
    let by_house = |event: &&Event| matches!(event, Event::Moved { seat: 2, receipt: None, .. });
    assert!(play.events.iter().filter(by_house).count() > 3, "the house played");
    let others = play.reasons().into_iter().filter(|reason| *reason == EndReason::Finished);
    assert_eq!(others.count(), 3, "the others' game is valid");
}

#[test]
fn a_bot_that_has_forfeited_cannot_decide_and_resigning_again_changes_nothing() {
    let mut play = Play::begun("azul-colored-3-blitz");
    let due = play.due();
    play.resign(due, 10).unwrap();
    let turn = play.run.turn();
    assert_eq!(play.say(due, turn, super::one_match::legal, 20), Err(Refused::Out));
    let events = play.events.len();
    assert_eq!(play.resign(due, 20), Ok(()));
    assert_eq!(play.events.len(), events);
}

#[test]
fn the_last_one_left_wins() {
    let mut play = Play::begun("azul-colored-4-blitz");
    play.resign(0, 10).unwrap();
    play.resign(3, 20).unwrap();
    assert!(!play.run.is_over());
    play.resign(1, 30).unwrap();
    assert_eq!(play.placements(), [2, 2, 1, 2], "forfeiters share the last place");
    assert_eq!(play.reasons()[2], EndReason::Finished);
}

#[test]
fn forfeiters_share_the_place_after_all_who_stayed() {
    let mut play = Play::begun("azul-colored-4-blitz");
    play.resign(0, 10).unwrap();
    play.resign(3, 20).unwrap();
    play.finish(30);
    let placements = play.placements();
    assert_eq!((placements[0], placements[3]), (3, 3));
    assert_eq!(placements[1].min(placements[2]), 1);
}

#[test]
fn the_bots_that_have_been_away_longest_forfeit_first() {
    let mut play = Play::begun("azul-colored-3-rapid");
    play.tick(40_000, &[3_000, 1_000, 2_000]);
    assert_eq!(play.placements(), [1, 2, 2], "the last one left has won");
}

#[test]
fn the_totals_are_those_of_the_last_position() {
    let mut play = Play::begun("summer-pavilion-colored-3-blitz");
    play.finish(10);
    let score = play.run.table().unwrap().score();
    let totals: Vec<u16> = play.run.ends().iter().map(|end| end.total).collect();
    assert_eq!(totals, score.seats.iter().map(|seat| seat.total).collect::<Vec<_>>());
    let ranks: Vec<u8> = score.seats.iter().map(|seat| seat.rank).collect();
    assert_eq!(play.placements(), ranks, "without forfeits: the ranking of the game");
}

#[test]
fn a_match_goes_on_where_it_was_left_and_no_bot_pays_for_the_time_between() {
    let mut play = Play::begun("azul-colored-2-blitz");
    play.moves(1_000).unwrap();
    play.turn_leaves(1_000);
    let saved = SavedMatch {
        spec: play.run.spec().clone(),
        secret: *play.run.secret(),
        events: play.events.clone(),
        ended: None,
        rated: false,
        summary: None,
    };
    let now = at(500_000);
    play.run = Match::replay(&saved, now.time).unwrap();
    play.tick(500_100, &[500_000, 500_000]);
    assert!(!play.run.is_over());
    play.turn_leaves(510_000);
    let receipt = play.moves(510_200).unwrap();
    assert_eq!(receipt.measured, super::one_match::ms(200));
}

#[test]
fn equal_seats_share_a_placement() {
    let tied = (0..200).find_map(|number| {
        let mut play = Play::call("azul-colored-2-blitz");
        play.ready(0, super::one_match::nonce(number), 0).unwrap();
        play.ready(1, super::one_match::nonce(1), 0).unwrap();
        while !play.run.is_over() {
            play.turn_leaves(0);
            let (seat, turn) = (play.due(), play.run.turn());
            let any = |table: &azulejo_engine::Table| {
                Ok(table.choose(azulejo_engine::HouseBot::Random, u64::from(turn)).unwrap())
            };
            play.say(seat, turn, any, 0).unwrap();
        }
        let ends = play.run.ends();
        (ends[0].total == ends[1].total).then(|| play.placements())
    });
    assert_eq!(tied.expect("random play is often tied"), [1, 1]);
}
