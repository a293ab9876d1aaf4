//! The position of a turn is public only when the clock of its bot runs.

use azulejo_arena::names::MatchId;
use azulejo_arena::time::Time;

use super::arena::{TestArena, bot, hello};
use super::one_match::ms;
use crate::edge::{Action, Output, Request};

const POOL: &str = "azul-colored-2-blitz";

/// Moves so far, as readers see it.
fn seen(arena: &TestArena, id: &MatchId) -> Option<u32> {
    let run = arena.edge.view.running(id)?;
    run.table().is_some().then(|| run.turn())
}

/// The bot whose turn it is moves. Returns what the arena sends.
fn move_made(arena: &mut TestArena, id: &MatchId, turn: u32) -> Vec<Output> {
    let (by, action, received) = (arena.due(id), arena.legal(id)[0], Time(ms(arena.now)));
    let (id, action) = (id.clone(), Action::Id(action));
    arena.hand_in(Request::Submit { bot: by, id, turn, action, received });
    arena.commit(0)
}

fn fetched(arena: &mut TestArena, id: &MatchId, turn: u32) -> Vec<Output> {
    let at = Time(ms(arena.now));
    arena.hand_in(Request::Fetched { id: id.clone(), turn, at });
    arena.commit(0)
}

fn watched(outputs: &[Output]) -> usize {
    outputs.iter().filter(|output| matches!(output, Output::Watch { .. })).count()
}

#[test]
fn a_bot_that_looks_at_its_match_before_it_fetches_the_turn_sees_nothing_new() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    assert_eq!(seen(&arena, &id), None, "nor the first deal");
    assert_eq!(watched(&fetched(&mut arena, &id, 0)), 1, "the start");
    assert_eq!(seen(&arena, &id), Some(0));

    let outputs = move_made(&mut arena, &id, 0);
    assert_eq!((seen(&arena, &id), watched(&outputs)), (Some(0), 0), "before it is fetched");
    let outputs = fetched(&mut arena, &id, 1);
    assert_eq!((seen(&arena, &id), watched(&outputs)), (Some(1), 1), "the clock runs");
}

#[test]
fn a_turn_that_is_not_fetched_is_public_when_its_free_time_is_over() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    fetched(&mut arena, &id, 0);
    move_made(&mut arena, &id, 0);
    assert_eq!(watched(&arena.wait(249)), 0);
    assert_eq!(seen(&arena, &id), Some(0));
    assert_eq!(watched(&arena.wait(1)), 1, "a blitz turn waits for 250 ms");
    assert_eq!(seen(&arena, &id), Some(1));
}

#[test]
fn the_end_is_public_at_once_with_all_that_was_held_back() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    arena.hand_in(Request::Resign { bot: bot("ann"), id: id.clone() });
    let outputs = arena.commit(0);
    assert_eq!(watched(&outputs), 3, "start, forfeit and end");
    assert!(arena.edge.view.running(&id).is_none());
}

#[test]
fn a_turn_that_no_bot_has_fetched_after_a_restart_stays_hidden() {
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[bot("ann"), bot("bob")], POOL);
    fetched(&mut arena, &id, 0);
    arena.restart();
    assert_eq!(seen(&arena, &id), Some(0), "it was public before");
    let first = arena.due(&id);
    arena.open(&first, hello(POOL, 1));
    fetched(&mut arena, &id, 0);
    move_made(&mut arena, &id, 0);
    arena.wait(5_000);
    assert_eq!(seen(&arena, &id), Some(0), "its bot has not reconnected, and its clock stands");
    let other = arena.due(&id);
    arena.open(&other, hello(POOL, 1));
    fetched(&mut arena, &id, 1);
    assert_eq!(seen(&arena, &id), Some(1));
}
