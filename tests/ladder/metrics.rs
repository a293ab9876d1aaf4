//! Metrics of the arena.

use std::time::Duration;

use azulejo_tests::grpc::assert_refused;
use azulejo_tests::waiting::{PATIENCE, until};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use tonic::Code;

use crate::arena::Arena;
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, illegal, well};

const POOL: &str = "azul-colored-2-bullet";

/// The value of a series, if it exists.
fn value(metrics: &str, series: &str) -> Option<f64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map(|value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_arena_counts_moves_matches_and_commits() {
    let arena = Arena::start(&[]);
    let before = arena.metrics();
    assert_eq!(value(&before, "azulejo_arena_holds_store"), Some(1.0), "{before}");
    assert_eq!(value(&before, "azulejo_arena_moves_total{by=\"bot\"}"), Some(0.0));
    let one = ScriptedBot::new(&arena, "one/bot").await;
    let two = ScriptedBot::new(&arena, "two/bot").await;
    let (events, others) = (one.open(offer(2, Bullet)).await, two.open(offer(2, Bullet)).await);
    let clumsy = async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.illegal_tries == 0 && turn.turn < 2 {
            let refused = player.submit(&turn.match_id, turn.turn, illegal(turn)).await;
            assert_refused(refused, Code::InvalidArgument, "ILLEGAL_MOVE");
        } else {
            well(player, turn).await;
        }
    };
    let (ended, _) =
        tokio::join!(first_match(&one, events, clumsy), first_match(&two, others, well));

    let series = format!("azulejo_arena_matches_ended_total{{how=\"finished\",pool=\"{POOL}\"}}");
    let after = until("the match is counted", PATIENCE, || {
        let metrics = arena.metrics();
        (value(&metrics, &series) > Some(0.0)).then_some(metrics)
    });
    let turns = f64::from(ended.r#match.unwrap().turns);
    assert!(value(&after, "azulejo_arena_moves_total{by=\"bot\"}").unwrap() >= turns, "{after}");
    assert_eq!(value(&after, "azulejo_arena_moves_total{by=\"automatic\"}"), Some(0.0));
    assert_eq!(value(&after, "azulejo_arena_illegal_moves_total"), Some(1.0));
    assert_eq!(value(&after, "azulejo_arena_timeouts_total"), Some(0.0));
    let waits = format!("azulejo_arena_queue_wait_seconds_count{{pool=\"{POOL}\"}}");
    assert!(value(&after, &waits).unwrap() >= 2.0, "{after}");
    assert!(value(&after, "azulejo_arena_turn_charged_seconds_count").unwrap() >= turns);
    let batches = value(&after, "azulejo_store_batch_writes_count").unwrap();
    assert!(batches >= turns, "each decision is durable before the next: {after}");
    assert_eq!(value(&after, "azulejo_store_commit_seconds_count"), Some(batches));
    assert!(value(&after, "azulejo_store_batch_writes_sum").unwrap() > batches);
    assert!(value(&after, "azulejo_arena_loop_delay_seconds_count").unwrap() > 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connected_bots_and_reconnects_are_counted() {
    let arena = Arena::start(&[]);
    let one = ScriptedBot::new(&arena, "one/bot").await;
    let events = one.open(offer(2, Bullet)).await;
    let connected = |number: f64| {
        until("the bots are counted", Duration::from_secs(20), || {
            let metrics = arena.metrics();
            let there = value(&metrics, "azulejo_arena_bots_connected");
            (there == Some(number)).then_some(metrics)
        })
    };
    let alone = connected(1.0);
    let waiting = format!("azulejo_arena_bots_waiting{{pool=\"{POOL}\"}}");
    // A scrape at this moment may see one value from before and one from after.
    until("it waits", PATIENCE, || (value(&arena.metrics(), &waiting) == Some(1.0)).then_some(()));
    assert_eq!(value(&alone, "azulejo_arena_resumes_total"), Some(0.0));
    let two = ScriptedBot::new(&arena, "two/bot").await;
    let _others = two.open(offer(2, Bullet)).await;
    let running = format!("azulejo_arena_matches_running{{pool=\"{POOL}\"}}");
    until("a match is called", PATIENCE, || value(&arena.metrics(), &running).filter(|&n| n > 0.0));
    drop(events);
    let _again = one.open(offer(2, Bullet)).await;
    until("a bot came back", PATIENCE, || {
        value(&arena.metrics(), "azulejo_arena_resumes_total").filter(|&resumes| resumes > 0.0)
    });
}
