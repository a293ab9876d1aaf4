//! Sessions, restarts, offers and challenges.

use crate::edge::{Action, Answer, Output, Request};
use azulejo_arena::command::Opponent;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::{Bytes32, EndReason, Event};
use azulejo_arena::store::Write;
use azulejo_arena::time::Time;
use azulejo_engine::HouseBot;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::arena::{SOME_TOKEN, TestArena, bot, hello, told};
use super::one_match::at;

const POOL: &str = "azul-colored-2-bullet";

fn heartbeat(bot: &BotId, ping: u64, ended: &[MatchId], now: u64) -> Request {
    let ended = ended.to_vec();
    Request::Heartbeat { bot: bot.clone(), ping, ended, received: at(now).time }
}

fn last_ping(outputs: &[crate::edge::Output], bot: &BotId) -> Option<u64> {
    told(outputs, bot).iter().rev().find_map(|(_, event)| match &event.event {
        Some(Told::Ping(ping)) => Some(ping.number),
        _ => None,
    })
}

/// The bot whose turn it is, with its seat and the turn, by the events of the store.
fn due(arena: &TestArena, id: &MatchId) -> (BotId, u32) {
    let saved = arena.store.rows.matches[id].saved();
    let run = azulejo_arena::match_run::Match::replay(&saved, Time::default()).unwrap();
    let seat = run.due().unwrap();
    let player = crate::store::player_of(&saved.spec.seats[seat]).unwrap();
    (player.bot.clone(), run.turn())
}

fn decide(arena: &mut TestArena, id: &MatchId) -> (BotId, Request) {
    let (bot, turn) = due(arena, id);
    let saved = arena.store.rows.matches[id].saved();
    let run = azulejo_arena::match_run::Match::replay(&saved, Time::default()).unwrap();
    let action = run.table().unwrap().choose(HouseBot::Greedy, 1).unwrap().to_string();
    let (action, received) = (Action::Notation(action), at(arena.now).time);
    let request = Request::Submit { bot: bot.clone(), id: id.clone(), turn, action, received };
    (bot, request)
}

#[test]
fn the_newest_session_wins_and_the_last_event_of_the_older_one_says_so() {
    let ann = bot("ann");
    let mut arena = TestArena::of(&["ann"]);
    let (first, _, _) = arena.open(&ann, hello(POOL, 1));
    arena.wait(5_000);
    let (second, _, outputs) = arena.open(&ann, hello(POOL, 1));
    assert_ne!(first, second);
    let events = told(&outputs, &ann);
    let old: Vec<_> = events.iter().filter(|(session, _)| *session == first).collect();
    assert_eq!(old.len(), 1);
    assert!(matches!(old[0].1.event, Some(Told::Replaced(_))));
    assert_eq!(old[0].1.seq, 4, "after a snapshot and two pings");
    let (ticket, seen) = (second, 1);
    let poll = |session| Request::Poll { bot: ann.clone(), session, seen, hello: None };
    assert_eq!(arena.ask(poll(first)).unwrap_err().reason(), "REPLACED");
    assert!(arena.ask(poll(ticket)).is_ok());
}

#[test]
fn an_end_is_acknowledged_by_its_match_and_without_a_ping() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    arena.ask(Request::Resign { bot: bob, id: id.clone() }).unwrap();
    let ping = last_ping(&arena.wait(5_000), &ann).unwrap();
    // The connection breaks before the end was read.
    arena.open(&ann, hello(POOL, 0));
    arena.ask(heartbeat(&ann, ping, &[], arena.now)).unwrap();
    assert!(arena.store.rows.untold.contains(&(id.clone(), ann.clone())), "it may be lost");
    let other = MatchId::from_random([3; 16]);
    arena.ask(heartbeat(&ann, 0, &[other], arena.now)).unwrap();
    assert!(arena.store.rows.untold.contains(&(id.clone(), ann.clone())), "another match");
    arena.ask(heartbeat(&ann, 0, std::slice::from_ref(&id), arena.now)).unwrap();
    assert!(!arena.store.rows.untold.contains(&(id, ann)), "it was acknowledged");
}

#[test]
fn an_end_is_sent_until_it_is_acknowledged() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    arena.ask(Request::Resign { bot: bob, id: id.clone() }).unwrap();
    for _ in 0..3 {
        arena.restart();
        let (_, _, outputs) = arena.open(&ann, hello(POOL, 0));
        let has_end =
            |output: &Output| matches!(output, Output::Tell { ended, .. } if ended.contains(&id));
        assert!(outputs.iter().any(has_end));
    }
}

#[test]
fn a_bot_that_knows_its_turn_from_before_a_restart_may_decide_it_at_once_but_no_other() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    arena.restart();
    let (first, turn) = due(&arena, &id);
    let other = if first == ann { bob } else { ann };
    let (_, request) = decide(&mut arena, &id);
    arena.ask(request).unwrap();
    let rows = arena.store.rows.matches[&id].saved().events;
    let Some(Event::Moved { receipt: Some(receipt), .. }) = rows.last() else { panic!("{rows:?}") };
    assert!(receipt.measured.is_zero(), "the turn was not sent again: {receipt:?}");
    arena.open(&other, hello(POOL, 1));
    while due(&arena, &id).0 == other {
        let (_, request) = decide(&mut arena, &id);
        arena.ask(request).unwrap();
    }
    assert!(due(&arena, &id).1 > turn);
    let (_, request) = decide(&mut arena, &id);
    assert_eq!(arena.ask(request).unwrap_err().reason(), "STALE_TURN", "it has to reconnect first");
}

#[test]
fn a_bot_that_is_not_back_after_a_restart_pays_nothing_for_a_turn_it_did_not_receive() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    arena.restart();
    let (first, _) = due(&arena, &id);
    let other = if first == ann { bob } else { ann };
    arena.open(&first, hello(POOL, 1));
    let (_, request) = decide(&mut arena, &id);
    arena.ask(request).unwrap();
    assert_eq!(due(&arena, &id).0, other);
    for _ in 0..100 {
        arena.wait(50);
    }
    let (_, snapshot, _) = arena.open(&other, hello(POOL, 1));
    let turn = snapshot.seatings[0].turn.as_ref().expect("it is still its turn");
    assert_eq!(turn.time_left.as_ref().unwrap().seconds, 2, "the whole bank is left");
    arena.now += 700;
    let (_, request) = decide(&mut arena, &id);
    arena.ask(request).unwrap();
    let events = &arena.store.rows.matches[&id].events;
    let receipt = events.iter().rev().find_map(|event| match event {
        Event::Moved { receipt, .. } => *receipt,
        _ => None,
    });
    assert!(receipt.unwrap().measured <= super::one_match::ms(700));
}

#[test]
fn no_bot_is_gone_because_the_store_was_slow() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], "azul-colored-2-rapid");
    let (_, request) = decide(&mut arena, &id);
    arena.hand_in(request);
    arena.commit(40_000);
    arena.wait(50);
    assert_eq!(arena.store.rows.matches[&id].end, None, "the bots could not be heard");
    for _ in 0..700 {
        arena.wait(50);
    }
    assert!(arena.store.rows.matches[&id].end.is_some(), "now they could");
}

#[test]
fn the_time_to_be_ready_begins_when_the_match_is_announced() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    arena.open(&ann, hello(POOL, 1));
    arena.open(&bob, hello(POOL, 1));
    arena.now += 50;
    arena.edge.tick(at(arena.now));
    let outputs = arena.commit(20_000);
    let within = told(&outputs, &ann).iter().find_map(|(_, event)| match &event.event {
        Some(Told::MatchStarting(starting)) => starting.ready_timeout,
        _ => None,
    });
    assert_eq!(within.unwrap().seconds, 15);
    arena.wait(10_000);
    let id = arena.store.rows.matches.keys().next().unwrap().clone();
    arena.ready(&ann, &id).expect("it is in time");
}

#[test]
fn the_rotations_of_a_table_wait_for_what_is_offered_now() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    let mut off_ladder = hello(POOL, 1);
    off_ladder.offer.plays_ladder = false;
    arena.open(&ann, off_ladder);
    arena.ask(Request::Resign { bot: bob.clone(), id }).unwrap();
    arena.wait(50);
    assert_eq!(arena.store.rows.matches.len(), 1, "it is off the ladder");
    arena.open(&ann, hello("azul-gray-2-bullet", 1));
    arena.wait(50);
    assert_eq!(arena.store.rows.matches.len(), 1, "it plays something else");
    arena.open(&ann, hello(POOL, 1));
    arena.wait(50);
    assert_eq!(arena.store.rows.matches.len(), 2);
}

#[test]
fn a_match_that_cannot_be_replayed_is_voided_and_its_bots_are_notified() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    let row = arena.store.rows.matches.get_mut(&id).unwrap();
    let events = &mut std::sync::Arc::make_mut(row).events;
    *events.last_mut().unwrap() = Event::Started { deals: vec!["nonsense".to_owned()] };
    arena.restart();
    let end = arena.store.rows.matches[&id].end.clone().unwrap();
    assert!(end.seats.iter().all(|seat| seat.reason == EndReason::ServerError));
    assert!(!end.rated, "what the server caused is never rated");
    arena.hand_in(Request::Open { bot: ann.clone(), key: SOME_TOKEN, hello: hello(POOL, 0) });
    let outputs = arena.commit(0);
    let has_end =
        |output: &Output| matches!(output, Output::Tell { ended, .. } if ended.contains(&id));
    assert!(outputs.iter().any(has_end));
}

#[test]
fn only_the_stream_that_was_opened_with_a_revoked_token_ends() {
    let ann = bot("ann");
    let mut arena = TestArena::of(&["ann"]);
    let mut new_token = || {
        let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
        let Ok(Answer::Token(token)) = arena.ask(request) else { panic!("no token") };
        token
    };
    let (used, unused) = (new_token(), new_token());
    let key = Bytes32::hash_of(used.as_bytes());
    arena.hand_in(Request::Open { bot: ann.clone(), key, hello: hello(POOL, 0) });
    arena.commit(0);
    let mut closes = |token: String| {
        arena.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
        let outputs = arena.commit(0);
        outputs.iter().any(|output| matches!(output, Output::Close { .. }))
    };
    assert!(!closes(unused));
    assert!(closes(used));
}

/// Its token may have been checked before it was revoked, and the request arrives after that.
#[test]
fn a_session_with_a_revoked_token_is_refused_and_replaces_no_other() {
    let ann = bot("ann");
    let mut arena = TestArena::of(&["ann"]);
    let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
    let Ok(Answer::Token(token)) = arena.ask(request) else { panic!("no token") };
    arena.hand_in(Request::Open { bot: ann.clone(), key: SOME_TOKEN, hello: hello(POOL, 0) });
    let key = Bytes32::hash_of(token.as_bytes());
    arena.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
    arena.commit(0);
    let late = Request::Open { bot: ann, key, hello: hello(POOL, 0) };
    assert_eq!(arena.ask(late).unwrap_err().reason(), "UNKNOWN_TOKEN");
    let outputs = arena.commit(0);
    assert!(!outputs.iter().any(|output| matches!(output, Output::Close { .. })), "{outputs:?}");
}

#[test]
fn a_bot_whose_token_was_revoked_gets_no_more_matches() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    for (revoked, matches) in [(false, 1), (true, 0)] {
        let mut arena = TestArena::of(&["ann", "bob"]);
        let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
        let Ok(Answer::Token(token)) = arena.ask(request) else { panic!("no token") };
        let key = Bytes32::hash_of(token.as_bytes());
        arena.hand_in(Request::Open { bot: ann.clone(), key, hello: hello(POOL, 1) });
        let opened = arena.commit(0);
        arena.ask(heartbeat(&ann, last_ping(&opened, &ann).unwrap(), &[], 0)).unwrap();
        if revoked {
            arena.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
        }
        arena.open(&bob, hello(POOL, 1));
        arena.wait(5_000);
        assert_eq!(arena.store.rows.matches.len(), matches, "revoked: {revoked}");
    }
}

#[test]
fn nothing_is_sent_before_it_is_durable() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann, bob], POOL);
    let (_, request) = decide(&mut arena, &id);
    arena.hand_in(request);
    let outputs = arena.commit(0);
    assert!(matches!(arena.writes[..], [Write::Event { event: Event::Moved { .. }, .. }]));
    assert!(outputs.len() >= 4, "an answer, a move to both, to those who watch, and a turn");
}

#[test]
fn a_challenge_counts_against_the_quota_of_the_challenger() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let off_ladder = || {
        let mut hello = hello(POOL, 8);
        hello.offer.plays_ladder = false;
        hello
    };
    arena.open(&ann, off_ladder());
    arena.open(&bob, off_ladder());
    let pool: azulejo_arena::pool::Pool = POOL.parse().unwrap();
    let challenge = |by: &BotId, opponent: Opponent| Request::Challenge {
        by: by.clone(),
        ruleset: pool.ruleset,
        time_class: pool.time_class,
        opponents: vec![opponent],
        seat: 1,
        request: None,
    };
    for _ in 0..8 {
        arena.ask(challenge(&ann, Opponent::Bot(bob.clone()))).unwrap();
    }
    let greedy = || Opponent::House(HouseBot::Greedy);
    assert!(arena.ask(challenge(&bob, greedy())).is_ok(), "being challenged costs nothing");
    assert_eq!(arena.ask(challenge(&ann, greedy())).unwrap_err().reason(), "QUOTA");
}

#[test]
fn the_decision_that_ends_a_match_may_be_submitted_again() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann, bob], POOL);
    let mut last = None;
    while arena.store.rows.matches[&id].end.is_none() {
        let (_, request) = decide(&mut arena, &id);
        let answer = arena.ask(request.clone()).unwrap();
        last = Some((request, format!("{answer:?}")));
    }
    let (request, answer) = last.unwrap();
    assert_eq!(format!("{:?}", arena.ask(request).unwrap()), answer);
}

/// The bots did nothing wrong: the restart cut their connections.
#[test]
fn a_match_to_which_no_bot_comes_back_after_a_restart_is_not_rated() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann, bob], POOL);
    arena.restart();
    for _ in 0..700 {
        arena.wait(50);
    }
    assert!(!arena.store.rows.matches[&id].end.as_ref().unwrap().rated);
}
