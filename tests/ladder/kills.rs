//! The arena is killed repeatedly while bots play, and another one takes over its store: nothing
//! that was acknowledged is lost, and no bot is charged for it.

use std::time::Duration;

use azulejo_tests::waiting::{PATIENCE, until_async};

use crate::arena::Arena;
use crate::load::Crowd;
use crate::proxy::Proxy;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_no_time_is_charged_when_the_arena_is_killed_under_load() {
    let mut arena = Arena::start(&[]);
    let crowd = Crowd::of(&arena, &arena.url()).await;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(700)).await;
        arena.restart();
    }
    crowd.assert_kept(arena).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_arena_on_the_same_store_fences_the_first() {
    let mut first = Arena::start(&[]);
    let proxy = Proxy::to(first.public).await;
    let crowd = Crowd::of(&first, &proxy.url()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;

    let second = first.beside();
    proxy.switch_to(second.public);

    let looks = || std::future::ready(first.has_ended());
    let ended = until_async("the first one ends", PATIENCE, looks).await;
    assert!(!ended.success(), "{ended:?}");
    let log = first.log();
    assert!(log.contains("another arena has taken over the store"), "{log}");
    tokio::time::sleep(Duration::from_secs(2)).await;
    crowd.assert_kept(second).await;
}
