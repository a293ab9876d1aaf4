//! A bot that does not play to the end: it loses, and nobody else does.

use std::time::Duration;

use azulejo_wire::arena::v1 as pb;
use pb::EndReason::{Finished, IllegalMoves, OutOfTime, Resigned};
use pb::TimeClass::Bullet;
use pb::submit_move_request::Action;
use rstest::rstest;
use tonic::Code;

use crate::arena::Arena;
use crate::manners::{first_match, illegal, legal, well};
use crate::puppet::{Puppet, offer};
use crate::refusals::{assert_refused, metadata, refusal};
use crate::verdict::{assert_rated, find};

/// A table at which one bot plays by this manner and all others play well: how the match ended.
async fn spoiled(
    players: u32,
    reason: pb::EndReason,
    manner: impl AsyncFnMut(&Puppet, &pb::Turn),
) -> (Arena, Puppet, pb::MatchEnded) {
    let arena = Arena::start(&[]);
    let mut others = Vec::new();
    for number in 1..players {
        let puppet = Puppet::new(&arena, &format!("good-{number}/bot")).await;
        let events = puppet.open(offer(players, Bullet)).await;
        others.push(tokio::spawn(async move {
            let ended = first_match(&puppet, events, well).await;
            (puppet, ended)
        }));
    }
    let bad = Puppet::new(&arena, "bad/bot").await;
    let events = bad.open(offer(players, Bullet)).await;
    let ended = first_match(&bad, events, manner).await;
    let mut told = Vec::new();
    for other in others {
        told.push(other.await.unwrap());
    }
    let mut seen: Vec<_> = told.iter().map(|(puppet, ended)| (puppet, ended, Finished)).collect();
    seen.push((&bad, &ended, reason));
    assert_rated(&seen).await;
    (arena, bad, ended)
}

fn id_of(ended: &pb::MatchEnded) -> String {
    ended.r#match.as_ref().unwrap().id.clone()
}

#[rstest]
#[case::of_two(2)]
#[case::of_three(3)]
#[case::of_four(4)]
#[tokio::test]
async fn a_bot_that_never_answers_loses_by_its_clock(#[case] players: u32) {
    spoiled(players, OutOfTime, async |_: &Puppet, _: &pb::Turn| {}).await;
}

#[tokio::test]
async fn an_answer_after_the_bank_is_empty_is_too_late() {
    let late = async |puppet: &Puppet, turn: &pb::Turn| {
        tokio::time::sleep(Duration::from_millis(2_600)).await;
        let submitted = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await;
        assert_refused(submitted, Code::FailedPrecondition, "OUT_OF_TIME");
    };
    // With three the match goes on for the others while the answer comes: with fewer it is over.
    spoiled(3, OutOfTime, late).await;
}

#[rstest]
#[case::of_two(2)]
#[case::of_three(3)]
#[tokio::test]
async fn three_illegal_answers_to_one_turn_forfeit(#[case] players: u32) {
    let mut tried = 0;
    let stubborn = async |puppet: &Puppet, turn: &pb::Turn| {
        let typed = azulejo_wire::game::v1::Move { game: None };
        let answers =
            [illegal(turn), Action::Notation("a tile, please".into()), Action::Move(typed)];
        // It is asked again after each of them.
        assert_eq!(turn.illegal_tries, tried);
        let answer = answers[tried as usize].clone();
        let refused = puppet.submit(&turn.match_id, turn.turn, answer).await.unwrap_err();
        tried += 1;
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
        assert_eq!(metadata(&refused)["tries"], tried.to_string());
    };
    spoiled(players, IllegalMoves, stubborn).await;
    assert_eq!(tried, 3, "the third was the last");
}

#[tokio::test]
async fn after_two_illegal_answers_the_turn_comes_again_and_a_legal_one_is_no_forfeit() {
    let clumsy = async |puppet: &Puppet, turn: &pb::Turn| {
        if turn.illegal_tries < 2 {
            let refused = puppet.submit(&turn.match_id, turn.turn, illegal(turn)).await;
            let (code, reason) = refusal(&refused.unwrap_err());
            assert_eq!((code, &*reason), (Code::InvalidArgument, "ILLEGAL_MOVE"));
        } else {
            well(puppet, turn).await;
        }
    };
    spoiled(2, Finished, clumsy).await;
}

#[rstest]
#[case::of_two(2)]
#[case::of_four(4)]
#[tokio::test]
async fn a_bot_that_resigns_is_last_and_the_others_play_on(#[case] players: u32) {
    let weary = async |puppet: &Puppet, turn: &pb::Turn| {
        puppet.resign(&turn.match_id).await.unwrap();
    };
    spoiled(players, Resigned, weary).await;
}

#[tokio::test]
async fn the_same_move_again_gets_the_same_receipt_and_another_one_is_refused() {
    let mut turns = Vec::new();
    let twice = async |puppet: &Puppet, turn: &pb::Turn| {
        let first = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await.unwrap();
        let again = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await;
        assert_eq!(again.unwrap(), first, "turn {}", turn.turn);
        let other = puppet.submit(&turn.match_id, turn.turn, illegal(turn)).await.unwrap_err();
        let expected = (Code::AlreadyExists, "MOVE_ALREADY_ACCEPTED".to_owned());
        assert_eq!(refusal(&other), expected, "another move");
        let Action::ActionId(accepted) = legal(turn) else { panic!("not an action id") };
        assert_eq!(metadata(&other)["action_id"], accepted.to_string());
        turns.push(turn.turn);
    };
    let (_arena, bad, ended) = spoiled(2, Finished, twice).await;
    let played = find(&bad.channel, &id_of(&ended)).await;
    assert!(turns.windows(2).all(|two| two[0] < two[1]), "no turn came twice: {turns:?}");
    assert!(turns.len() >= played.turns as usize / 3, "{turns:?} of {}", played.turns);
}

#[tokio::test]
async fn the_last_decision_can_be_said_again_after_the_arena_was_killed() {
    let mut said = None;
    let remembers = async |puppet: &Puppet, turn: &pb::Turn| {
        let receipt = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await.unwrap();
        said = Some((turn.turn, legal(turn), receipt));
    };
    let (mut arena, bad, ended) = spoiled(2, Finished, remembers).await;
    let (turn, action, receipt) = said.unwrap();

    arena.again();

    let bad = bad.reconnected(&arena).await;
    let again = bad.submit(&id_of(&ended), turn, action.clone()).await;
    assert_eq!(again.unwrap(), receipt);
    let never_said = bad.submit(&id_of(&ended), turn + 2, action).await;
    assert_refused(never_said, Code::FailedPrecondition, "MATCH_OVER");
}

#[tokio::test]
async fn an_answer_to_another_turn_is_refused_and_costs_nothing() {
    let mut before = None;
    let confused = async |puppet: &Puppet, turn: &pb::Turn| {
        let older = before.replace(turn.turn).and_then(|last: u32| last.checked_sub(1));
        for stale in older.into_iter().chain([turn.turn + 1, u32::MAX]) {
            let refused = puppet.submit(&turn.match_id, stale, illegal(turn)).await.unwrap_err();
            assert_eq!(refusal(&refused), (Code::Aborted, "STALE_TURN".to_owned()));
            assert_eq!(metadata(&refused)["due"], turn.turn.to_string());
        }
        well(puppet, turn).await;
    };
    spoiled(2, Finished, confused).await;
}
