//! Bots that are given matches and do not begin them.

use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use pb::play_event::Event;
use tokio::task::JoinSet;

use crate::arena::Arena;
use crate::scripted_bot::{ScriptedBot, offer, register};
use crate::strategies::legal;

/// Plays match after match until the time is up, and returns how many were finished.
async fn plays_until(player: ScriptedBot, end: Instant) -> usize {
    let mut events = player.open(offer(2, Bullet)).await;
    let mut finished = 0;
    while let Ok(event) = tokio::time::timeout_at(end.into(), events.next()).await {
        match event.expect("the stream goes on").1 {
            Event::MatchStarting(starting) => {
                let _called_off = player.ready(&starting.r#match.unwrap().id).await;
            }
            Event::Turn(turn) => {
                // Without a pause, fast bots exceed the limit of calls per second.
                tokio::time::sleep(Duration::from_millis(10)).await;
                player.submit(&turn.match_id, turn.turn, legal(&turn)).await.unwrap();
            }
            Event::MatchEnded(ended) => {
                finished += usize::from(ended.r#match.unwrap().status() == pb::MatchStatus::Ended);
            }
            Event::Ping(pb::Ping { number }) => drop(player.beat(number, &[]).await),
            _ => {}
        }
    }
    finished
}

/// Answers pings, and nothing else.
async fn haunts(ghost: ScriptedBot) {
    let mut events = ghost.open(offer(2, Bullet)).await;
    while let Some((_, event)) = events.next().await {
        if let Event::Ping(pb::Ping { number }) = event {
            let _answered = ghost.beat(number, &[]).await;
        }
    }
}

/// How many matches four honest bots finish in this time beside twenty that begin none.
async fn finished_beside_ghosts(arena: &Arena, owners: usize, seconds: u64) -> usize {
    let mut ghosts = JoinSet::new();
    for owner in 0..owners {
        let first = ScriptedBot::new(arena, &format!("ghost{owner}/0")).await;
        for number in 1..20 / owners {
            let id = format!("ghost{owner}/{number}");
            let added = register(&first.channel, &id, Some(&first.owner_token)).await.unwrap();
            ghosts.spawn(haunts(ScriptedBot { id, token: added.token, ..first.clone() }));
        }
        ghosts.spawn(haunts(first));
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut honest = JoinSet::new();
    for owner in ["ann", "bob", "cid", "dan"] {
        let player = ScriptedBot::new(arena, &format!("{owner}/bot")).await;
        honest.spawn(plays_until(player, end));
    }
    honest.join_all().await.into_iter().sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_bots_of_one_owner_that_begin_no_match_do_not_stop_the_others() {
    let arena = Arena::start(&[]);
    let finished = finished_beside_ghosts(&arena, 1, 40).await;
    println!("{finished} finished seats");
    assert!(finished >= 40, "{finished}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_do_twenty_bots_of_twenty_owners() {
    let arena = Arena::start(&[]);
    let finished = finished_beside_ghosts(&arena, 20, 40).await;
    println!("{finished} finished seats");
    assert!(finished >= 40, "{finished}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_resigns_before_the_start_waits_before_it_gets_another_match() {
    let arena = Arena::start(&[]);
    let end = Instant::now() + Duration::from_secs(20);
    let dodger = ScriptedBot::new(&arena, "dodger/bot").await;
    let mut events = dodger.open(offer(2, Bullet)).await;
    let mut others = JoinSet::new();
    for owner in ["ann", "bob", "cid"] {
        let player = ScriptedBot::new(&arena, &format!("{owner}/bot")).await;
        others.spawn(plays_until(player, end));
    }
    let mut dodged = 0;
    while let Ok(event) = tokio::time::timeout_at(end.into(), events.next()).await {
        match event.expect("the stream goes on").1 {
            Event::MatchStarting(starting) => {
                let _over = dodger.resign(&starting.r#match.unwrap().id).await;
                dodged += 1;
            }
            Event::Ping(pb::Ping { number }) => drop(dodger.beat(number, &[]).await),
            _ => {}
        }
    }
    assert_eq!(dodged, 1, "the second match comes after 30 s at the earliest");
    let finished: usize = others.join_all().await.into_iter().sum();
    assert!(finished > 0, "the others play on");
}
