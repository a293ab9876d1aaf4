//! Bots that are absent: never ready, disconnected, or not reading.

use std::time::Duration;

use azulejo_tests::waiting::until_async;
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::{CalledOff, Finished, Gone, NoShow, OutOfTime};
use pb::TimeClass::{Bullet, Rapid};
use pb::bots_service_client::BotsServiceClient;
use pb::matches_service_client::MatchesServiceClient;
use pb::play_event::Event;

use crate::arena::Arena;
use crate::reconnecting_bot::ReconnectingBot;
use crate::results::{assert_rated, assert_voided, seat};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, until_second_turn, well};

/// The end of a match as a bot receives it when it reconnects.
async fn end_after_reconnect(player: &ScriptedBot, arena: &Arena, players: u32) -> pb::MatchEnded {
    let player = player.reconnected(arena).await;
    let quiet = pb::Offer { max_concurrent_matches: 0, ..offer(players, Bullet) };
    let mut snapshot = player.open(quiet).await.snapshot().await;
    assert_eq!(snapshot.ended.len(), 1, "{snapshot:?}");
    snapshot.ended.remove(0)
}

#[tokio::test]
async fn a_match_is_called_off_when_a_bot_is_never_ready() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let events = good.open(offer(2, Bullet)).await;
    let mut ignored = bad.open(offer(2, Bullet)).await;
    let called = std::time::Instant::now();

    let waits = first_match(&good, events, well);
    let ignores = async {
        loop {
            match ignored.next().await.unwrap() {
                (_, Event::MatchEnded(ended)) => return ended,
                (_, Event::MatchStarting(starting)) => {
                    let within = Duration::try_from(starting.ready_timeout.unwrap()).unwrap();
                    assert!(within <= Duration::from_secs(15) && within.as_secs() >= 14);
                }
                _ => {}
            }
        }
    };
    let (received, ended) = tokio::join!(waits, ignores);

    assert!(called.elapsed() >= Duration::from_secs(15), "{:?}", called.elapsed());
    assert_voided(&[(&good, &received, CalledOff), (&bad, &ended, NoShow)]).await;
    let nonces = received.reveal.unwrap().nonces;
    assert!(nonces[seat(received.r#match.as_ref().unwrap(), &bad.id)].is_empty());
}

/// A bot that disconnects in the middle of a match of three, at its second turn.
async fn vanishes(class: pb::TimeClass, reason: pb::EndReason) {
    let arena = Arena::start(&[]);
    let mut others = Vec::new();
    for id in ["one/bot", "two/bot"] {
        let player = ScriptedBot::new(&arena, id).await;
        let events = player.open(offer(3, class)).await;
        others.push(tokio::spawn(async move {
            let ended = first_match(&player, events, well).await;
            (player, ended)
        }));
    }
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    leave_at_second_turn(bad.reconnected(&arena).await, class).await;
    let left = std::time::Instant::now();
    let (one, two) = (others.remove(0).await.unwrap(), others.remove(0).await.unwrap());
    if reason == Gone {
        assert!(left.elapsed() >= Duration::from_secs(29), "{:?}", left.elapsed());
    }
    let ended = end_after_reconnect(&bad, &arena, 3).await;
    // A bot that was away receives the result; only bots that were present receive the ratings.
    let ended = pb::MatchEnded { r#match: one.1.r#match.clone(), ..ended };
    let seen = [(&one.0, &one.1, Finished), (&two.0, &two.1, Finished), (&bad, &ended, reason)];
    assert_rated(&seen).await;
}

/// Drops its connection without a resignation.
async fn leave_at_second_turn(player: ScriptedBot, class: pb::TimeClass) {
    let mut events = player.open(offer(3, class)).await;
    until_second_turn(&player, &mut events).await;
}

#[tokio::test]
async fn a_bot_that_vanishes_is_gone_after_thirty_seconds() {
    vanishes(Rapid, Gone).await;
}

#[tokio::test]
async fn a_bot_that_vanishes_with_little_time_loses_by_its_clock() {
    vanishes(Bullet, OutOfTime).await;
}

#[tokio::test]
async fn a_bot_that_never_reads_its_stream_gets_no_more_time_by_it() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let bad = ScriptedBot::new(&arena, "bad/bot").await;
    let events = good.open(offer(2, Bullet)).await;
    let _never_read = bad.open(offer(2, Bullet)).await;
    let blind = async {
        let called = until_async("a match", Duration::from_secs(5), || {
            let mut matches = MatchesServiceClient::new(bad.channel.clone());
            async move {
                let listed = matches.list_matches(pb::ListMatchesRequest::default()).await;
                listed.unwrap().into_inner().matches.pop()
            }
        });
        let id = called.await.id;
        bad.ready(&id).await.unwrap();
        std::time::Instant::now()
    };
    let (received, began) = tokio::join!(first_match(&good, events, well), blind);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    let ended = end_after_reconnect(&bad, &arena, 2).await;
    let ended = pb::MatchEnded { r#match: received.r#match.clone(), ..ended };
    assert_rated(&[(&good, &received, Finished), (&bad, &ended, OutOfTime)]).await;
}

/// Failures among the last matches of a bot.
async fn failures(player: &ScriptedBot) -> u32 {
    let mut bots = BotsServiceClient::new(player.channel.clone());
    let request = pb::GetBotRequest { bot: player.id.clone() };
    let bot = bots.get_bot(request).await.unwrap().into_inner().bot.unwrap();
    bot.health.unwrap().recent_failures
}

/// Nothing is gained by it: the match is not rated, but counts as a failure of both.
#[tokio::test(flavor = "multi_thread")]
async fn two_bots_that_vanish_together_while_another_one_answers_have_both_failed() {
    let arena = Arena::start(&[]);
    let witness = ScriptedBot::new(&arena, "witness/bot").await;
    let answers = ReconnectingBot::new(arena.url(), witness.token.clone(), Duration::ZERO);
    let answering = answers.plays(offer(3, Rapid));
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/bot").await, ScriptedBot::new(&arena, "bob/bot").await);
    let (mut at_ann, mut at_bob) =
        (ann.open(offer(2, Rapid)).await, bob.open(offer(2, Rapid)).await);
    tokio::select! {
        _ = until_second_turn(&ann, &mut at_ann) => {}
        _ = until_second_turn(&bob, &mut at_bob) => {}
    }
    drop((at_ann, at_bob));
    until_async("the end of the match", Duration::from_secs(45), || async {
        (failures(&ann).await == 1).then_some(())
    })
    .await;
    assert_eq!((failures(&bob).await, failures(&witness).await), (1, 0));
    assert!(arena.metrics().contains("azulejo_arena_lost_together_total 1"));
    for bot in [&ann, &bob] {
        let ended = end_after_reconnect(bot, &arena, 2).await;
        assert!(!ended.r#match.unwrap().rated);
    }
    answering.abort();
}
