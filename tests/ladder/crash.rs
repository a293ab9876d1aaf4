//! The process of a bot, or of the arena, is killed in the middle of a match.

use std::process::Stdio;
use std::time::Duration;

use azulejo_tests::process::{ChildGuard, azulejo};
use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::{Blitz, Bullet};

use crate::arena::Arena;
use crate::results::{assert_rated, seat};
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, until_second_turn, well};

/// `azulejo bot greedy`, as a user runs it.
fn remote_bot(arena: &Arena, token: &str) -> ChildGuard {
    let mut command = azulejo(&[
        "bot",
        "greedy",
        "--server",
        &arena.url(),
        "--token",
        token,
        "--as-version",
        "1",
    ]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    ChildGuard(command.spawn().unwrap())
}

#[tokio::test]
async fn a_bot_that_is_killed_and_started_again_finishes_its_match() {
    let arena = Arena::start(&[]);
    let good = ScriptedBot::new(&arena, "good/bot").await;
    let killed = ScriptedBot::new(&arena, "killed/bot").await;
    let events = good.open(offer(2, Blitz)).await;
    let mut process = remote_bot(&arena, &killed.token);
    let mut kills = 0;
    let kills_it = async |player: &ScriptedBot, turn: &pb::Turn| {
        if turn.turn >= 4 * (kills + 1) && kills < 3 {
            process.kill();
            kills += 1;
            if kills != 2 {
                process = remote_bot(&arena, &killed.token);
            }
        }
        well(player, turn).await;
        if kills == 2 {
            // Now the absent bot is to move.
            tokio::time::sleep(Duration::from_millis(500)).await;
            process = remote_bot(&arena, &killed.token);
            kills += 1;
        }
    };

    let received = first_match(&good, events, kills_it).await;

    let played = received.r#match.clone().unwrap();
    let other = u32::try_from(seat(&played, &killed.id)).unwrap();
    let ended = pb::MatchEnded { seat: other, ..received.clone() };
    assert_eq!(kills, 3);
    assert_rated(&[(&good, &received, Finished), (&killed, &ended, Finished)]).await;
}

#[tokio::test]
async fn the_time_without_an_arena_is_charged_to_no_bot() {
    let mut arena = Arena::start(&[]);
    let slow = ScriptedBot::new(&arena, "slow/bot").await;
    let quick = ScriptedBot::new(&arena, "quick/bot").await;
    let slow_events = slow.open(offer(2, Bullet)).await;
    let mut quick_events = quick.open(offer(2, Bullet)).await;
    tokio::select! {
        _due = until_second_turn(&quick, &mut quick_events) => {}
        ended = first_match(&slow, slow_events, well) => panic!("{ended:?}"),
    }

    arena.restart();
    let quick = quick.reconnected(&arena).await;
    let quick_events = quick.open(offer(2, Bullet)).await;
    let late = async {
        // Longer than its bank: the bot does not know yet that the arena is back.
        tokio::time::sleep(Duration::from_secs(4)).await;
        let slow = slow.reconnected(&arena).await;
        let events = slow.open(offer(2, Bullet)).await;
        first_match(&slow, events, well).await
    };
    let (received, ended) = tokio::join!(first_match(&quick, quick_events, well), late);

    assert_rated(&[
        (&quick, &received, Finished),
        (&slow.reconnected(&arena).await, &ended, Finished),
    ])
    .await;
}
