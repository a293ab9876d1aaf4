//! The server stands still: stopped, as when its machine is moved, or waiting for its store.

use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::Bullet;
use rstest::rstest;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::arena::Arena;
use crate::results::assert_rated;
use crate::scripted_bot::{Events, ScriptedBot, offer};
use crate::strategies::{first_match, legal, well};

/// More than what the clock runs on after the last sign of life of the server.
const TOLERANCE: Duration = Duration::from_millis(50);

async fn two_bots(arena: &Arena) -> [(ScriptedBot, Events); 2] {
    let one = ScriptedBot::new(arena, "one/bot").await;
    let two = ScriptedBot::new(arena, "two/bot").await;
    let events = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    [(one, events.0), (two, events.1)]
}

/// Plays the third turn of a match while the server stands still; all others at once. Returns the
/// end, and what the turn cost if it was this bot's.
async fn play(
    player: &ScriptedBot,
    events: Events,
    stands_still: impl AsyncFn(),
    answers_during: bool,
) -> (pb::MatchEnded, Option<(Duration, Duration)>) {
    let mut cost = None;
    let ended = first_match(player, events, async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.turn != 2 {
            return well(player, turn).await;
        }
        let began = Instant::now();
        let submit = || player.submit(&turn.match_id, turn.turn, legal(turn));
        let (receipt, thought) = if answers_during {
            let late = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                let thought = began.elapsed();
                (submit().await.unwrap(), thought)
            };
            let ((), answered) = tokio::join!(stands_still(), late);
            answered
        } else {
            stands_still().await;
            let resumed = Instant::now();
            // Only what the bot itself takes after the server runs again.
            (submit().await.unwrap(), resumed.elapsed())
        };
        let charged = Duration::try_from(receipt.charged_time.unwrap()).unwrap();
        cost = Some((charged, thought));
    })
    .await;
    (ended, cost)
}

async fn assert_not_charged(arena: &Arena, stands_still: impl AsyncFn(), answers_during: bool) {
    let [(one, first), (two, second)] = two_bots(arena).await;
    let (a, b) = tokio::join!(
        play(&one, first, &stands_still, answers_during),
        play(&two, second, &stands_still, answers_during)
    );
    let (charged, thought) = a.1.or(b.1).expect("one of them had the turn");
    println!("charged {charged:?} for {thought:?} of thought");
    assert!(charged <= thought + TOLERANCE, "{charged:?} for {thought:?}");
    assert_rated(&[(&one, &a.0, Finished), (&two, &b.0, Finished)]).await;
}

#[rstest]
#[case::a_second(1, false)]
#[case::four_seconds(4, false)]
#[case::twelve_seconds(12, false)]
#[case::four_seconds_with_the_answer_on_its_way(4, true)]
#[tokio::test(flavor = "multi_thread")]
async fn the_time_in_which_the_process_is_stopped_is_not_charged(
    #[case] seconds: u64,
    #[case] answers_during: bool,
) {
    let arena = Arena::start(&[]);
    let stopped = async || {
        arena.suspend();
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        arena.resume();
    };
    Box::pin(assert_not_charged(&arena, stopped, answers_during)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_in_which_the_store_stalls_is_not_charged() {
    let arena = Arena::start(&[]);
    let store = arena.store();
    let stalled = async || {
        let options = SqliteConnectOptions::new().filename(&store);
        let mut other = SqliteConnection::connect_with(&options).await.unwrap();
        // No commit gets past it.
        let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
        tokio::time::sleep(Duration::from_secs(3)).await;
        lock.rollback().await.unwrap();
    };
    Box::pin(assert_not_charged(&arena, stalled, true)).await;
}
