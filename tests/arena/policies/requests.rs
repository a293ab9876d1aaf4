//! Requests whose response was lost, and answers that were refused.

use crate::edge::{Action, Answer, Request};
use azulejo_arena::command::{Opponent, RegisteredBot};
use azulejo_arena::names::BotId;
use azulejo_arena::record::{Bytes32, Event};
use azulejo_engine::HouseBot;

use super::arena::{TestArena, bot, hello, register};

const POOL: &str = "azul-colored-2-bullet";
const REQUEST: Option<Bytes32> = Some(Bytes32([5; 32]));
const HOUR: u64 = 3_600_000;

fn registered(arena: &mut TestArena, owner: &str, name: &str) -> RegisteredBot {
    match arena.ask(register(owner.parse().unwrap(), name, REQUEST)) {
        Ok(Answer::Registered(registered)) => registered,
        other => panic!("{other:?}"),
    }
}

fn refusal(arena: &mut TestArena, request: Request) -> &'static str {
    arena.ask(request).unwrap_err().reason()
}

#[test]
fn a_repeated_registration_returns_the_same_bot_with_a_new_token() {
    let mut arena = TestArena::of(&[]);
    let first = registered(&mut arena, "ann", "bot");
    let again = registered(&mut arena, "ann", "bot");
    assert_eq!(first.bot.id, again.bot.id);
    assert_ne!(first.token, again.token);
    assert_ne!(first.owner_token, again.owner_token);
    let tokens: Vec<Bytes32> =
        arena.edge.state.token_holders().into_iter().map(|(hash, _)| hash).collect();
    let owner_token = |registered: &RegisteredBot| registered.owner_token.clone().unwrap();
    let owner_tokens = [owner_token(&first), owner_token(&again)];
    for token in [&first.token, &again.token, &owner_tokens[0], &owner_tokens[1]] {
        assert!(tokens.contains(&Bytes32::hash_of(token.as_bytes())), "all of them are valid");
    }
    assert_eq!(arena.store.rows.bots.len(), 1);
}

#[test]
fn a_registration_can_be_repeated_after_a_restart() {
    let mut arena = TestArena::of(&[]);
    registered(&mut arena, "ann", "bot");
    arena.restart();
    assert!(!registered(&mut arena, "ann", "bot").token.is_empty());
}

#[test]
fn without_the_request_id_the_name_stays_taken() {
    let mut arena = TestArena::of(&[]);
    registered(&mut arena, "ann", "bot");
    let owner = "ann".parse().unwrap();
    assert_eq!(refusal(&mut arena, register(owner, "bot", None)), "OWNER_TAKEN");
}

#[test]
fn a_request_id_is_for_one_request_and_one_hour() {
    let mut arena = TestArena::of(&[]);
    registered(&mut arena, "ann", "bot");
    let other = register("bob".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut arena, other), "REQUEST_ID_REUSED");
    arena.now += HOUR + 1;
    let late = register("ann".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut arena, late), "REQUEST_ID_REUSED");
}

#[test]
fn a_registration_is_repeated_ten_times_at_most() {
    let mut arena = TestArena::of(&[]);
    for _ in 0..11 {
        registered(&mut arena, "ann", "bot");
    }
    let again = register("ann".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut arena, again), "QUOTA");
}

fn challenge(by: &BotId, opponent: Opponent) -> Request {
    let pool: azulejo_arena::pool::Pool = POOL.parse().unwrap();
    Request::Challenge {
        by: by.clone(),
        ruleset: pool.ruleset,
        time_class: pool.time_class,
        opponents: vec![opponent],
        seat: 0,
        request: REQUEST,
    }
}

fn match_of(answer: Answer) -> String {
    match answer {
        Answer::Challenged(called) => called.id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_repeated_challenge_returns_the_same_match_also_after_a_restart() {
    let ann = bot("ann");
    let mut arena = TestArena::of(&["ann"]);
    arena.open(&ann, hello(POOL, 8));
    let greedy = || Opponent::House(HouseBot::Greedy);
    let first = match_of(arena.ask(challenge(&ann, greedy())).unwrap());
    assert_eq!(match_of(arena.ask(challenge(&ann, greedy())).unwrap()), first);
    let other = challenge(&ann, Opponent::House(HouseBot::Random));
    assert_eq!(refusal(&mut arena, other), "REQUEST_ID_REUSED");
    arena.restart();
    arena.open(&ann, hello(POOL, 8));
    assert_eq!(match_of(arena.ask(challenge(&ann, greedy())).unwrap()), first);
    assert_eq!(arena.store.rows.matches.len(), 1);
}

fn submit(
    arena: &TestArena,
    bot: &BotId,
    id: &azulejo_arena::names::MatchId,
    action: Action,
) -> Request {
    let turn = arena.store.rows.matches[id]
        .events
        .iter()
        .filter(|event| matches!(event, Event::Moved { .. }))
        .count();
    let received = super::one_match::at(arena.now).time;
    let turn = u32::try_from(turn).unwrap();
    Request::Submit { bot: bot.clone(), id: id.clone(), turn, action, received }
}

#[test]
fn refused_answers_are_kept_and_still_count_after_a_restart() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    let due = arena.due(&id);
    let wrong = || Action::Notation("9Z\u{1b}[2J".to_owned());
    for _ in 0..2 {
        let request = submit(&arena, &due, &id, wrong());
        assert_eq!(refusal(&mut arena, request), "ILLEGAL_MOVE");
    }
    let kept: Vec<_> = arena.store.rows.matches[&id]
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Refused(refused) => Some(refused.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].turn, kept[0].reason.as_str()), (0, "BAD_NOTATION"));
    assert_eq!(kept[0].sent, "9Z\u{fffd}[2J", "control characters are replaced");
    arena.restart();
    arena.open(&ann, hello(POOL, 1));
    arena.open(&bob, hello(POOL, 1));
    let forfeited = |arena: &TestArena| {
        let events = &arena.store.rows.matches[&id].events;
        events.iter().any(|event| matches!(event, Event::Forfeited { .. }))
    };
    // The same answer again may be the one whose response was lost: it counts once.
    let request = submit(&arena, &due, &id, wrong());
    assert_eq!(refusal(&mut arena, request), "ILLEGAL_MOVE");
    assert!(!forfeited(&arena), "it was counted before");
    let request = submit(&arena, &due, &id, wrong());
    assert_eq!(refusal(&mut arena, request), "ILLEGAL_MOVE");
    assert!(forfeited(&arena), "the third one");
}

#[test]
fn another_move_for_an_accepted_turn_is_refused_with_the_accepted_one() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut arena = TestArena::of(&["ann", "bob"]);
    let id = arena.begun(&[ann.clone(), bob.clone()], POOL);
    let due = arena.due(&id);
    let moves = arena.legal(&id);
    let first = submit(&arena, &due, &id, Action::Id(moves[0]));
    let other = submit(&arena, &due, &id, Action::Id(moves[1]));
    let unreadable = submit(&arena, &due, &id, Action::Notation("no move".to_owned()));
    let answer = format!("{:?}", arena.ask(first.clone()).unwrap());
    assert_eq!(refusal(&mut arena, other), "MOVE_ALREADY_ACCEPTED");
    assert_eq!(refusal(&mut arena, unreadable), "MOVE_ALREADY_ACCEPTED");
    assert_eq!(format!("{:?}", arena.ask(first).unwrap()), answer, "the same one again");
}
