//! Before the first deal.

use azulejo_arena::match_run::{Phase, Refused, UnratedReason, VoidReason};
use azulejo_arena::record::{EndReason, Event};

use super::one_match::{Play, at, nonce};

#[test]
fn bots_have_fifteen_seconds_to_be_ready() {
    let mut play = Play::call("azul-colored-2-blitz");
    play.tick(15_000, &[0, 0]);
    assert!(matches!(play.run.phase(), Phase::Gathering { .. }), "the last moment is in time");
    play.ready(0, nonce(0), 15_000).unwrap();
    play.tick(15_001, &[15_000, 15_000]);
    assert_eq!(play.reasons(), [EndReason::CalledOff, EndReason::NoShow]);
    assert_eq!(play.run.unrated_reason(), Some(UnratedReason::Voided));
    assert_eq!(play.run.void_reason(), Some(VoidReason::NoShow));
    assert_eq!(play.placements(), [0, 0], "there is no result");
}

#[test]
fn the_last_one_to_be_ready_starts_the_game() {
    let mut play = Play::call("azul-colored-3-blitz");
    play.ready(2, nonce(2), 1).unwrap();
    play.ready(0, nonce(0), 2).unwrap();
    assert!(play.run.table().is_none(), "nothing is dealt before all nonces are there");
    play.ready(1, nonce(1), 3).unwrap();
    assert!(matches!(play.events.last(), Some(Event::Started { .. })));
    assert_eq!(play.run.phase(), &Phase::Playing);
}

#[test]
fn the_same_nonce_twice_changes_nothing() {
    let mut play = Play::call("azul-colored-2-blitz");
    play.ready(0, nonce(0), 1).unwrap();
    assert_eq!(play.ready(0, nonce(0), 2), Ok(()));
    assert_eq!(play.events.len(), 1);
    play.ready(1, nonce(1), 3).unwrap();
    let events = play.events.len();
    assert_eq!(play.ready(0, nonce(0), 4), Ok(()), "also when the match has begun");
    assert_eq!(play.events.len(), events);
}

#[test]
fn another_nonce_is_refused() {
    let mut play = Play::call("azul-colored-2-blitz");
    play.ready(0, nonce(0), 1).unwrap();
    assert_eq!(play.ready(0, nonce(5), 2), Err(Refused::OtherNonce));
    assert_eq!(play.run.nonces(), [Some(nonce(0)), None]);
}

#[test]
fn a_bot_that_resigns_before_the_start_is_a_no_show() {
    let mut play = Play::call("azul-colored-3-blitz");
    play.ready(1, nonce(1), 1).unwrap();
    play.resign(1, 2).unwrap();
    let (called_off, no_show) = (EndReason::CalledOff, EndReason::NoShow);
    assert_eq!(play.reasons(), [called_off, no_show, called_off]);
}

#[test]
fn no_bot_is_gone_before_the_match_has_begun() {
    let mut play = Play::call("azul-colored-2-blitz");
    play.tick(14_000, &[0, 0]);
    assert!(play.events.is_empty());
}

#[test]
fn a_decision_before_the_match_has_begun_is_refused_without_punishment() {
    let mut play = Play::call("azul-colored-2-blitz");
    assert_eq!(play.say(0, 0, super::one_match::legal, 1), Err(Refused::NotBegun));
    assert!(play.events.is_empty());
}

#[test]
fn the_seed_comes_from_the_secret_and_all_nonces() {
    let (mut one, mut other) =
        (Play::call("azul-colored-2-blitz"), Play::call("azul-colored-2-blitz"));
    for (play, last) in [(&mut one, nonce(1)), (&mut other, nonce(2))] {
        play.ready(0, nonce(0), 1).unwrap();
        play.ready(1, last, 1).unwrap();
    }
    assert_ne!(one.run.table(), other.run.table());
}

#[test]
fn a_match_that_is_called_off_stays_so() {
    let mut play = Play::begun("azul-colored-2-blitz");
    let changes = play.run.void(EndReason::CalledOff, "said so", at(1));
    play.take(changes);
    assert_eq!(play.reasons(), [EndReason::CalledOff; 2]);
    assert_eq!(play.run.void(EndReason::ServerError, "again", at(2)).len(), 0);
    assert_eq!(play.resign(0, 3), Err(Refused::Over));
    assert_eq!(play.ready(0, nonce(0), 3), Err(Refused::Over));
}
