//! Bots that do not play to the end: they lose, and no other bot does.

use std::time::Duration;

use azulejo_tests::grpc::{assert_refused, metadata, refusal};
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::{Finished, IllegalMoves, OutOfTime, Resigned};
use pb::TimeClass::Bullet;
use pb::submit_move_request::Action;
use rstest::rstest;
use tonic::Code;

use crate::arena::Arena;
use crate::results::{assert_rated, find};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, illegal, legal, well};

/// A match in which one bot plays by this strategy and all others play well; returns its end.
async fn spoiled(
    players: u32,
    reason: pb::EndReason,
    strategy: impl AsyncFnMut(&ScriptedBot, &pb::Turn),
) -> (Arena, ScriptedBot, pb::MatchEnded) {
    let arena = Arena::start(&[]);
    let mut others = Vec::new();
    for number in 1..players {
        let player = ScriptedBot::new(&arena, &format!("good-{number}/bot")).await;
        let events = player.open(offer(players, Bullet)).await;
        others.push(tokio::spawn(async move {
            let ended = first_match(&player, events, well).await;
            (player, ended)
        }));
    }
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let events = bad.open(offer(players, Bullet)).await;
    let ended = first_match(&bad, events, strategy).await;
    let mut received = Vec::new();
    for other in others {
        received.push(other.await.unwrap());
    }
    let mut seen: Vec<_> =
        received.iter().map(|(player, ended)| (player, ended, Finished)).collect();
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
    spoiled(players, OutOfTime, async |_: &ScriptedBot, _: &pb::Turn| {}).await;
}

#[tokio::test]
async fn an_answer_after_the_bank_is_empty_is_too_late() {
    let late = async |player: &ScriptedBot, turn: &pb::Turn| {
        tokio::time::sleep(Duration::from_millis(2_600)).await;
        let submitted = player.submit(&turn.match_id, turn.turn, legal(turn)).await;
        assert_refused(submitted, Code::FailedPrecondition, "OUT_OF_TIME");
    };
    // With three seats the match continues while the answer is sent; with two it is over.
    spoiled(3, OutOfTime, late).await;
}

#[rstest]
#[case::of_two(2)]
#[case::of_three(3)]
#[tokio::test]
async fn three_illegal_answers_to_one_turn_forfeit(#[case] players: u32) {
    let mut tried = 0;
    let stubborn = async |player: &ScriptedBot, turn: &pb::Turn| {
        let typed = azulejo_wire::game::v1::Move { game: None };
        let answers =
            [illegal(turn), Action::Notation("a tile, please".into()), Action::Move(typed)];
        // The turn is sent again after each of them.
        assert_eq!(turn.illegal_tries, tried);
        let answer = answers[tried as usize].clone();
        let refused = player.submit(&turn.match_id, turn.turn, answer).await.unwrap_err();
        tried += 1;
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
        assert_eq!(metadata(&refused)["tries"], tried.to_string());
    };
    spoiled(players, IllegalMoves, stubborn).await;
    assert_eq!(tried, 3, "the third was the last");
}

#[tokio::test]
async fn after_two_illegal_answers_a_legal_one_is_accepted() {
    let clumsy = async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.illegal_tries < 2 {
            let refused = player.submit(&turn.match_id, turn.turn, illegal(turn)).await;
            let (code, reason) = refusal(&refused.unwrap_err());
            assert_eq!((code, &*reason), (Code::InvalidArgument, "ILLEGAL_MOVE"));
        } else {
            well(player, turn).await;
        }
    };
    spoiled(2, Finished, clumsy).await;
}

#[rstest]
#[case::of_two(2)]
#[case::of_four(4)]
#[tokio::test]
async fn a_bot_that_resigns_is_last_and_the_others_play_on(#[case] players: u32) {
    let weary = async |player: &ScriptedBot, turn: &pb::Turn| {
        player.resign(&turn.match_id).await.unwrap();
    };
    spoiled(players, Resigned, weary).await;
}

#[tokio::test]
async fn the_same_move_again_gets_the_same_receipt_and_another_one_is_refused() {
    let mut turns = Vec::new();
    let twice = async |player: &ScriptedBot, turn: &pb::Turn| {
        let first = player.submit(&turn.match_id, turn.turn, legal(turn)).await.unwrap();
        let again = player.submit(&turn.match_id, turn.turn, legal(turn)).await;
        assert_eq!(again.unwrap(), first, "turn {}", turn.turn);
        let other = player.submit(&turn.match_id, turn.turn, illegal(turn)).await.unwrap_err();
        let expected = (Code::AlreadyExists, "MOVE_ALREADY_ACCEPTED".to_owned());
        assert_eq!(refusal(&other), expected, "another move");
        let Action::ActionId(accepted) = legal(turn) else { panic!("not an action id") };
        assert_eq!(metadata(&other)["action_id"], accepted.to_string());
        turns.push(turn.turn);
    };
    let (_arena, bad, ended) = spoiled(2, Finished, twice).await;
    let played = find(&bad.channel, &id_of(&ended)).await;
    assert!(turns.windows(2).all(|two| two[0] < two[1]), "no turn is repeated: {turns:?}");
    assert!(turns.len() >= played.turns as usize / 3, "{turns:?} of {}", played.turns);
}

#[tokio::test]
async fn the_last_decision_can_be_repeated_after_the_arena_was_killed() {
    let mut said = None;
    let remembers = async |player: &ScriptedBot, turn: &pb::Turn| {
        let receipt = player.submit(&turn.match_id, turn.turn, legal(turn)).await.unwrap();
        said = Some((turn.turn, legal(turn), receipt));
    };
    let (mut arena, bad, ended) = spoiled(2, Finished, remembers).await;
    let (turn, action, receipt) = said.unwrap();

    arena.restart();

    let bad = bad.reconnected(&arena).await;
    let again = bad.submit(&id_of(&ended), turn, action.clone()).await;
    assert_eq!(again.unwrap(), receipt);
    let never_said = bad.submit(&id_of(&ended), turn + 2, action).await;
    assert_refused(never_said, Code::FailedPrecondition, "MATCH_OVER");
}

#[tokio::test]
async fn an_answer_to_another_turn_is_refused_and_costs_nothing() {
    let mut before = None;
    let confused = async |player: &ScriptedBot, turn: &pb::Turn| {
        let older = before.replace(turn.turn).and_then(|last: u32| last.checked_sub(1));
        for stale in older.into_iter().chain([turn.turn + 1, u32::MAX]) {
            let refused = player.submit(&turn.match_id, stale, illegal(turn)).await.unwrap_err();
            assert_eq!(refusal(&refused), (Code::Aborted, "STALE_TURN".to_owned()));
            assert_eq!(metadata(&refused)["due"], turn.turn.to_string());
        }
        well(player, turn).await;
    };
    spoiled(2, Finished, confused).await;
}
