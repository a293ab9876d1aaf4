//! Bans, voided results, the audit log, and what organisers list.

use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::{
    Act, AuditEntry, Filter, Holder, ListedInvitation, ListedOwner, ListedToken, Pause, Status,
    Token, Write,
};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

fn ban(name: &str, note: Option<&str>) -> Write {
    Write::Ban { owner: owner(name), note: note.map(str::to_owned) }
}

pub(crate) async fn an_owner_is_banned_until_the_ban_ends(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_eq!(store.load().await.unwrap().bans, []);
    let odd = "\0 \u{202e} 🎲 ' \" \\";
    store.commit(epoch, &[ban("bob", Some(odd)), ban("alice", Some("first"))]).await.unwrap();
    store.commit(epoch, &[ban("alice", Some("again"))]).await.unwrap();
    let banned = [(owner("alice"), "again".to_owned()), (owner("bob"), odd.to_owned())];
    assert_eq!(store.load().await.unwrap().bans, banned);
    store.commit(epoch, &[ban("alice", None), ban("alice", None)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().bans, banned[1..]);
    assert_conflict(store.commit(epoch, &[ban("carol", Some("x"))]).await, "owner carol");
}

pub(crate) async fn a_pause_of_an_organiser_differs_from_an_automatic_one(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    // Without a match too: what led to an automatic pause need not be one.
    for by_organiser in [true, false] {
        let reason = "a test".to_owned();
        let pause = Some(Pause { reason, trigger_match: None, by_organiser });
        store.commit(epoch, &[Write::Pause { bot: bot(BOB), pause: pause.clone() }]).await.unwrap();
        assert_eq!(store.load().await.unwrap().bots[1].pause, pause);
    }
}

pub(crate) async fn a_voided_result_is_an_outcome_no_longer(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let batch = [ladder(1), event(1, 0), rated(1, EndReason::Gone, 1), ladder(2), event(2, 0)];
    store.commit(epoch, &batch).await.unwrap();
    store.commit(epoch, &[rated(2, EndReason::Finished, 2)]).await.unwrap();
    store.commit(epoch, &[result_voided(1, 1)]).await.unwrap();
    let outcomes = store.outcomes(0, 9).await.unwrap();
    assert_eq!(outcomes.iter().map(|outcome| &outcome.id).collect::<Vec<_>>(), [&id(2)]);
    let found = store.find(&id(1)).await.unwrap().unwrap();
    assert_eq!((found.rated, found.ended), (false, Some(Wall(2_001))), "it ended when it ended");
    let Some(Event::Voided { why, .. }) = found.events.last() else { panic!("{found:?}") };
    assert_eq!(why, "a test");
    let of_status = async |status| -> Vec<_> {
        let filter = Filter { status: Some(status), ..Filter::default() };
        let page = store.list(&filter, None, 9).await.unwrap();
        page.into_iter().map(|(_, saved)| saved.spec.id).collect()
    };
    assert_eq!(of_status(Status::Voided).await, [id(1)]);
    assert_eq!(of_status(Status::Ended).await, [id(2)]);
    let exported = store.ended(0, 9).await.unwrap();
    assert_eq!(exported.len(), 2, "it is still exported, in its place");
    assert_eq!((&exported[0].1, exported[0].1.rated), (&found, false));
    let bots = store.load().await.unwrap().bots;
    assert_eq!(bots[1].recent, [false, false], "its bot has not failed any more");
}

pub(crate) async fn only_a_finished_match_loses_its_result(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    store.commit(epoch, &[ladder(1), event(1, 0)]).await.unwrap();
    assert_conflict(store.commit(epoch, &[result_voided(1, 1)]).await, "is not over");
    assert_conflict(store.commit(epoch, &[result_voided(7, 0)]).await, "is not over");
    store.commit(epoch, &[rated(1, EndReason::Finished, 1)]).await.unwrap();
    for seq in [0, 2] {
        assert_conflict(store.commit(epoch, &[result_voided(1, seq)]).await, "not its next");
    }
    assert_eq!(store.outcomes(0, 9).await.unwrap().len(), 1, "nothing was written");
    // In one batch with another match, and before its bots have acknowledged the end.
    store.commit(epoch, &[ladder(2), result_voided(1, 1), event(2, 0)]).await.unwrap();
    assert_conflict(store.commit(epoch, &[result_voided(1, 1)]).await, "not its next");
    assert_eq!(store.load().await.unwrap().untold.len(), 2);
}

pub(crate) async fn a_rating_is_removed(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let removed = |name| Write::LiveRatingRemoved { pool: pool(), player: player(name) };
    let rating =
        |name| Write::LiveRating { pool: pool(), player: player(name), standing: standing(1) };
    let batch = [rating(ALICE), rating(BOB), removed(ALICE), removed("carol/c")];
    store.commit(epoch, &batch).await.unwrap();
    assert_eq!(store.load().await.unwrap().standings, [(pool(), player(BOB), standing(1))]);
    store.commit(epoch, &[removed(BOB), rating(ALICE)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().standings, [(pool(), player(ALICE), standing(1))]);
}

pub(crate) async fn the_audit_log_is_read_backwards_in_pages(store: Fresh) {
    let epoch = store.take_over("the test").await.unwrap();
    let acts = [
        Act::Invite,
        Act::Pause,
        Act::Resume,
        Act::Ban,
        Act::Unban,
        Act::Void,
        Act::Revoke,
        Act::CreateToken,
    ];
    let entries = acts.map(|act| AuditEntry { act, ..crate::fixtures::act("\u{fffd} 🎲") });
    let odd = AuditEntry { note: "\0 ' \"".to_owned(), at: Wall(u64::MAX), ..entries[0].clone() };
    let entries = [&entries[..], &[odd]].concat();
    store
        .commit(epoch, &entries.clone().into_iter().map(Write::Audit).collect::<Vec<_>>())
        .await
        .unwrap();
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let page = store.audit(before, 2).await.unwrap();
        let Some((last, _)) = page.last() else { break };
        before = Some(*last);
        found.extend(page.into_iter().map(|(_, entry)| entry));
    }
    found.reverse();
    assert_eq!(found, entries);
}

pub(crate) async fn an_act_is_logged_with_what_it_changes_or_not_at_all(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let refused = [Write::Audit(act("carol")), ban("carol", Some("no such owner"))];
    assert_conflict(store.commit(epoch, &refused).await, "owner carol");
    assert_eq!(store.audit(None, 9).await.unwrap(), []);
}

pub(crate) async fn owners_are_listed_with_their_bots_and_bans(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let batch = [new_bot("alice/b"), new_owner("carol"), ban("bob", Some("cheats"))];
    store.commit(epoch, &batch).await.unwrap();
    let listed = store.owners(0, 9).await.unwrap();
    let line = |ListedOwner { owner, registered, bots, banned, .. }: ListedOwner| {
        (owner.to_string(), registered.0, bots, banned)
    };
    let lines: Vec<_> = listed.iter().cloned().map(line).collect();
    let expected = [("alice", 2, None), ("bob", 1, Some("cheats".to_owned())), ("carol", 0, None)];
    assert_eq!(lines, expected.map(|(name, bots, banned)| (name.to_owned(), 1, bots, banned)));
    assert_eq!(store.owners(listed[0].number, 1).await.unwrap(), listed[1..2]);
    assert_eq!(store.owners(listed[2].number, 9).await.unwrap(), []);
}

pub(crate) async fn tokens_are_listed_without_their_hashes_for_everyone_or_for_one_owner(
    store: Fresh,
) {
    let epoch = with_alice_and_bob(&*store).await;
    let token = |public: &str, holder, created| {
        Write::Token(Token { public: public.to_owned(), hash: bytes(public), holder, created })
    };
    let batch = [
        token("adm_1", Holder::Admin, Some(Wall(7))),
        token("own_2", Holder::Owner(owner("alice")), None),
        token("bot_3", Holder::Bot(bot(BOB)), None),
        token("bot_4", Holder::Bot(bot(ALICE)), Some(Wall(8))),
        Write::Revoked { public: "own_2".to_owned() },
    ];
    store.commit(epoch, &batch).await.unwrap();
    let line = |ListedToken { public, holder, created, revoked, .. }: ListedToken| {
        (public, holder, created, revoked)
    };
    let all = [
        ("adm_1".to_owned(), Holder::Admin, Some(Wall(7)), false),
        ("own_2".to_owned(), Holder::Owner(owner("alice")), None, true),
        ("bot_3".to_owned(), Holder::Bot(bot(BOB)), None, false),
        ("bot_4".to_owned(), Holder::Bot(bot(ALICE)), Some(Wall(8)), false),
    ];
    let listed = store.tokens(None, 0, 9).await.unwrap();
    assert_eq!(listed.iter().cloned().map(line).collect::<Vec<_>>(), all);
    assert_eq!(store.tokens(None, listed[1].number, 1).await.unwrap(), listed[2..3]);
    let alice = owner("alice");
    let hers = store.tokens(Some(&alice), 0, 9).await.unwrap();
    assert_eq!(hers, [listed[1].clone(), listed[3].clone()]);
    assert_eq!(store.tokens(Some(&alice), hers[0].number, 9).await.unwrap(), hers[1..]);
    assert_eq!(store.tokens(Some(&owner("carol")), 0, 9).await.unwrap(), []);
}

pub(crate) async fn invitations_are_listed_with_whether_they_were_used(store: Fresh) {
    let epoch = store.take_over("the test").await.unwrap();
    let made = |n: u8| Write::Invitation { hash: bytes(n), created: Wall(n.into()) };
    let batch = [made(5), made(6), Write::Invited { hash: bytes(6) }];
    store.commit(epoch, &batch).await.unwrap();
    let listed = store.invitations(0, 9).await.unwrap();
    let line = |found: &ListedInvitation| (found.created, found.used);
    let lines: Vec<_> = listed.iter().map(line).collect();
    assert_eq!(lines, [(Some(Wall(5)), false), (Some(Wall(6)), true)]);
    assert_eq!(store.invitations(listed[0].number, 9).await.unwrap(), listed[1..]);
}
