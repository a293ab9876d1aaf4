//! The server stands still: stopped, as when its machine is moved, or waiting for its store.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use azulejo_tests::process::{azulejo, output_within};
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::Bullet;
use rstest::rstest;
use serde_json::Value;
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
    let stalled = async || stall(&store, Duration::from_secs(3)).await;
    Box::pin(assert_not_charged(&arena, stalled, true)).await;
}

/// No commit gets past this lock.
async fn stall(store: &Path, lasting: Duration) {
    let options = SqliteConnectOptions::new().filename(store).busy_timeout(LONGEST_STANDSTILL);
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    tokio::time::sleep(lasting).await;
    lock.rollback().await.unwrap();
}

const LONGEST_STANDSTILL: Duration = Duration::from_secs(40);
/// Between two standstills.
const PLAYING: Duration = Duration::from_secs(8);
/// One bot in a hundred thousand turns may be charged this much by a machine that does other work.
const MOST_CHARGED_US: u64 = 100_000;

/// A hundred bots play fifty rated matches, while the server stands still for 1, 4, 12 and 40 s.
/// Afterwards the whole store is compared with what the bots received.
async fn assert_fifty_matches_are_not_charged(arena: &Arena, stands_still: impl AsyncFn(Duration)) {
    let url = arena.url();
    let flags = ["load", "ladder", "--json", "--bots", "100", "--seconds", "110"];
    let load = azulejo(&[&flags[..], &["--server", &url, "--store", arena.address()]].concat());
    let load = tokio::task::spawn_blocking(|| output_within(Duration::from_mins(8), load));
    tokio::time::sleep(PLAYING).await;
    for seconds in [1, 4, 12, LONGEST_STANDSTILL.as_secs()] {
        stands_still(Duration::from_secs(seconds)).await;
        tokio::time::sleep(PLAYING).await;
    }
    let output: Output = load.await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(text.trim()).unwrap_or_else(|_| panic!("{output:?}"));
    println!("{report}");
    for verdict in report["verdicts"].as_array().unwrap() {
        assert_ne!(verdict["holds"], false, "{verdict}");
    }
    let counts = ["seats_failed", "seats_called_off", "seats_server_error", "time_outs"];
    for count in counts {
        assert_eq!(report[count], 0, "{count}");
    }
    let most = report["charged_beyond_thought"]["max_us"].as_u64().unwrap();
    assert!(most <= MOST_CHARGED_US, "{most} us");
    assert!(report["seats_finished"].as_u64().unwrap() >= 200, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes three minutes"]
async fn fifty_matches_are_not_charged_while_the_process_is_stopped() {
    let arena = Arena::start(&["--max-calls", "2000"]);
    let stopped = async |lasting| {
        arena.suspend();
        tokio::time::sleep(lasting).await;
        arena.resume();
    };
    Box::pin(assert_fifty_matches_are_not_charged(&arena, stopped)).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes three minutes"]
async fn fifty_matches_are_not_charged_while_the_store_stalls() {
    let arena = Arena::start(&["--max-calls", "2000"]);
    let store = arena.store();
    let stalled = async |lasting| stall(&store, lasting).await;
    Box::pin(assert_fifty_matches_are_not_charged(&arena, stalled)).await;
}
