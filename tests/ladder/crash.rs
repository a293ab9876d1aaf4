//! A bot's process that is killed in the middle of a match, and an arena's.

use std::process::Stdio;
use std::time::Duration;

use azulejo_wire::arena::v1 as pb;
use pb::EndReason::Finished;
use pb::TimeClass::{Blitz, Bullet};

use crate::arena::{Arena, Guard, azulejo};
use crate::manners::{first_match, until_second_turn, well};
use crate::puppet::{Puppet, offer};
use crate::verdict::{assert_rated, seat};

/// `azulejo bot greedy`, as somebody would run it at home.
fn remote_bot(arena: &Arena, token: &str) -> Guard {
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
    Guard(command.spawn().unwrap())
}

#[tokio::test]
async fn a_bot_that_is_killed_and_started_again_finishes_its_match() {
    let arena = Arena::start(&[]);
    let good = Puppet::new(&arena, "good/bot").await;
    let killed = Puppet::new(&arena, "killed/bot").await;
    let events = good.open(offer(2, Blitz)).await;
    let mut process = remote_bot(&arena, &killed.token);
    let mut kills = 0;
    let kills_it = async |puppet: &Puppet, turn: &pb::Turn| {
        if turn.turn >= 4 * (kills + 1) && kills < 3 {
            process.kill();
            kills += 1;
            if kills != 2 {
                process = remote_bot(&arena, &killed.token);
            }
        }
        well(puppet, turn).await;
        if kills == 2 {
            // Now it is the turn of a bot that is not there.
            tokio::time::sleep(Duration::from_millis(500)).await;
            process = remote_bot(&arena, &killed.token);
            kills += 1;
        }
    };

    let told = first_match(&good, events, kills_it).await;

    let played = told.r#match.clone().unwrap();
    let other = u32::try_from(seat(&played, &killed.id)).unwrap();
    let ended = pb::MatchEnded { seat: other, ..told.clone() };
    assert_eq!(kills, 3);
    assert_rated(&[(&good, &told, Finished), (&killed, &ended, Finished)]).await;
}

#[tokio::test]
async fn nobody_pays_for_the_time_in_which_the_arena_was_away() {
    let mut arena = Arena::start(&[]);
    let slow = Puppet::new(&arena, "slow/bot").await;
    let quick = Puppet::new(&arena, "quick/bot").await;
    let slow_events = slow.open(offer(2, Bullet)).await;
    let mut quick_events = quick.open(offer(2, Bullet)).await;
    tokio::select! {
        _due = until_second_turn(&quick, &mut quick_events) => {}
        ended = first_match(&slow, slow_events, well) => panic!("{ended:?}"),
    }

    arena.again();
    let quick = quick.reconnected(&arena).await;
    let quick_events = quick.open(offer(2, Bullet)).await;
    let late = async {
        // Longer than its bank: it has yet to find out that the arena is back.
        tokio::time::sleep(Duration::from_secs(4)).await;
        let slow = slow.reconnected(&arena).await;
        let events = slow.open(offer(2, Bullet)).await;
        first_match(&slow, events, well).await
    };
    let (told, ended) = tokio::join!(first_match(&quick, quick_events, well), late);

    assert_rated(&[(&quick, &told, Finished), (&slow.reconnected(&arena).await, &ended, Finished)])
        .await;
}
