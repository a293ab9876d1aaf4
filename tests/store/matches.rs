//! Matches: creation, events, end.

use azulejo_arena::record::{EndReason, Event, MatchEnd, Origin, Summary};
use azulejo_arena::store::{Ended, Filter, Outcome, SavedMatch, Write};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

/// Ladder match `n` with this many events.
fn running(n: u64, events: u32) -> SavedMatch {
    SavedMatch {
        spec: spec(n, Origin::Ladder, vec![remote(ALICE), remote(BOB)]),
        secret: bytes(n),
        events: (0..events).map(happened).collect(),
        ended: None,
        rated: false,
        summary: None,
    }
}

pub(crate) async fn a_called_match_runs_until_it_ends(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(7), challenge(3)]).await.unwrap();
    let saved = store.load().await.unwrap().running;
    assert_eq!(saved[0], running(7, 0));
    assert_eq!(saved[1].spec, spec(3, Origin::Challenge, vec![house(), remote(ALICE)]));
    assert_eq!(store.find(&id(7)).await.unwrap(), Some(running(7, 0)));
    assert_eq!(store.ended(0, 9).await.unwrap(), []);
    store.commit(epoch, &[unrated(7)]).await.unwrap();
    let saved = store.load().await.unwrap().running;
    assert_eq!(saved.iter().map(|saved| &saved.spec.id).collect::<Vec<_>>(), [&id(3)]);
}

pub(crate) async fn a_match_is_called_once_and_by_bots_that_are_there(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1)]).await.unwrap();
    assert_conflict(store.commit(epoch, &[ladder(1)]).await, "aaaaaaaaaaaaaaa already exists");
    let mut stranger = remote(BOB);
    if let azulejo_arena::record::Seat::Remote(player) = &mut stranger {
        player.version = version("2");
    }
    for seat in [stranger, remote("bob/x")] {
        let spec = spec(2, Origin::Ladder, vec![remote(ALICE), seat]);
        let call = Write::Match { spec, secret: bytes(2) };
        assert_conflict(store.commit(epoch, &[call]).await, "a seat of match");
    }
    assert_eq!(store.list(&Filter::default(), None, 9).await.unwrap().len(), 1);
}

pub(crate) async fn a_list_reads_the_summary_instead_of_the_events(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let summary = Summary {
        turns: 2,
        steps: 3,
        position: Some("a position".to_owned()),
        out: vec![None, Some(EndReason::Resigned)],
        end: MatchEnd::Ended { seats: vec![seat_end(1, EndReason::Finished); 2] },
    };
    let Write::Ended(ended) = rated(1, EndReason::Resigned, 1) else { unreachable!() };
    let ended = Write::Ended(Ended { summary: Some(summary.clone()), ..ended });
    store.commit(epoch, &[ladder(1), event(1, 0), event(1, 1), ended]).await.unwrap();
    store.commit(epoch, &[ladder(2), event(2, 0), rated(2, EndReason::Finished, 2)]).await.unwrap();

    let listed = store.list(&Filter::default(), None, 9).await.unwrap();
    let found = store.find(&id(1)).await.unwrap().unwrap();

    let by_id = |n| &listed.iter().find(|(_, saved)| saved.spec.id == id(n)).unwrap().1;
    assert_eq!((by_id(1).summary.as_ref(), by_id(1).events.len()), (Some(&summary), 0));
    assert_eq!((by_id(2).summary.as_ref(), by_id(2).events.len()), (None, 1), "an older match");
    assert_eq!((found.summary, found.events.len()), (Some(summary), 2));
}

pub(crate) async fn events_come_back_in_their_order(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let mixed = [ladder(1), event(1, 0), ladder(2), event(2, 0), event(1, 1), event(2, 1)];
    store.commit(epoch, &mixed).await.unwrap();
    let more: Vec<Write> = (2..600).map(|seq| event(1, seq)).collect();
    store.commit(epoch, &more).await.unwrap();
    assert_eq!(store.find(&id(1)).await.unwrap(), Some(running(1, 600)));
    assert_eq!(store.load().await.unwrap().running, [running(1, 600), running(2, 2)]);
}

pub(crate) async fn an_event_is_the_next_one_or_refused(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_conflict(store.commit(epoch, &[event(1, 0)]).await, "does not exist");
    store.commit(epoch, &[ladder(1)]).await.unwrap();
    assert_conflict(store.commit(epoch, &[event(1, 1)]).await, "event 1 of match");
    store.commit(epoch, &[event(1, 0), event(1, 1)]).await.unwrap();
    for wrong in [0, 1, 3, u32::MAX] {
        assert_conflict(store.commit(epoch, &[event(1, wrong)]).await, "is not the next, 2");
    }
    let gap = [event(1, 2), event(1, 3), event(1, 5)];
    assert_conflict(store.commit(epoch, &gap).await, "event 5 of match");
    let twice = [event(1, 2), event(1, 2)];
    assert_conflict(store.commit(epoch, &twice).await, "event 2 of match");
    assert_eq!(store.find(&id(1)).await.unwrap(), Some(running(1, 2)));
}

pub(crate) async fn a_match_that_is_over_takes_no_more_events(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1), event(1, 0), unrated(1)]).await.unwrap();
    assert_conflict(store.commit(epoch, &[event(1, 1)]).await, "is over");
    let late = [ladder(2), unrated(2), event(2, 0)];
    assert_conflict(store.commit(epoch, &late).await, "is over");
    assert_eq!(store.find(&id(1)).await.unwrap().unwrap().events.len(), 1);
}

pub(crate) async fn the_end_of_a_match_is_written_everywhere(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let end = rated(1, EndReason::OutOfTime, 1);
    let over = Event::Ended { at: Wall(2_001), seats: vec![seat_end(1, EndReason::Finished)] };
    let last = Write::Event { id: id(1), seq: 1, event: over.clone() };
    store.commit(epoch, &[ladder(1), event(1, 0), last, end]).await.unwrap();
    let expected = SavedMatch {
        events: vec![happened(0), over],
        ended: Some(Wall(2_001)),
        rated: true,
        ..running(1, 0)
    };
    assert_eq!(store.find(&id(1)).await.unwrap().as_ref(), Some(&expected));
    assert_eq!(store.list(&Filter::default(), None, 9).await.unwrap()[0].1, expected);
    let [(seq, ended)] = &store.ended(0, 9).await.unwrap()[..] else { panic!() };
    assert_eq!(ended, &expected);
    let ends = [seat_end(1, EndReason::Finished), seat_end(2, EndReason::OutOfTime)];
    let seats = [player(ALICE), player(BOB)].into_iter().zip(ends).collect();
    let outcome = Outcome { seq: *seq, id: id(1), block: id(1), pool: pool(), seats };
    assert_eq!(store.outcomes(0, 9).await.unwrap(), [outcome]);
    let saved = store.load().await.unwrap();
    assert!(saved.running.is_empty());
    assert_eq!(saved.untold, [(id(1), bot(ALICE)), (id(1), bot(BOB))]);
    let standings = [ALICE, BOB].map(|name| (pool(), player(name), standing(1)));
    assert_eq!(saved.standings, standings);
    assert_eq!((&saved.bots[0].recent[..], &saved.bots[1].recent[..]), (&[false][..], &[true][..]));
}

pub(crate) async fn a_match_ends_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_conflict(store.commit(epoch, &[unrated(1)]).await, "does not exist");
    store.commit(epoch, &[ladder(1), unrated(1)]).await.unwrap();
    for again in [unrated(1), rated(1, EndReason::Gone, 1)] {
        assert_conflict(store.commit(epoch, &[again]).await, "is over already");
    }
    let twice = [ladder(2), unrated(2), unrated(2)];
    assert_conflict(store.commit(epoch, &twice).await, "is over already");
    assert_eq!(store.load().await.unwrap().standings, []);
    assert_eq!(store.ended(0, 9).await.unwrap().len(), 1);
}

pub(crate) async fn an_end_has_as_many_seats_as_its_match(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1)]).await.unwrap();
    for seats in [0, 1, 3] {
        let seats = vec![seat_end(0, EndReason::NoShow); seats];
        let end =
            Ended { id: id(1), at: Wall(1), seats, rated: false, standings: vec![], summary: None };
        assert_conflict(store.commit(epoch, &[Write::Ended(end)]).await, "has 2 seats");
    }
}

pub(crate) async fn a_match_with_a_seat_of_the_house_is_never_rated(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[challenge(1)]).await.unwrap();
    let end = rated(1, EndReason::Finished, 1);
    assert_conflict(store.commit(epoch, &[end]).await, "has a seat that the server plays");
    store.commit(epoch, &[unrated(1)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().untold, [(id(1), bot(ALICE))]);
}

pub(crate) async fn an_unrated_end_is_not_an_outcome(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1), unrated(1)]).await.unwrap();
    assert_eq!(store.outcomes(0, 9).await.unwrap(), []);
    let found = store.find(&id(1)).await.unwrap().unwrap();
    assert_eq!((found.ended, found.rated), (Some(Wall(2_001)), false));
}

pub(crate) async fn standings_are_those_after_the_last_match(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    for games in 1..=3 {
        let n = u64::from(games);
        let end = rated(n, EndReason::Finished, games);
        store.commit(epoch, &[ladder(n), end]).await.unwrap();
    }
    let standings = [ALICE, BOB].map(|name| (pool(), player(name), standing(3)));
    assert_eq!(store.load().await.unwrap().standings, standings);
    let mut stranger = rated(4, EndReason::Finished, 4);
    if let Write::Ended(end) = &mut stranger {
        end.standings.push((player("carol/c"), standing(1)));
    }
    let batch = [ladder(4), stranger];
    assert_conflict(store.commit(epoch, &batch).await, "the standing of carol/c@1");
    assert_eq!(store.load().await.unwrap().standings, standings);
}

pub(crate) async fn every_end_is_delivered_to_every_remote_seat_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let batch = [ladder(1), challenge(2), unrated(1), unrated(2)];
    store.commit(epoch, &batch).await.unwrap();
    let delivered = |n: u64, name: &str| Write::EndDelivered { id: id(n), bot: bot(name) };
    store
        .commit(epoch, &[delivered(1, ALICE), delivered(2, BOB), delivered(9, BOB)])
        .await
        .unwrap();
    store.commit(epoch, &[delivered(1, ALICE), delivered(1, "bob/x")]).await.unwrap();
    let untold = [(id(1), bot(BOB)), (id(2), bot(ALICE))];
    assert_eq!(store.load().await.unwrap().untold, untold);
    store.commit(epoch, &[delivered(1, BOB), delivered(2, ALICE)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().untold, []);
}
