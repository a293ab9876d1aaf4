//! Which of the last matches of a bot were failures.

use azulejo_arena::names::Player;
use azulejo_arena::rating::{FORMULA, WINDOW};
use azulejo_arena::record::EndReason;
use azulejo_arena::store::{Ended, Write};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

/// Alice was gone, but only the ladder counts.
fn failed_challenge(n: u64) -> Write {
    let seats = vec![seat_end(1, EndReason::Finished), seat_end(2, EndReason::Gone)];
    Write::Ended(Ended {
        id: id(n),
        at: Wall(n),
        seats,
        rated: false,
        standings: vec![],
        summary: None,
    })
}

pub(crate) async fn the_last_fifty_ladder_matches_of_a_bot_are_remembered(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let reasons = [
        EndReason::Finished,
        EndReason::Resigned,
        EndReason::OutOfTime,
        EndReason::IllegalMoves,
        EndReason::Gone,
        EndReason::NoShow,
        EndReason::CalledOff,
        EndReason::ServerError,
    ];
    let reason = |n: u64| reasons[usize::try_from(n).unwrap() % reasons.len()];
    let mut batch: Vec<Write> = Vec::new();
    for n in 0..60 {
        batch.extend([
            ladder(n),
            rated(n, reason(n), 1),
            challenge(100 + n),
            failed_challenge(100 + n),
        ]);
    }
    batch.push(ladder(200));
    store.commit(epoch, &batch).await.unwrap();
    let bots = store.load().await.unwrap().bots;
    assert_eq!(bots[0].recent, [false; 50]);
    let failed: Vec<bool> = (10..60).map(|n| reason(n).is_failure()).collect();
    assert_eq!(bots[1].recent, failed);
}

pub(crate) async fn recent_matches_are_ordered_by_their_end(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1), ladder(2), ladder(3)]).await.unwrap();
    let ends = [(3, EndReason::Gone), (1, EndReason::Finished), (2, EndReason::NoShow)];
    for (n, reason) in ends {
        store.commit(epoch, &[rated(n, reason, 1)]).await.unwrap();
    }
    assert_eq!(store.load().await.unwrap().bots[1].recent, [true, false, true]);
}

pub(crate) async fn the_last_thousand_meetings_of_a_pool_are_remembered_in_their_order(
    store: Fresh,
) {
    let epoch = with_alice_and_bob(&*store).await;
    let count = u64::from(WINDOW) + 5;
    let mut batch: Vec<Write> = Vec::new();
    for n in 0..count {
        batch.extend([ladder(n), rated(n, EndReason::Finished, 1)]);
    }
    batch.extend([challenge(5_000), failed_challenge(5_000)]);
    store.commit(epoch, &batch).await.unwrap();
    let meetings = store.load().await.unwrap().meetings;
    assert_eq!(meetings.len(), WINDOW as usize);
    let players: Vec<Player> = [ALICE, BOB].map(player).into();
    let pool = "azul-colored-2-blitz".parse().unwrap();
    assert!(meetings.iter().all(|met| *met == (pool, players.clone())), "{:?}", meetings[0]);
}

pub(crate) async fn the_formula_of_the_ratings_is_the_first_one_until_it_is_changed(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_eq!(store.load().await.unwrap().rating_formula, 1);
    store.commit(epoch, &[Write::RatingFormula(FORMULA)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().rating_formula, FORMULA);
}
