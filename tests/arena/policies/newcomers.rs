//! Bots that have not begun a match yet.

use azulejo_arena::names::{BotId, Owner};

use super::arena::{TestArena, bot, hello, told};
use super::one_match::at;
use crate::edge::{Output, Request};
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

const POOL: &str = "azul-colored-2-bullet";

/// The bots that are called to a match.
fn called(outputs: &[Output], bots: &[BotId]) -> Vec<BotId> {
    let is_called = |bot: &&BotId| {
        let events = told(outputs, bot);
        events.iter().any(|(_, event)| matches!(event.event, Some(Told::MatchStarting(_))))
    };
    bots.iter().filter(is_called).cloned().collect()
}

#[test]
fn a_bot_gets_a_match_once_it_has_answered_a_ping() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let bots = [bot("ann"), bot("bob")];
    arena.open(&bots[0], hello(POOL, 1));
    arena.open_silently(&bots[1], hello(POOL, 1));
    for _ in 0..20 {
        assert_eq!(called(&arena.wait(50), &bots), []);
    }
    arena.open(&bots[1], hello(POOL, 1));
    assert_eq!(called(&arena.wait(50), &bots), bots);
}

#[test]
fn only_a_few_newcomers_are_called_at_the_same_time() {
    let owners = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let mut arena = TestArena::of(&owners);
    let bots = owners.map(bot);
    for bot in &bots {
        arena.open(bot, hello(POOL, 1));
    }
    let first = called(&arena.wait(50), &bots);
    assert_eq!(first.len(), 4, "{first:?}");
    for _ in 0..20 {
        assert_eq!(called(&arena.wait(50), &bots), [], "the others wait for them");
    }
    // They are not ready in time, although all of them are alive.
    let mut next = Vec::new();
    for _ in 0..4 {
        for bot in &bots {
            let (bot, ended, received) = (bot.clone(), Vec::new(), at(arena.now).time);
            arena.hand_in(Request::Heartbeat { bot, ping: 0, ended, received });
        }
        next.extend(called(&arena.wait(4_000), &bots));
    }
    assert_eq!(next.len(), 4, "{next:?}");
    assert!(next.iter().all(|bot| !first.contains(bot)), "{first:?} {next:?}");
}

#[test]
fn newcomers_that_are_ready_make_room_for_others_at_once() {
    let owners = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let mut arena = TestArena::of(&owners);
    let bots = owners.map(bot);
    for bot in &bots {
        arena.open(bot, hello(POOL, 1));
    }
    let mut all = Vec::new();
    for _ in 0..3 {
        let outputs = arena.wait(50);
        for bot in called(&outputs, &bots) {
            let starting =
                told(&outputs, &bot).into_iter().find_map(|(_, event)| match &event.event {
                    Some(Told::MatchStarting(starting)) => starting.r#match.as_ref(),
                    _ => None,
                });
            let id = starting.unwrap().id.parse().unwrap();
            arena.ready(&bot, &id).unwrap();
            all.push(bot);
        }
    }
    all.sort_unstable();
    assert_eq!(all, bots, "all of them play");
}

#[test]
fn one_newcomer_of_an_owner_is_called_at_a_time() {
    let mut arena = TestArena::of(&["ann", "bob", "cid"]);
    let more = ["one", "two", "three"].map(|name| format!("ann/{name}"));
    for id in &more {
        let name = id.split_once('/').unwrap().1.to_owned();
        let owner: Owner = "ann".parse().unwrap();
        let (invitation, request) = (None, None);
        let by = Some(owner.clone());
        arena.ask(Request::Register { by, owner, name, invitation, request }).unwrap();
    }
    let of_ann: Vec<BotId> = more.iter().map(|id| id.parse().unwrap()).collect();
    for bot in of_ann.iter().chain(&[bot("bob"), bot("cid")]) {
        arena.open(bot, hello(POOL, 1));
    }
    assert_eq!(called(&arena.wait(50), &of_ann).len(), 1);
}
