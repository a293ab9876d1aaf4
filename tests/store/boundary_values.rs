//! Extreme values are read as they were written.

use azulejo_arena::pool::Pool;
use azulejo_arena::rating::LiveRating;
use azulejo_arena::record::{EndReason, Event, Origin, SeatEnd, Spec};
use azulejo_arena::store::{Ended, Pause, Write};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

fn call(spec: &Spec) -> Write {
    Write::Match { spec: spec.clone(), secret: bytes(&spec.id) }
}

pub(crate) async fn every_pool_comes_back(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let pools: Vec<Pool> = Pool::all().collect();
    assert_eq!(pools.len(), 36);
    for (n, pool) in (0..).zip(&pools) {
        let seats = [ALICE, BOB].iter().cycle().take(pool.players()).map(|name| remote(name));
        let spec = Spec { pool: *pool, ..spec(n, Origin::Ladder, seats.collect()) };
        let end = Ended {
            id: id(n),
            at: Wall(n),
            seats: vec![seat_end(1, EndReason::Finished); pool.players()],
            rated: true,
            standings: vec![(player(ALICE), standing(9)), (player(BOB), standing(8))],
            summary: None,
        };
        store.commit(epoch, &[call(&spec), Write::Ended(end)]).await.unwrap();
        assert_eq!(store.find(&id(n)).await.unwrap().unwrap().spec, spec);
    }
    let outcomes = store.outcomes(0, 99).await.unwrap();
    assert_eq!(outcomes.iter().map(|outcome| outcome.pool).collect::<Vec<_>>(), pools);
    assert!(outcomes.iter().all(|outcome| outcome.seats.len() == outcome.pool.players()));
    let saved = store.load().await.unwrap().standings;
    assert_eq!(saved.len(), 72);
    for pool in pools {
        assert!(saved.contains(&(pool, player(ALICE), standing(9))));
    }
}

const ODD: [f64; 12] = [
    0.0,
    -0.0,
    1.0,
    -7.0,
    0.1 + 0.2,
    std::f64::consts::PI,
    f64::MIN_POSITIVE / 3.0,
    f64::EPSILON,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    9_007_199_254_740_993.0,
];

pub(crate) async fn every_bit_of_a_number_comes_back(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    for (n, (mean, bits)) in (0..).zip(ODD.iter().flat_map(|&odd| [(odd, 1), (odd, 0x5555)])) {
        // The lowest bits, too.
        let wins = f64::from_bits(0x3ff5_5555_5555_5000 | bits);
        let odd = LiveRating { mean, deviation: -mean, wins, games: 1, forfeits: 0 };
        let mut end = rated(n, EndReason::Finished, 1);
        if let Write::Ended(end) = &mut end {
            end.standings = vec![(player(ALICE), odd)];
        }
        store.commit(epoch, &[ladder(n), end]).await.unwrap();
        let saved = store.load().await.unwrap().standings[0].2;
        let bits = |of: LiveRating| [of.mean, of.deviation, of.wins].map(f64::to_bits);
        assert_eq!(bits(saved), bits(odd), "{odd:?} became {saved:?}");
    }
}

pub(crate) async fn a_standing_that_is_not_a_number_is_refused(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let mut end = rated(1, EndReason::Finished, 1);
    if let Write::Ended(end) = &mut end {
        end.standings[1].1.mean = f64::NAN;
    }
    let batch = [ladder(1), end];
    assert_conflict(store.commit(epoch, &batch).await, "the standing of bob/b@1");
    assert_eq!(store.find(&id(1)).await.unwrap(), None);
}

pub(crate) async fn the_largest_values_come_back(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let longest = "x".repeat(32);
    let (owner, name) = (longest.as_str(), format!("{longest}/{longest}"));
    let late = Wall(u64::MAX);
    let bot_write = Write::Bot { bot: bot(&name), house: true, registered: late, request: None };
    store.commit(epoch, &[new_owner(owner), bot_write]).await.unwrap();
    store.commit(epoch, &[new_version(&name, &longest)]).await.unwrap();
    let mut spec = spec(1, Origin::Ladder, vec![remote(&name), remote(ALICE)]);
    spec.called = late;
    if let azulejo_arena::record::Seat::Remote(player) = &mut spec.seats[0] {
        player.version = version(&longest);
    }
    let seat = SeatEnd { placement: u8::MAX, reason: EndReason::Gone, total: u16::MAX };
    let most = LiveRating { games: u32::MAX, forfeits: u32::MAX, ..standing(1) };
    let winner = (player(ALICE), most);
    let end = Ended {
        id: id(1),
        at: late,
        seats: vec![seat; 2],
        rated: true,
        standings: vec![winner],
        summary: None,
    };
    store.commit(epoch, &[call(&spec), Write::Ended(end)]).await.unwrap();
    let found = store.find(&id(1)).await.unwrap().unwrap();
    assert_eq!((found.ended, found.spec), (Some(late), spec));
    assert!(store.outcomes(0, 9).await.unwrap()[0].seats.iter().all(|(_, end)| *end == seat));
    let saved = store.load().await.unwrap();
    assert_eq!((saved.bots[2].registered, &saved.bots[2].bot), (late, &bot(&name)));
    assert_eq!(saved.standings, [(pool(), player(ALICE), most)]);
}

pub(crate) async fn any_text_comes_back(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let odd =
        "\0 \u{1} ' '' \" \\ \\u0000 ?1 :a -- ; 🎲 \u{202e} \u{fffd} \u{10ffff} \n".to_owned();
    let long = odd.repeat(10_000);
    let events = [odd.clone(), long, String::new()].map(|why| Event::Voided {
        at: Wall(u64::MAX),
        seats: vec![EndReason::Gone],
        why,
    });
    let writes = (0..).zip(events.clone());
    let writes = writes.map(|(seq, event)| Write::Event { id: id(1), seq, event });
    let batch: Vec<Write> = std::iter::once(ladder(1)).chain(writes).collect();
    store.commit(epoch, &batch).await.unwrap();
    assert_eq!(store.find(&id(1)).await.unwrap().unwrap().events, events);
    let pause = Some(Pause { reason: odd, trigger_match: None, by_organiser: true });
    let paused = Write::Pause { bot: bot(BOB), pause: pause.clone() };
    store.commit(epoch, &[paused]).await.unwrap();
    assert_eq!(store.load().await.unwrap().bots[1].pause, pause);
}
