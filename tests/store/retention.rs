//! Finished matches are archived without a difference for readers; old challenges are deleted.

use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::{
    Archive, Epoch, Filter, ResultVoided, SavedMatch, Store, StoreError, Unarchived, Write,
};
use azulejo_arena::time::Wall;

use crate::backends::{Fresh, Lasting};
use crate::fixtures::*;

const LATER: Wall = Wall(1_000_000);

/// Finished matches 1 and 2 of the ladder, the finished challenge 3, and match 4, which is running.
async fn four_matches(store: &dyn Store) -> Epoch {
    let epoch = with_alice_and_bob(store).await;
    let events = |n: u64| (0..40).map(move |seq| event(n, seq));
    let mut writes = vec![ladder(1), ladder(2), challenge(3), ladder(4)];
    writes.extend((1..=4).flat_map(events));
    writes.extend([rated(2, EndReason::Finished, 1), rated(1, EndReason::Gone, 2), unrated(3)]);
    store.commit(epoch, &writes).await.unwrap();
    epoch
}

/// Everything that readers see.
type Seen = (Vec<(i64, SavedMatch)>, Vec<(i64, SavedMatch)>, Vec<Option<SavedMatch>>);

async fn seen(store: &dyn Store) -> Seen {
    let listed = store.list(&Filter::default(), None, 9).await.unwrap();
    let ended = store.ended(0, 9).await.unwrap();
    let mut found = Vec::new();
    for n in 1..=4 {
        found.push(store.find(&id(n)).await.unwrap());
    }
    (listed, ended, found)
}

/// Archives everything that ended before.
async fn archive(store: &dyn Store, epoch: Epoch, before: Wall) -> Result<usize, StoreError> {
    let found = store.unarchived(before, 9).await?;
    let archives: Vec<Archive> = found.into_iter().map(Unarchived::pack).collect();
    store.archive(epoch, &archives).await?;
    Ok(archives.len())
}

pub(crate) async fn an_archived_match_is_read_as_before(store: Fresh) {
    let epoch = four_matches(&*store).await;
    let before = seen(&*store).await;
    assert_eq!(before.2[0].as_ref().unwrap().events.len(), 40);

    // They ended at 2,000 milliseconds plus their number.
    assert_eq!(archive(&*store, epoch, Wall(2_002)).await.unwrap(), 1, "match 1");
    assert_eq!(seen(&*store).await, before);
    assert_eq!(archive(&*store, epoch, LATER).await.unwrap(), 2, "2 and 3");
    assert_eq!(seen(&*store).await, before);
    assert_eq!(archive(&*store, epoch, LATER).await.unwrap(), 0, "4 is running");

    store.commit(epoch, &[event(4, 40)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().running[0].events.len(), 41);
}

pub(crate) async fn a_match_is_archived_once_and_when_it_is_over(store: Fresh) {
    let epoch = four_matches(&*store).await;
    let found = store.unarchived(LATER, 9).await.unwrap();
    let archives: Vec<Archive> = found.into_iter().map(Unarchived::pack).collect();
    let number = archives.iter().map(|one| one.number).sum();
    let running = Archive { number, entries: 0, events: None };
    let before = seen(&*store).await;
    let with_a_running_one: Vec<Archive> = archives.iter().cloned().chain([running]).collect();
    assert_conflict(store.archive(epoch, &with_a_running_one).await, "not over");
    assert_eq!(seen(&*store).await, before);
    store.archive(epoch, &archives).await.unwrap();
    assert_conflict(store.archive(epoch, &archives).await, "archived already");
    assert_eq!(seen(&*store).await, before);
}

pub(crate) async fn a_former_holder_archives_and_deletes_nothing(store: Fresh) {
    let epoch = four_matches(&*store).await;
    let before = seen(&*store).await;
    store.take_over("another").await.unwrap();
    assert_fenced(archive(&*store, epoch, LATER).await.map(drop));
    assert_fenced(store.delete_challenges(epoch, LATER, 9).await.map(drop));
    assert_eq!(seen(&*store).await, before);
}

/// An organiser voids the result of a match, with an event that has this number.
fn voided(n: u64, seq: u32) -> Write {
    let seats = vec![EndReason::CalledOff; 2];
    let event = Event::Voided { at: Wall(9_000), seats, why: "the test".to_owned() };
    Write::ResultVoided(ResultVoided { id: id(n), seq, event, summary: None })
}

pub(crate) async fn the_result_of_an_archived_match_is_voided_like_any_other(store: Fresh) {
    let epoch = four_matches(&*store).await;
    archive(&*store, epoch, Wall(2_002)).await.unwrap();
    let wrong = store.commit(epoch, &[voided(1, 39)]).await;
    assert_conflict(wrong, "is not its next");
    store.commit(epoch, &[voided(1, 40)]).await.unwrap();

    // While the events of match 2 are being compressed, its result is voided.
    let found = store.unarchived(LATER, 9).await.unwrap();
    let archives: Vec<Archive> = found.into_iter().map(Unarchived::pack).collect();
    store.commit(epoch, &[voided(2, 40)]).await.unwrap();
    store.archive(epoch, &archives).await.unwrap();

    for n in [1, 2] {
        let events = store.find(&id(n)).await.unwrap().unwrap().events;
        assert_eq!(events.len(), 41, "match {n}");
        assert!(matches!(events[40], Event::Voided { .. }), "{:?}", events[40]);
    }
    assert_eq!(store.outcomes(0, 9).await.unwrap(), []);
    assert_conflict(store.commit(epoch, &[voided(1, 40)]).await, "is not its next");
}

pub(crate) async fn old_challenges_are_deleted_and_nothing_else(store: Fresh) {
    let epoch = four_matches(&*store).await;
    let with_alice = [challenge(5), event(5, 0), unrated(5), challenge(6), event(6, 0)];
    store.commit(epoch, &with_alice).await.unwrap();
    archive(&*store, epoch, Wall(2_005)).await.unwrap();
    let (_, _, found) = seen(&*store).await;

    assert_eq!(store.delete_challenges(epoch, Wall(2_003), 9).await.unwrap(), 0, "younger");
    assert_eq!(store.delete_challenges(epoch, LATER, 1).await.unwrap(), 1, "the oldest, 3");
    assert_eq!(store.find(&id(3)).await.unwrap(), None);
    assert!(store.find(&id(5)).await.unwrap().is_some());
    assert_eq!(store.delete_challenges(epoch, LATER, 9).await.unwrap(), 1, "5, with its events");
    assert_eq!(store.delete_challenges(epoch, LATER, 9).await.unwrap(), 0, "6 is running");

    let (_, ended, kept) = seen(&*store).await;
    assert_eq!([&kept[0], &kept[1], &kept[3]], [&found[0], &found[1], &found[3]]);
    assert_eq!(ended.len(), 2, "2 and 1");
    assert_eq!(store.outcomes(0, 9).await.unwrap().len(), 2);
    let untold = store.load().await.unwrap().untold;
    assert!(untold.iter().all(|(told, _)| *told == id(1) || *told == id(2)), "{untold:?}");
    store.commit(epoch, &[challenge(3)]).await.unwrap();
}

#[tokio::test]
async fn a_match_that_lacks_an_event_is_not_archived_and_a_damaged_archive_spoils_one_match() {
    let place = Lasting::in_a_file();
    let store = place.open().await;
    let epoch = four_matches(&*store).await;
    let file = std::path::Path::new(&place.address);
    let lost = "DELETE FROM match_events WHERE seq = 7
        AND match_number = (SELECT number FROM matches ORDER BY number LIMIT 1)";
    crate::corrupt::corrupt(file, lost).await;
    assert_eq!(archive(&*store, epoch, LATER).await.unwrap(), 3);
    assert_names(store.find(&id(1)).await, 1);
    let rest = "DELETE FROM match_events WHERE match_number = 1";
    assert_eq!(crate::corrupt::change(file, rest).await, 39, "its events are still there");
    assert_eq!(archive(&*store, epoch, LATER).await.unwrap(), 0, "it is not tried again");

    let damage = "UPDATE match_archives SET events = x'68757368' WHERE match_number = 2";
    crate::corrupt::corrupt(file, damage).await;
    assert_names(store.find(&id(2)).await, 2);
    assert_eq!(store.find(&id(3)).await.unwrap().unwrap().events.len(), 40);
    assert_eq!(store.ended(0, 9).await.unwrap().len(), 2, "1 has no events now, and 3");
}

#[tokio::test]
async fn an_archive_is_far_smaller_than_the_rows() {
    let (mut stored, mut packed) = (0, 0);
    let place = Lasting::in_a_file();
    let store = place.open().await;
    let epoch = with_alice_and_bob(&*store).await;
    let events: Vec<Write> = (0..70).map(|seq| event(1, seq)).collect();
    store.commit(epoch, &[vec![ladder(1)], events, vec![unrated(1)]].concat()).await.unwrap();
    for found in store.unarchived(LATER, 9).await.unwrap() {
        stored += found.events.iter().flatten().map(Vec::len).sum::<usize>();
        packed += found.pack().events.map_or(0, |events| events.len());
    }
    println!("{stored} bytes as rows, {packed} as an archive");
    assert!(packed > 0 && packed < stored / 5, "{packed} of {stored}");
    let last = store.find(&id(1)).await.unwrap().unwrap().events.pop();
    assert!(matches!(last, Some(Event::Moved { turn: 69, .. })), "{last:?}");
}
