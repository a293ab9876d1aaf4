//! Sessions, restarts and offers: what the contract says about an arena.

use azulejo_arena::hall::{Action, Answer, Opponent, Output, Request};
use azulejo_arena::moment::Time;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::{Bytes32, EndReason, Event};
use azulejo_arena::store::Write;
use azulejo_engine::HouseBot;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::house::{House, SOME_TOKEN, bot, hello, told};
use super::table::at;

const POOL: &str = "azul-colored-2-bullet";

fn heartbeat(bot: &BotId, ping: u64, ended: &[MatchId], now: u64) -> Request {
    let ended = ended.to_vec();
    Request::Heartbeat { bot: bot.clone(), ping, ended, received: at(now).time }
}

fn last_ping(outputs: &[azulejo_arena::hall::Output], bot: &BotId) -> Option<u64> {
    told(outputs, bot).iter().rev().find_map(|(_, event)| match &event.event {
        Some(Told::Ping(ping)) => Some(ping.number),
        _ => None,
    })
}

/// The bot whose turn it is, with its seat and the turn, by the events of the store.
fn due(house: &House, id: &MatchId) -> (BotId, u32) {
    let saved = house.store.rows.matches[id].saved();
    let run = azulejo_arena::match_run::Match::replay(&saved, Time::default()).unwrap();
    let seat = run.due().unwrap();
    let player = crate::store::player_of(&saved.spec.seats[seat]).unwrap();
    (player.bot.clone(), run.turn())
}

fn decide(house: &mut House, id: &MatchId) -> (BotId, Request) {
    let (bot, turn) = due(house, id);
    let saved = house.store.rows.matches[id].saved();
    let run = azulejo_arena::match_run::Match::replay(&saved, Time::default()).unwrap();
    let action = run.table().unwrap().choose(HouseBot::Greedy, 1).unwrap().to_string();
    let (action, received) = (Action::Notation(action), at(house.now).time);
    let request = Request::Submit { bot: bot.clone(), id: id.clone(), turn, action, received };
    (bot, request)
}

#[test]
fn the_newest_session_wins_and_the_older_one_is_told_last_of_all() {
    let ann = bot("ann");
    let mut house = House::of(&["ann"]);
    let (first, _, _) = house.open(&ann, hello(POOL, 1));
    house.wait(5_000);
    let (second, _, outputs) = house.open(&ann, hello(POOL, 1));
    assert_ne!(first, second);
    let events = told(&outputs, &ann);
    let old: Vec<_> = events.iter().filter(|(session, _)| *session == first).collect();
    assert_eq!(old.len(), 1);
    assert!(matches!(old[0].1.event, Some(Told::Replaced(_))));
    assert_eq!(old[0].1.seq, 4, "after a snapshot and two pings");
    let (ticket, seen) = (second, 1);
    let poll = |session| Request::Poll { bot: ann.clone(), session, seen, hello: None };
    assert_eq!(house.ask(poll(first)).unwrap_err().reason(), "REPLACED");
    assert!(house.ask(poll(ticket)).is_ok());
}

#[test]
fn an_end_is_acknowledged_by_its_match_and_without_a_ping() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    house.ask(Request::Resign { bot: bob, id: id.clone() }).unwrap();
    let ping = last_ping(&house.wait(5_000), &ann).unwrap();
    // The connection breaks before the end was read.
    house.open(&ann, hello(POOL, 0));
    house.ask(heartbeat(&ann, ping, &[], house.now)).unwrap();
    assert!(house.store.rows.untold.contains(&(id.clone(), ann.clone())), "it may be lost");
    let other = MatchId::from_random([3; 16]);
    house.ask(heartbeat(&ann, 0, &[other], house.now)).unwrap();
    assert!(house.store.rows.untold.contains(&(id.clone(), ann.clone())), "another match");
    house.ask(heartbeat(&ann, 0, std::slice::from_ref(&id), house.now)).unwrap();
    assert!(!house.store.rows.untold.contains(&(id, ann)), "it was acknowledged");
}

#[test]
fn an_end_is_told_until_it_is_confirmed() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    house.ask(Request::Resign { bot: bob, id: id.clone() }).unwrap();
    for _ in 0..3 {
        house.restart();
        let (_, _, outputs) = house.open(&ann, hello(POOL, 0));
        let tells_of =
            |output: &Output| matches!(output, Output::Tell { ended, .. } if ended.contains(&id));
        assert!(outputs.iter().any(tells_of));
    }
}

#[test]
fn who_knows_its_turn_from_before_a_restart_may_decide_it_at_once_but_no_other() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    house.restart();
    let (first, turn) = due(&house, &id);
    let other = if first == ann { bob } else { ann };
    let (_, request) = decide(&mut house, &id);
    house.ask(request).unwrap();
    let rows = house.store.rows.matches[&id].saved().events;
    let Some(Event::Moved { receipt: Some(receipt), .. }) = rows.last() else { panic!("{rows:?}") };
    assert!(receipt.measured.is_zero(), "nobody told it: {receipt:?}");
    house.open(&other, hello(POOL, 1));
    while due(&house, &id).0 == other {
        let (_, request) = decide(&mut house, &id);
        house.ask(request).unwrap();
    }
    assert!(due(&house, &id).1 > turn);
    let (_, request) = decide(&mut house, &id);
    assert_eq!(house.ask(request).unwrap_err().reason(), "STALE_TURN", "it has to come back first");
}

#[test]
fn who_is_not_back_after_a_restart_pays_nothing_for_a_turn_it_was_not_told() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    house.restart();
    let (first, _) = due(&house, &id);
    let other = if first == ann { bob } else { ann };
    house.open(&first, hello(POOL, 1));
    let (_, request) = decide(&mut house, &id);
    house.ask(request).unwrap();
    assert_eq!(due(&house, &id).0, other);
    for _ in 0..100 {
        house.wait(50);
    }
    let (_, snapshot, _) = house.open(&other, hello(POOL, 1));
    let turn = snapshot.seatings[0].turn.as_ref().expect("it is still its turn");
    assert_eq!(turn.time_left.as_ref().unwrap().seconds, 2, "the whole bank is left");
    house.now += 700;
    let (_, request) = decide(&mut house, &id);
    house.ask(request).unwrap();
    let events = &house.store.rows.matches[&id].events;
    let receipt = events.iter().rev().find_map(|event| match event {
        Event::Moved { receipt, .. } => *receipt,
        _ => None,
    });
    assert!(receipt.unwrap().measured <= super::table::ms(700));
}

#[test]
fn nobody_is_missed_because_the_store_was_slow() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], "azul-colored-2-rapid");
    let (_, request) = decide(&mut house, &id);
    house.hand_in(request);
    house.commit(40_000);
    house.wait(50);
    assert_eq!(house.store.rows.matches[&id].end, None, "there was no way to be heard");
    for _ in 0..700 {
        house.wait(50);
    }
    assert!(house.store.rows.matches[&id].end.is_some(), "but now there was");
}

#[test]
fn the_time_to_be_ready_begins_when_the_seats_hear_of_the_match() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    house.open(&ann, hello(POOL, 1));
    house.open(&bob, hello(POOL, 1));
    house.now += 50;
    house.hall.tick(at(house.now));
    let outputs = house.commit(20_000);
    let within = told(&outputs, &ann).iter().find_map(|(_, event)| match &event.event {
        Some(Told::MatchStarting(starting)) => starting.ready_timeout,
        _ => None,
    });
    assert_eq!(within.unwrap().seconds, 15);
    house.wait(10_000);
    let id = house.store.rows.matches.keys().next().unwrap().clone();
    house.ready(&ann, &id).expect("it is in time");
}

#[test]
fn the_rotations_of_a_table_wait_for_what_is_offered_now() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    let mut off_ladder = hello(POOL, 1);
    off_ladder.offer.plays_ladder = false;
    house.open(&ann, off_ladder);
    house.ask(Request::Resign { bot: bob.clone(), id }).unwrap();
    house.wait(50);
    assert_eq!(house.store.rows.matches.len(), 1, "it is off the ladder");
    house.open(&ann, hello("azul-gray-2-bullet", 1));
    house.wait(50);
    assert_eq!(house.store.rows.matches.len(), 1, "it plays something else");
    house.open(&ann, hello(POOL, 1));
    house.wait(50);
    assert_eq!(house.store.rows.matches.len(), 2);
}

#[test]
fn a_match_that_makes_no_sense_is_called_off_and_everyone_hears_of_it() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    let row = house.store.rows.matches.get_mut(&id).unwrap();
    let events = &mut std::sync::Arc::make_mut(row).events;
    *events.last_mut().unwrap() = Event::Started { deals: vec!["nonsense".to_owned()] };
    house.restart();
    let end = house.store.rows.matches[&id].end.clone().unwrap();
    assert!(end.seats.iter().all(|seat| seat.reason == EndReason::ServerError));
    assert!(!end.rated, "what the server caused is never rated");
    house.hand_in(Request::Open { bot: ann.clone(), key: SOME_TOKEN, hello: hello(POOL, 0) });
    let outputs = house.commit(0);
    let tells_of =
        |output: &Output| matches!(output, Output::Tell { ended, .. } if ended.contains(&id));
    assert!(outputs.iter().any(tells_of));
}

#[test]
fn only_the_stream_that_was_opened_with_a_revoked_token_ends() {
    let ann = bot("ann");
    let mut house = House::of(&["ann"]);
    let mut new_token = || {
        let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
        let Ok(Answer::Token(token)) = house.ask(request) else { panic!("no token") };
        token
    };
    let (used, unused) = (new_token(), new_token());
    let key = Bytes32::hash_of(used.as_bytes());
    house.hand_in(Request::Open { bot: ann.clone(), key, hello: hello(POOL, 0) });
    house.commit(0);
    let mut closes = |token: String| {
        house.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
        let outputs = house.commit(0);
        outputs.iter().any(|output| matches!(output, Output::Close { .. }))
    };
    assert!(!closes(unused));
    assert!(closes(used));
}

/// It may have been let in before its token was revoked, and have come late.
#[test]
fn who_opens_a_session_with_a_revoked_token_is_refused_and_replaces_nobody() {
    let ann = bot("ann");
    let mut house = House::of(&["ann"]);
    let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
    let Ok(Answer::Token(token)) = house.ask(request) else { panic!("no token") };
    house.hand_in(Request::Open { bot: ann.clone(), key: SOME_TOKEN, hello: hello(POOL, 0) });
    let key = Bytes32::hash_of(token.as_bytes());
    house.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
    house.commit(0);
    let late = Request::Open { bot: ann, key, hello: hello(POOL, 0) };
    assert_eq!(house.ask(late).unwrap_err().reason(), "UNKNOWN_TOKEN");
    let outputs = house.commit(0);
    assert!(!outputs.iter().any(|output| matches!(output, Output::Close { .. })), "{outputs:?}");
}

#[test]
fn a_bot_whose_token_was_revoked_gets_no_more_matches() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    for (revoked, matches) in [(false, 1), (true, 0)] {
        let mut house = House::of(&["ann", "bob"]);
        let request = Request::CreateToken { by: ann.owner().clone(), bot: ann.clone() };
        let Ok(Answer::Token(token)) = house.ask(request) else { panic!("no token") };
        let key = Bytes32::hash_of(token.as_bytes());
        house.hand_in(Request::Open { bot: ann.clone(), key, hello: hello(POOL, 1) });
        if revoked {
            house.hand_in(Request::Revoke { by: Some(ann.owner().clone()), public: token });
        }
        house.hand_in(Request::Open { bot: bob.clone(), key: SOME_TOKEN, hello: hello(POOL, 1) });
        house.commit(0);
        house.wait(5_000);
        assert_eq!(house.store.rows.matches.len(), matches, "revoked: {revoked}");
    }
}

#[test]
fn nothing_goes_out_before_it_is_durable() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann, bob], POOL);
    let (_, request) = decide(&mut house, &id);
    house.hand_in(request);
    let outputs = house.commit(0);
    assert!(matches!(house.writes[..], [Write::Event { event: Event::Moved { .. }, .. }]));
    assert!(outputs.len() >= 4, "an answer, a move to both, to those who watch, and a turn");
}

#[test]
fn a_challenge_counts_for_whoever_asked_for_it() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let off_ladder = || {
        let mut hello = hello(POOL, 8);
        hello.offer.plays_ladder = false;
        hello
    };
    house.open(&ann, off_ladder());
    house.open(&bob, off_ladder());
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
        house.ask(challenge(&ann, Opponent::Bot(bob.clone()))).unwrap();
    }
    let greedy = || Opponent::House(HouseBot::Greedy);
    assert!(house.ask(challenge(&bob, greedy())).is_ok(), "being challenged costs nothing");
    assert_eq!(house.ask(challenge(&ann, greedy())).unwrap_err().reason(), "QUOTA");
}

#[test]
fn the_decision_that_ends_a_match_may_be_said_again() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann, bob], POOL);
    let mut last = None;
    while house.store.rows.matches[&id].end.is_none() {
        let (_, request) = decide(&mut house, &id);
        let answer = house.ask(request.clone()).unwrap();
        last = Some((request, format!("{answer:?}")));
    }
    let (request, answer) = last.unwrap();
    assert_eq!(format!("{:?}", house.ask(request).unwrap()), answer);
}

/// Nobody did anything but lose its connection.
#[test]
fn a_match_to_which_nobody_comes_back_after_a_restart_is_not_rated() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann, bob], POOL);
    house.restart();
    for _ in 0..700 {
        house.wait(50);
    }
    assert!(!house.store.rows.matches[&id].end.as_ref().unwrap().rated);
}
