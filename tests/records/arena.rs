//! Records of the arena: a change of one byte is detected.

use std::time::Duration;

use azulejo_arena::match_record::Replayed;
use azulejo_arena::match_run::{Answered, Change, Match, Submission};
use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::record::{Bytes32, Event, Origin, Seat, Spec};
use azulejo_arena::store::SavedMatch;
use azulejo_arena::time::{Now, Time, Wall};
use azulejo_engine::{ArenaDefect, Defect, HouseBot, Record, Table};
use rstest::rstest;

const SECRET: Bytes32 = Bytes32([0x5a; 32]);

fn at(millis: u64) -> Now {
    Now { time: Time(Duration::from_millis(millis)), wall: Wall(1_700_000_000_000 + millis) }
}

fn spec(pool: &str) -> Spec {
    let id = MatchId::from_random(*b"sixteen letters!");
    let pool: azulejo_arena::pool::Pool = pool.parse().unwrap();
    let seat = |number: usize| {
        let bot = format!("owner{number}/bot").parse().unwrap();
        Seat::Remote(Player { bot, version: "1.0".parse().unwrap() })
    };
    Spec {
        pool,
        seats: (0..pool.players()).map(seat).collect(),
        origin: Origin::Ladder,
        block: id.clone(),
        called: at(0).wall,
        why: String::new(),
        seat_reasons: Vec::new(),
        request: None,
        id,
    }
}

/// A match in which everyone plays greedily; at `resigns` the first seat gives up.
fn played(pool: &str, mut resigns: Option<u32>) -> SavedMatch {
    let spec = spec(pool);
    let mut run = Match::call(spec.clone(), SECRET, at(0).time);
    let mut events: Vec<Event> = Vec::new();
    let mut keep = |changes: Vec<Change>| {
        events.extend(changes.into_iter().map(|change| change.event));
    };
    for seat in 0..spec.seats.len() {
        let nonce = Bytes32([u8::try_from(seat).unwrap() + 1; 32]);
        keep(run.ready(seat, nonce, at(5)).unwrap());
    }
    let mut clock = 10;
    while let Some(seat) = run.due() {
        let (turn, table) = (run.turn(), *run.table().unwrap());
        if resigns == Some(turn) {
            resigns = None;
            keep(run.resign(0, at(clock)).unwrap());
            continue;
        }
        run.turn_sent(turn, at(clock).time);
        run.turn_fetched(turn, at(clock).time);
        clock += 7 + u64::from(turn % 5);
        let action = table.choose(HouseBot::Greedy, turn.into()).unwrap();
        let round_trip = Duration::from_millis(2);
        let submission = Submission { seat, turn, received: at(clock).time, round_trip };
        let mut changes = Vec::new();
        let answered =
            |_: &Table| Answered { action: Ok(action), field: "move", sent: action.to_string() };
        run.submit(submission, answered, at(clock), &mut changes).unwrap();
        keep(changes);
    }
    let ended = Some(at(clock).wall);
    let summary = run.summary();
    SavedMatch { spec, secret: SECRET, events, ended, rated: true, summary }
}

fn record(pool: &str, resigns: Option<u32>) -> String {
    let saved = played(pool, resigns);
    Replayed::of(&saved).unwrap().record(&saved).unwrap()
}

#[rstest]
fn a_record_of_the_arena_is_valid(
    #[values("azul-colored-2-blitz", "azul-gray-4-bullet", "summer-pavilion-gray-3-rapid")]
    pool: &str,
    #[values(None, Some(7))] resigns: Option<u32>,
) {
    let text = record(pool, resigns);
    azulejo_tests::assert_valid_record(&text);
    let record = Record::read(&text).unwrap();
    record.verify().unwrap_or_else(|defect| panic!("{defect}\n{text}"));
    assert_eq!(serde_json::to_string(&record).unwrap(), text, "written as it was read");
}

/// Another byte of the same kind.
fn changed(byte: u8) -> u8 {
    match byte {
        b'9' => b'8',
        b'z' | b'Z' | b'f' => byte - 1,
        b'0'..=b'8' | b'a'..=b'y' | b'A'..=b'Y' => byte + 1,
        b' ' => b'_',
        _ => b'#',
    }
}

#[rstest]
fn a_change_of_one_byte_of_a_record_is_detected(
    #[values("azul-colored-2-blitz", "summer-pavilion-colored-3-blitz")] pool: &str,
) {
    let text = record(pool, Some(40));
    let mut bytes = text.clone().into_bytes();
    for index in 0..bytes.len() {
        let before = bytes[index];
        bytes[index] = changed(before);
        let altered = std::str::from_utf8(&bytes).unwrap();
        let told = Record::read(altered).map_err(drop).and_then(|read| read.verify().map_err(drop));
        assert!(told.is_err(), "byte {index}, {:?}", &altered[index.saturating_sub(40)..=index]);
        bytes[index] = before;
    }
}

/// A changed record with a new digest.
fn forged(change: impl FnOnce(&mut Record)) -> Defect {
    let mut record = Record::read(&record("azul-colored-3-blitz", None)).unwrap();
    change(&mut record);
    let part = record.arena.clone().unwrap();
    record.of_arena(part).verify().unwrap_err()
}

#[test]
fn a_change_with_a_new_digest_is_detected_too() {
    let part = |change: fn(&mut azulejo_engine::ArenaPart)| {
        forged(move |record| change(record.arena.as_mut().unwrap()))
    };
    let arena = |defect| Defect::Arena(defect);
    assert_eq!(part(|part| part.secret.0[0] ^= 1), arena(ArenaDefect::Commitment));
    assert_eq!(part(|part| part.commitment.0[31] ^= 1), arena(ArenaDefect::Commitment));
    assert_eq!(part(|part| part.nonces[1] = Some(Bytes32([9; 32]))), arena(ArenaDefect::Seed));
    assert_eq!(part(|part| part.nonces.swap(0, 1)), arena(ArenaDefect::Seed));
    assert_eq!(part(|part| part.seats[0].placement += 1), arena(ArenaDefect::Outcome { seat: 0 }));
    assert_eq!(part(|part| part.seats[2].total += 1), arena(ArenaDefect::Outcome { seat: 2 }));
    assert_eq!(
        part(|part| part.costs[4].as_mut().unwrap().2 -= 1),
        arena(ArenaDefect::Clock { turn: 4 })
    );
    assert!(matches!(
        part(|part| part.costs.truncate(3)),
        Defect::Arena(ArenaDefect::Costs { .. })
    ));
    assert!(matches!(
        forged(|record| record.result.score.seats[0].total += 1),
        Defect::Score { .. }
    ));
}
