//! Bots that fall silent together.

use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::EndReason;
use azulejo_arena::state::Metric;
use azulejo_arena::time::Time;

use super::arena::{TestArena, bot, hello};
use super::one_match::ms;
use crate::edge::Request;

const POOL: &str = "azul-colored-2-rapid";

/// Ann and bob play, and a third bot is connected.
fn playing() -> (TestArena, MatchId) {
    let mut arena = TestArena::of(&["ann", "bob", "cid"]);
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    arena.open(&bot("cid"), hello(POOL, 0));
    (arena, id)
}

/// Half a second passes at a time; only these bots answer.
fn pass(arena: &mut TestArena, seconds: u64, answering: &[BotId]) {
    for _ in 0..2 * seconds {
        arena.wait(500);
        for bot in answering {
            let (bot, received) = (bot.clone(), Time(ms(arena.now)));
            arena.ask(Request::Heartbeat { bot, ping: 0, ended: vec![], received }).unwrap();
        }
    }
}

fn reasons(arena: &TestArena, id: &MatchId) -> Vec<EndReason> {
    let end = arena.store.rows.matches[id].end.clone().expect("it is over");
    assert!(!end.rated);
    end.seats.iter().map(|seat| seat.reason).collect()
}

/// Whether ann and bob failed, for each of their matches.
fn failures(arena: &TestArena) -> Vec<Vec<bool>> {
    let bots = arena.store.load().bots.into_iter();
    bots.filter(|known| known.bot != bot("cid")).map(|known| known.recent).collect()
}

#[test]
fn two_bots_that_fall_silent_together_while_others_answer_have_both_failed() {
    let (mut arena, id) = playing();
    pass(&mut arena, 31, &[bot("cid")]);
    assert_eq!(reasons(&arena, &id), [EndReason::Gone; 2]);
    assert_eq!(failures(&arena), [[true], [true]]);
    assert!(arena.edge.state.take_metrics().contains(&Metric::LostTogether));

    // They wait as if they had not begun it.
    let quiet = [bot("ann"), bot("bob"), bot("cid")];
    for back in &quiet[..2] {
        arena.open(back, hello(POOL, 1));
    }
    pass(&mut arena, 28, &quiet);
    assert_eq!(arena.store.rows.matches.len(), 1, "no match for half a minute");
    pass(&mut arena, 3, &quiet);
    assert_eq!(arena.store.rows.matches.len(), 2);
}

#[test]
fn if_no_other_bot_answers_either_the_server_may_be_the_cause() {
    let (mut arena, id) = playing();
    pass(&mut arena, 31, &[]);
    assert_eq!(reasons(&arena, &id), [EndReason::ServerError; 2]);
    assert!(failures(&arena).concat().is_empty(), "{:?}", failures(&arena));
    assert!(arena.edge.state.take_metrics().contains(&Metric::LostTogether), "it is reported");
}

#[test]
fn another_bot_of_the_same_owner_does_not_count_as_a_witness() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let owner = "ann".parse().unwrap();
    let request = super::arena::register(owner, "other", None);
    let by = Some("ann".parse().unwrap());
    let Request::Register { owner, name, invitation, request, .. } = request else { panic!() };
    arena.ask(Request::Register { by, owner, name, invitation, request }).unwrap();
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    let other: BotId = "ann/other".parse().unwrap();
    arena.open(&other, hello(POOL, 0));
    pass(&mut arena, 31, &[other]);
    assert_eq!(reasons(&arena, &id), [EndReason::ServerError; 2]);
}

#[test]
fn after_a_standstill_of_the_server_it_may_be_the_cause() {
    let (mut arena, id) = playing();
    pass(&mut arena, 2, &[bot("cid")]);
    arena.wait(5_000);
    pass(&mut arena, 31, &[bot("cid")]);
    assert_eq!(reasons(&arena, &id), [EndReason::ServerError; 2]);
}
