//! Paused bots, and matches without a result.

use std::time::Duration;

use azulejo_tests::grpc::assert_refused;
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::CalledOff;
use pb::TimeClass::{Bullet, Rapid};
use pb::bots_service_client::BotsServiceClient;
use pb::play_event::Event;
use tonic::Code;

use crate::arena::{Arena, said};
use crate::results::{assert_voided, bot};
use crate::scripted_bot::{Events, ScriptedBot, bearer, offer};
use crate::strategies::until_second_turn;

/// Calls Ready and then answers wrongly, until it is paused: how often, and in which match last.
async fn fail_until_paused(
    player: &ScriptedBot,
    mut events: Events,
) -> (usize, String, pb::Paused) {
    let (mut failed, mut last) = (0, String::new());
    loop {
        match events.next().await.unwrap().1 {
            Event::MatchStarting(starting) => {
                let _over = player.ready(&starting.r#match.unwrap().id).await;
            }
            Event::Turn(turn) => {
                let wrong = crate::strategies::illegal(&turn);
                let _refused = player.submit(&turn.match_id, turn.turn, wrong).await;
            }
            Event::MatchEnded(ended) => {
                failed += 1;
                last = ended.r#match.unwrap().id;
            }
            Event::Paused(paused) => return (failed, last, paused),
            _ => {}
        }
    }
}

/// Plays match after match.
async fn plays_on(player: &ScriptedBot, events: &mut Events) {
    loop {
        match events.next().await.unwrap().1 {
            Event::MatchStarting(starting) => {
                let _over = player.ready(&starting.r#match.unwrap().id).await;
            }
            Event::Turn(turn) => {
                let legal = crate::strategies::legal(&turn);
                let _over = player.submit(&turn.match_id, turn.turn, legal).await;
            }
            _ => {}
        }
    }
}

/// Whether it is assigned to a match within two seconds.
async fn is_called(events: &mut Events) -> bool {
    let called =
        async { while !matches!(events.next().await.unwrap().1, Event::MatchStarting(_)) {} };
    tokio::time::timeout(Duration::from_secs(2), called).await.is_ok()
}

#[tokio::test]
async fn five_failures_in_a_row_pause_a_bot_until_its_owner_resumes_it() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let mut events = good.open(offer(2, Bullet)).await;
    let failing = bad.open(offer(2, Bullet)).await;
    let (failed, last, paused) = tokio::select! {
        paused = fail_until_paused(&bad, failing) => paused,
        () = plays_on(&good, &mut events) => unreachable!(),
    };
    assert_eq!((failed, &paused.match_id), (5, &last));
    assert!(paused.note.contains("5 matches in a row"), "{paused:?}");
    assert_eq!(paused.pause_reason(), pb::PauseReason::Failures);
    let health = bot(&good.channel, &bad.id).await.health.unwrap();
    assert_eq!(health.pause_reason(), pb::PauseReason::Failures);
    let shown = (health.paused, health.pause_note, health.pause_match_id, health.recent_failures);
    assert_eq!(shown, (true, paused.note.clone(), last, 5));

    let mut others = good.open(offer(2, Bullet)).await;
    let mut again = bad.open(offer(2, Bullet)).await;
    assert_eq!(again.snapshot().await.paused, Some(paused));
    assert!(!is_called(&mut again).await, "no more matches");

    let mut bots = BotsServiceClient::new(bad.channel.clone());
    let resume = || pb::ResumeBotRequest { bot: bad.id.clone() };
    let others_token = bots.resume_bot(bearer(resume(), &good.owner_token)).await;
    assert_refused(others_token, Code::PermissionDenied, "OTHER_OWNER");
    bots.resume_bot(bearer(resume(), &bad.owner_token)).await.unwrap();
    let (called, also) = tokio::join!(is_called(&mut again), is_called(&mut others));
    assert!(called && also, "resumed");
}

#[tokio::test]
async fn an_organiser_pauses_a_bot_and_its_owner_receives_the_reason() {
    let mut arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let mut events = ann.open(offer(2, Bullet)).await;
    events.snapshot().await;
    assert!(matches!(events.next().await, Some((2, Event::Ping(_)))));
    let (url, organiser) = (arena.url(), arena.organiser());
    let words = ["admin", "pause", "ann/bot", "--reason", "too <b>noisy</b>", "--server", &url];
    let done = said(&[&words[..], &["--token", &organiser]].concat());
    assert!(done.status.success(), "{done:?}");
    let (_, Event::Paused(paused)) = events.next().await.unwrap() else { panic!("not paused") };
    assert_eq!((&*paused.note, &*paused.match_id), ("too <b>noisy</b>", ""));
    assert_eq!(paused.pause_reason(), pb::PauseReason::Organiser);
    arena.restart();
    let ann = ann.reconnected(&arena).await;
    let snapshot = ann.open(offer(2, Bullet)).await.snapshot().await;
    assert_eq!(snapshot.paused, Some(paused), "after a restart too");
}

#[tokio::test]
async fn a_match_that_an_organiser_calls_off_changes_no_rating() {
    let arena = Arena::start(&[]);
    let (one, two) =
        (ScriptedBot::new(&arena, "one/bot").await, ScriptedBot::new(&arena, "two/bot").await);
    let (mut first, mut second) =
        (one.open(offer(2, Rapid)).await, two.open(offer(2, Rapid)).await);
    let due = tokio::select! {
        due = until_second_turn(&one, &mut first) => due,
        () = plays_on(&two, &mut second) => unreachable!(),
    };
    let (url, organiser) = (arena.url(), arena.organiser());
    let words = ["admin", "void", &due.match_id, "--reason", "a test", "--server", &url];
    let done = said(&[&words[..], &["--token", &organiser]].concat());
    assert!(done.status.success(), "{done:?}");
    let (received, also) = (ended(&mut first).await, ended(&mut second).await);
    let voided = received.r#match.as_ref().unwrap();
    assert_eq!((voided.void_reason(), &*voided.void_note), (pb::VoidReason::Organiser, "a test"));
    assert_voided(&[(&one, &received, CalledOff), (&two, &also, CalledOff)]).await;
    let again = said(&[&words[..], &["--token", &organiser]].concat());
    assert!(!again.status.success(), "it is over");
}

async fn ended(events: &mut Events) -> pb::MatchEnded {
    loop {
        if let Event::MatchEnded(ended) = events.next().await.unwrap().1 {
            return ended;
        }
    }
}
