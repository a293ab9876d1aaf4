//! A bot that calls what it should not, or far too often: it is refused, and the game goes on.

use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::{Blitz, Bullet};
use pb::play_event::Event;
use tokio::task::JoinSet;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::arena::Arena;
use crate::manners::{first_match, legal, well};
use crate::puppet::{Puppet, offer};
use crate::refusals::{assert_refused, metadata, refusal};
use crate::verdict::assert_rated;

#[tokio::test]
async fn nobody_can_answer_for_another() {
    let arena = Arena::start(&[]);
    let good = Puppet::new(&arena, "good/bot").await;
    let bad = Puppet::new(&arena, "bad/bot").await;
    let stranger = Puppet::new(&arena, "stranger/bot").await;
    let good_events = good.open(offer(2, Bullet)).await;
    let bad_events = bad.open(offer(2, Bullet)).await;
    let mut refused = 0;
    let watched = async |puppet: &Puppet, turn: &pb::Turn| {
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
        well(puppet, turn).await;
    };
    let (told, ended) =
        tokio::join!(first_match(&good, good_events, watched), first_match(&bad, bad_events, well));
    assert!(refused > 10, "{refused}");
    assert_rated(&[(&good, &told, Finished), (&bad, &ended, Finished)]).await;
}

#[tokio::test]
async fn the_newest_stream_of_a_bot_wins_and_plays_on() {
    let arena = Arena::start(&[]);
    let good = Puppet::new(&arena, "good/bot").await;
    let bad = Puppet::new(&arena, "bad/bot").await;
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
    let (told, ended) = tokio::join!(first_match(&good, events, well), twin);
    assert_rated(&[(&good, &told, Finished), (&bad, &ended, Finished)]).await;
}

/// A second process opens a stream while a decision is due.
async fn assert_taken_over(
    arena: &Arena,
    bad: &Puppet,
    mut older: crate::puppet::Events,
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
    // What began with a snapshot that was read above goes on as any other.
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
async fn a_flood_of_calls_is_refused_and_slows_nobody() {
    let arena = Arena::start(&[]);
    let good = Puppet::new(&arena, "good/bot").await;
    let bad = Puppet::new(&arena, "bad/bot").await;
    let good_events = good.open(offer(2, Blitz)).await;
    let bad_events = bad.open(offer(2, Blitz)).await;
    let mut slowest = Duration::ZERO;
    let timed = async |puppet: &Puppet, turn: &pb::Turn| {
        let began = Instant::now();
        well(puppet, turn).await;
        slowest = slowest.max(began.elapsed());
    };
    let mut refused = 0;
    let floods = async |puppet: &Puppet, turn: &pb::Turn| {
        if turn.turn < 12 {
            refused += flood(puppet, 1_000).await;
        }
        // Whoever floods has to wait like anybody else.
        while let Err(status) = puppet.submit(&turn.match_id, turn.turn, legal(turn)).await {
            assert_quota(&status);
            tokio::time::sleep(status.get_details_retry_info().unwrap().retry_delay.unwrap()).await;
        }
    };
    let (told, ended) =
        tokio::join!(first_match(&good, good_events, timed), first_match(&bad, bad_events, floods));
    println!("{refused} calls of a flood refused; the other's slowest call took {slowest:?}");
    assert!(refused > 1_000, "{refused}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    assert_rated(&[(&good, &told, Finished), (&bad, &ended, Finished)]).await;
}

/// So many calls at once: how many were refused.
async fn flood(puppet: &Puppet, calls: usize) -> usize {
    let mut all = JoinSet::new();
    for _ in 0..calls {
        let puppet = puppet.clone();
        all.spawn(async move { puppet.beat(0, &[]).await });
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
