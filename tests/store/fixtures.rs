//! Values and batches to write, and assertions about errors.

use std::time::Duration;

use azulejo_arena::names::{BotId, MatchId, Owner, Player, Version};
use azulejo_arena::pool::Pool;
use azulejo_arena::rating::LiveRating;
use azulejo_arena::record::{
    Bytes32, EndReason, Event, House, Origin, Receipt, Seat, SeatEnd, Spec,
};
use azulejo_arena::store::{
    Act, AuditEntry, Ended, Epoch, Filter, ResultVoided, SavedMatch, Store, StoreError, Write,
};
use azulejo_arena::time::Wall;

pub(crate) const ALICE: &str = "alice/a";
pub(crate) const BOB: &str = "bob/b";

pub(crate) fn owner(name: &str) -> Owner {
    name.parse().unwrap()
}

pub(crate) fn bot(name: &str) -> BotId {
    name.parse().unwrap()
}

pub(crate) fn version(name: &str) -> Version {
    name.parse().unwrap()
}

pub(crate) fn player(name: &str) -> Player {
    Player { bot: bot(name), version: version("1") }
}

pub(crate) fn pool() -> Pool {
    "azul-colored-2-blitz".parse().unwrap()
}

/// The id of match number `n`.
pub(crate) fn id(n: u64) -> MatchId {
    let mut rest = n;
    MatchId::from_random(std::array::from_fn(|_| {
        let digit = rest % 32;
        rest /= 32;
        u8::try_from(digit).unwrap()
    }))
}

#[expect(clippy::needless_pass_by_value, reason = "it reads better where it is used")]
pub(crate) fn bytes(of: impl ToString) -> Bytes32 {
    Bytes32::hash_of(of.to_string().as_bytes())
}

pub(crate) fn new_owner(name: &str) -> Write {
    Write::Owner { owner: owner(name), registered: Wall(1) }
}

pub(crate) fn new_bot(name: &str) -> Write {
    Write::Bot { bot: bot(name), house: false, registered: Wall(2), request: None }
}

pub(crate) fn new_version(name: &str, declared: &str) -> Write {
    Write::Version { bot: bot(name), version: version(declared), declared: Wall(3) }
}

/// Two owners with a bot each, which declared version 1.
pub(crate) fn alice_and_bob() -> Vec<Write> {
    let one = |name: &str| {
        let owner = name.split('/').next().unwrap();
        [new_owner(owner), new_bot(name), new_version(name, "1")]
    };
    [one(ALICE), one(BOB)].concat()
}

/// Takes over, and registers both.
pub(crate) async fn with_alice_and_bob(store: &dyn Store) -> Epoch {
    let epoch = store.take_over("the test").await.unwrap();
    store.commit(epoch, &alice_and_bob()).await.unwrap();
    epoch
}

pub(crate) fn remote(name: &str) -> Seat {
    Seat::Remote(player(name))
}

pub(crate) fn house() -> Seat {
    Seat::House(House("greedy".parse().unwrap()))
}

pub(crate) fn spec(n: u64, origin: Origin, seats: Vec<Seat>) -> Spec {
    let why = format!("table {n}");
    Spec {
        id: id(n),
        pool: pool(),
        seats,
        origin,
        block: id(n),
        called: Wall(1_000 + n),
        why,
        seat_reasons: Vec::new(),
        request: None,
    }
}

/// A ladder match between both.
pub(crate) fn ladder(n: u64) -> Write {
    let seats = vec![remote(ALICE), remote(BOB)];
    Write::Match { spec: spec(n, Origin::Ladder, seats), secret: bytes(n) }
}

/// A challenge of Alice against a house bot.
pub(crate) fn challenge(n: u64) -> Write {
    let seats = vec![house(), remote(ALICE)];
    Write::Match { spec: spec(n, Origin::Challenge, seats), secret: bytes(n) }
}

/// An example of event `seq`.
pub(crate) fn happened(seq: u32) -> Event {
    match seq {
        0 => Event::Ready { seat: 0, nonce: bytes("nonce") },
        1 => Event::Started { deals: vec!["[1: BBKW]".to_owned(), "[2: \"Y\"]".to_owned()] },
        turn => Event::Moved {
            seat: 1,
            turn,
            action: "take 3 blue to line 2".to_owned(),
            receipt: Some(Receipt { measured: Duration::from_micros(7), ..Receipt::default() }),
            deals: Vec::new(),
        },
    }
}

pub(crate) fn event(n: u64, seq: u32) -> Write {
    Write::Event { id: id(n), seq, event: happened(seq) }
}

pub(crate) fn seat_end(placement: u8, reason: EndReason) -> SeatEnd {
    SeatEnd { placement, reason, total: 40 - u16::from(placement) }
}

pub(crate) fn standing(games: u32) -> LiveRating {
    LiveRating { games, mean: 25.0 + f64::from(games) / 3.0, ..LiveRating::new() }
}

/// The first seat wins, the other ends for this reason; the standings count this many games.
pub(crate) fn rated(n: u64, reason: EndReason, games: u32) -> Write {
    Write::Ended(Ended {
        id: id(n),
        at: Wall(2_000 + n),
        seats: vec![seat_end(1, EndReason::Finished), seat_end(2, reason)],
        rated: true,
        standings: [ALICE, BOB].map(|name| (player(name), standing(games))).into(),
        summary: None,
    })
}

/// An end without a result.
pub(crate) fn unrated(n: u64) -> Write {
    let seats = vec![seat_end(0, EndReason::CalledOff); 2];
    Write::Ended(Ended {
        id: id(n),
        at: Wall(2_000 + n),
        seats,
        rated: false,
        standings: vec![],
        summary: None,
    })
}

/// The result of match `n` is voided, as its event `seq`.
pub(crate) fn result_voided(n: u64, seq: u32) -> Write {
    let (seats, why) = (vec![EndReason::CalledOff; 2], "a test".to_owned());
    let event = Event::Voided { at: Wall(3_000 + n), seats, why };
    Write::ResultVoided(ResultVoided { id: id(n), seq, event, summary: None })
}

/// An organiser paused this bot.
pub(crate) fn act(subject: &str) -> AuditEntry {
    AuditEntry {
        at: Wall(5),
        organiser: "aza_1".to_owned(),
        act: Act::Pause,
        subject: subject.to_owned(),
        note: "too <b>loud</b>".to_owned(),
    }
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it reads better where it is used")]
pub(crate) fn assert_conflict(result: Result<(), StoreError>, part: &str) {
    let Err(StoreError::Conflict(text)) = &result else { panic!("no conflict: {result:?}") };
    assert!(text.contains(part), "{part:?} is not in {text:?}");
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it reads better where it is used")]
pub(crate) fn assert_fenced(result: Result<(), StoreError>) {
    assert!(matches!(result, Err(StoreError::Fenced)), "not fenced: {result:?}");
}

/// It failed because match `n` is damaged, and the error does not repeat the corrupted value.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it reads better where it is used")]
pub(crate) fn assert_names<T: std::fmt::Debug>(result: Result<T, StoreError>, n: u64) {
    let Err(StoreError::Unreadable(text)) = &result else { panic!("it was read: {result:?}") };
    assert!(text.contains(id(n).as_str()), "{text}");
    assert!(!text.contains("hush"), "{text}");
}

/// Match 1, which has three events, is damaged: only this match is missing from lists, exports and what
/// an arena resumes, and it can be ended. Match 2 and 3 are fine.
pub(crate) async fn assert_only_match_1_is_damaged(store: &dyn Store, epoch: Epoch) {
    let numbers = |found: &[(i64, SavedMatch)]| -> Vec<MatchId> {
        found.iter().map(|(_, saved)| saved.spec.id.clone()).collect()
    };
    assert_names(store.find(&id(1)).await, 1);
    for most in [2, 9] {
        let listed = store.list(&Filter::default(), None, most).await.unwrap();
        assert_eq!(numbers(&listed), [id(3), id(2)], "a page of {most}");
    }
    let before_match_2 = store.list(&Filter::default(), None, 2).await.unwrap().last().unwrap().0;
    assert_eq!(store.list(&Filter::default(), Some(before_match_2), 9).await.unwrap(), []);
    let saved = store.load().await.unwrap();
    assert_eq!(
        saved.running.iter().map(|saved| &saved.spec.id).collect::<Vec<_>>(),
        [&id(2), &id(3)]
    );
    let [damaged] = &saved.damaged[..] else { panic!("{:?}", saved.damaged) };
    assert_eq!((&damaged.id, damaged.seats), (&id(1), 2));
    assert_eq!(damaged.bots, [bot(ALICE), bot(BOB)]);
    let (seats, why) = (vec![EndReason::ServerError; 2], "the test".to_owned());
    let voided = Event::Voided { at: Wall(9), seats, why };
    let voided = Write::Event { id: id(1), seq: damaged.next, event: voided };
    store.commit(epoch, &[voided, unrated(1), unrated(2), unrated(3)]).await.unwrap();
    assert!(store.load().await.unwrap().damaged.is_empty(), "it is over");
    // The first page would be empty if the damaged match counted.
    let first = store.ended(0, 1).await.unwrap();
    assert_eq!(numbers(&first), [id(2)]);
    assert_eq!(numbers(&store.ended(first[0].0, 9).await.unwrap()), [id(3)]);
    assert_eq!(store.ended(i64::MAX - 1, 9).await.unwrap(), []);
}
