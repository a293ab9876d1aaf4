//! Requests whose response was lost, and answers that were refused.

use azulejo_arena::hall::{Action, Answer, Opponent, Request};
use azulejo_arena::names::BotId;
use azulejo_arena::record::{Bytes32, Event};
use azulejo_engine::HouseBot;
use azulejo_wire::served::arena as pb;

use super::house::{House, bot, hello, register};

const POOL: &str = "azul-colored-2-bullet";
const REQUEST: Option<Bytes32> = Some(Bytes32([5; 32]));
const HOUR: u64 = 3_600_000;

fn registered(house: &mut House, owner: &str, name: &str) -> pb::RegisterBotResponse {
    match house.ask(register(owner.parse().unwrap(), name, REQUEST)) {
        Ok(Answer::Registered(registered)) => registered,
        other => panic!("{other:?}"),
    }
}

fn refusal(house: &mut House, request: Request) -> &'static str {
    house.ask(request).unwrap_err().reason()
}

#[test]
fn a_repeated_registration_returns_the_same_bot_with_a_new_token() {
    let mut house = House::of(&[]);
    let first = registered(&mut house, "ann", "bot");
    let again = registered(&mut house, "ann", "bot");
    assert_eq!(first.bot.unwrap().id, again.bot.unwrap().id);
    assert_ne!(first.token, again.token);
    assert_ne!(first.owner_token, again.owner_token);
    let tokens: Vec<Bytes32> = house.hall.keys().into_iter().map(|(hash, _)| hash).collect();
    for token in [&first.token, &first.owner_token, &again.token, &again.owner_token] {
        assert!(tokens.contains(&Bytes32::hash_of(token.as_bytes())), "all of them are valid");
    }
    assert_eq!(house.store.rows.bots.len(), 1);
}

#[test]
fn a_registration_can_be_repeated_after_a_restart() {
    let mut house = House::of(&[]);
    registered(&mut house, "ann", "bot");
    house.restart();
    assert!(!registered(&mut house, "ann", "bot").token.is_empty());
}

#[test]
fn without_the_request_id_the_name_stays_taken() {
    let mut house = House::of(&[]);
    registered(&mut house, "ann", "bot");
    let owner = "ann".parse().unwrap();
    assert_eq!(refusal(&mut house, register(owner, "bot", None)), "OWNER_TAKEN");
}

#[test]
fn a_request_id_is_for_one_request_and_one_hour() {
    let mut house = House::of(&[]);
    registered(&mut house, "ann", "bot");
    let other = register("bob".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut house, other), "REQUEST_ID_REUSED");
    house.now += HOUR + 1;
    let late = register("ann".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut house, late), "REQUEST_ID_REUSED");
}

#[test]
fn a_registration_is_repeated_ten_times_at_most() {
    let mut house = House::of(&[]);
    for _ in 0..11 {
        registered(&mut house, "ann", "bot");
    }
    let again = register("ann".parse().unwrap(), "bot", REQUEST);
    assert_eq!(refusal(&mut house, again), "QUOTA");
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
    let mut house = House::of(&["ann"]);
    house.open(&ann, hello(POOL, 8));
    let greedy = || Opponent::House(HouseBot::Greedy);
    let first = match_of(house.ask(challenge(&ann, greedy())).unwrap());
    assert_eq!(match_of(house.ask(challenge(&ann, greedy())).unwrap()), first);
    let other = challenge(&ann, Opponent::House(HouseBot::Random));
    assert_eq!(refusal(&mut house, other), "REQUEST_ID_REUSED");
    house.restart();
    house.open(&ann, hello(POOL, 8));
    assert_eq!(match_of(house.ask(challenge(&ann, greedy())).unwrap()), first);
    assert_eq!(house.store.rows.matches.len(), 1);
}

fn submit(
    house: &House,
    bot: &BotId,
    id: &azulejo_arena::names::MatchId,
    action: Action,
) -> Request {
    let turn = house.store.rows.matches[id]
        .events
        .iter()
        .filter(|event| matches!(event, Event::Moved { .. }))
        .count();
    let received = super::table::at(house.now).time;
    let turn = u32::try_from(turn).unwrap();
    Request::Submit { bot: bot.clone(), id: id.clone(), turn, action, received }
}

#[test]
fn refused_answers_are_kept_and_still_count_after_a_restart() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    let due = house.due(&id);
    let wrong = || Action::Notation("9Z\u{1b}[2J".to_owned());
    for _ in 0..2 {
        let request = submit(&house, &due, &id, wrong());
        assert_eq!(refusal(&mut house, request), "ILLEGAL_MOVE");
    }
    let kept: Vec<_> = house.store.rows.matches[&id]
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Refused(refused) => Some(refused.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].turn, kept[0].reason.as_str()), (0, "BAD_NOTATION"));
    assert_eq!(kept[0].sent, "9Z\u{fffd}[2J", "a terminal does not obey it");
    house.restart();
    house.open(&ann, hello(POOL, 1));
    house.open(&bob, hello(POOL, 1));
    let forfeited = |house: &House| {
        let events = &house.store.rows.matches[&id].events;
        events.iter().any(|event| matches!(event, Event::Forfeited { .. }))
    };
    // The same answer again may be the one whose response was lost: it counts once.
    let request = submit(&house, &due, &id, wrong());
    assert_eq!(refusal(&mut house, request), "ILLEGAL_MOVE");
    assert!(!forfeited(&house), "it was counted before");
    let request = submit(&house, &due, &id, wrong());
    assert_eq!(refusal(&mut house, request), "ILLEGAL_MOVE");
    assert!(forfeited(&house), "the third one");
}

#[test]
fn another_move_for_an_accepted_turn_is_refused_with_the_accepted_one() {
    let (ann, bob) = (bot("ann"), bot("bob"));
    let mut house = House::of(&["ann", "bob"]);
    let id = house.begun(&[ann.clone(), bob.clone()], POOL);
    let due = house.due(&id);
    let moves = house.legal(&id);
    let first = submit(&house, &due, &id, Action::Id(moves[0]));
    let other = submit(&house, &due, &id, Action::Id(moves[1]));
    let unreadable = submit(&house, &due, &id, Action::Notation("no move".to_owned()));
    let answer = format!("{:?}", house.ask(first.clone()).unwrap());
    assert_eq!(refusal(&mut house, other), "MOVE_ALREADY_ACCEPTED");
    assert_eq!(refusal(&mut house, unreadable), "MOVE_ALREADY_ACCEPTED");
    assert_eq!(format!("{:?}", house.ask(first).unwrap()), answer, "the same one again");
}
