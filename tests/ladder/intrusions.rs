//! Bots that make calls they must not make, or too many: they are refused, and the match continues.

use std::time::{Duration, Instant};

use azulejo_tests::grpc::{assert_refused, metadata, refusal};
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::{Blitz, Bullet};
use pb::play_event::Event;
use tokio::task::JoinSet;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::arena::Arena;
use crate::results::assert_rated;
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, legal, well};

#[tokio::test]
async fn a_bot_cannot_answer_for_another() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let stranger = ScriptedBot::new(&arena, "stranger/bot").await;
    let good_events = good.open(offer(2, Bullet)).await;
    let bad_events = bad.open(offer(2, Bullet)).await;
    let mut refused = 0;
    let watched = async |player: &ScriptedBot, turn: &pb::Turn| {
        for (intruder, code, reason) in [
            (&bad, Code::FailedPrecondition, "NOT_YOUR_TURN"),
            (&stranger, Code::PermissionDenied, "NOT_SEATED"),
        ] {
            let submitted = intruder.submit(&turn.match_id, turn.turn, legal(turn)).await;
            assert_refused(submitted, code, reason);
            refused += 1;
        }
        assert_refused(stranger.ready(&turn.match_id).await, Code::PermissionDenied, "NOT_SEATED");
        assert_refused(stranger.resign(&turn.match_id).await, Code::PermissionDenied, "NOT_SEATED");
        well(player, turn).await;
    };
    let (received, ended) =
        tokio::join!(first_match(&good, good_events, watched), first_match(&bad, bad_events, well));
    assert!(refused > 10, "{refused}");
    assert_rated(&[(&good, &received, Finished), (&bad, &ended, Finished)]).await;
}

#[tokio::test]
async fn the_newest_stream_of_a_bot_replaces_the_older_and_continues() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let events = good.open(offer(2, Bullet)).await;
    let mut older = bad.open(offer(2, Bullet)).await;
    let twin = async {
        loop {
            match older.next().await.unwrap().1 {
                Event::MatchStarting(starting) => {
                    bad.ready(&starting.r#match.unwrap().id).await.unwrap();
                }
                Event::Turn(due) => break assert_taken_over(&arena, &bad, older, due).await,
                _ => {}
            }
        }
    };
    let (received, ended) = tokio::join!(first_match(&good, events, well), twin);
    assert_rated(&[(&good, &received, Finished), (&bad, &ended, Finished)]).await;
}

/// A second process opens a stream while a decision is due.
async fn assert_taken_over(
    arena: &Arena,
    bad: &ScriptedBot,
    mut older: crate::scripted_bot::Events,
    due: pb::Turn,
) -> pb::MatchEnded {
    let second = bad.reconnected(arena).await;
    let mut newer = second.open(offer(2, Bullet)).await;
    let snapshot = newer.snapshot().await;
    let [seating] = &snapshot.seatings[..] else { panic!("{snapshot:?}") };
    let again = seating.turn.as_ref().expect("the decision is still due");
    assert_eq!((&seating.state, &again.state), (&due.state, &due.state));
    assert_eq!((again.turn, &again.legal_moves), (due.turn, &due.legal_moves));
    assert!(matches!(older.next().await, Some((_, Event::Replaced(_)))));
    assert!(older.next().await.is_none(), "the older stream ends");
    well(&second, again).await;
    // The snapshot was read above; from here on the stream is like any other.
    let id = &due.match_id;
    loop {
        match newer.next().await.unwrap().1 {
            Event::Turn(turn) => well(&second, &turn).await,
            Event::MatchEnded(ended) if ended.r#match.as_ref().unwrap().id == *id => return ended,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_flood_of_calls_is_refused_and_slows_no_other_bot() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let good_events = good.open(offer(2, Blitz)).await;
    let bad_events = bad.open(offer(2, Blitz)).await;
    let mut slowest = Duration::ZERO;
    let timed = async |player: &ScriptedBot, turn: &pb::Turn| {
        let began = Instant::now();
        well(player, turn).await;
        slowest = slowest.max(began.elapsed());
    };
    let mut refused = 0;
    let floods = async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.turn < 12 {
            refused += flood(player, 1_000).await;
        }
        // The flooding bot has to wait like any other.
        while let Err(status) = player.submit(&turn.match_id, turn.turn, legal(turn)).await {
            assert_quota(&status);
            tokio::time::sleep(status.get_details_retry_info().unwrap().retry_delay.unwrap()).await;
        }
    };
    let (received, ended) =
        tokio::join!(first_match(&good, good_events, timed), first_match(&bad, bad_events, floods));
    println!(
        "{refused} calls of a flood refused; the slowest call of the other bot took {slowest:?}"
    );
    assert!(refused > 1_000, "{refused}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    assert_rated(&[(&good, &received, Finished), (&bad, &ended, Finished)]).await;
}

/// Makes this many calls concurrently, and returns the number of refused ones.
async fn flood(player: &ScriptedBot, calls: usize) -> usize {
    let mut all = JoinSet::new();
    for _ in 0..calls {
        let player = player.clone();
        all.spawn(async move { player.beat(0, &[]).await });
    }
    let answers = all.join_all().await;
    let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    refused.iter().for_each(assert_quota);
    refused.len()
}

#[track_caller]
fn assert_quota(status: &tonic::Status) {
    assert_eq!(refusal(status), (Code::ResourceExhausted, "QUOTA".to_owned()));
    let said = metadata(status);
    let known = |key: &str| said.get(key).cloned().unwrap_or_else(|| panic!("{key}: {said:?}"));
    assert_eq!((known("key"), known("limit")), ("calls-a-second".into(), "200".into()));
    assert_eq!(known("remaining"), "0");
    let wait: u64 = known("retry_after_ms").parse().unwrap();
    let retry = status.get_details_retry_info().and_then(|info| info.retry_delay).unwrap();
    assert!(wait <= 10 && retry <= Duration::from_millis(10), "{wait} {retry:?}");
}
