//! Owners and their bots, tokens and invitations.

use azulejo_arena::store::{Filter, Holder, Pause, SavedBot, Token, Write};
use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

pub(crate) async fn a_new_store_is_empty(store: Fresh) {
    let saved = store.load().await.unwrap();
    assert!(saved.owners.is_empty() && saved.bots.is_empty() && saved.tokens.is_empty());
    assert!(saved.invitations.is_empty() && saved.standings.is_empty());
    assert!(saved.running.is_empty() && saved.untold.is_empty());
    assert_eq!(store.find(&id(1)).await.unwrap(), None);
    assert_eq!(store.list(&Filter::default(), None, 9).await.unwrap(), []);
    assert_eq!(store.ended(0, 9).await.unwrap(), []);
    assert_eq!(store.outcomes(0, 9).await.unwrap(), []);
}

pub(crate) async fn owners_bots_and_versions_come_back_in_their_order(store: Fresh) {
    let epoch = store.take_over("the test").await.unwrap();
    let house = Write::Bot {
        bot: bot("zoe/z"),
        house: true,
        registered: Wall(77),
        request: Some(bytes(9)),
    };
    let versions = ["9", "1", "10"].map(|declared| new_version("zoe/z", declared));
    let batch = [new_owner("zoe"), new_owner("abe"), house, new_bot("abe/a")];
    store.commit(epoch, &[&batch[..], &versions].concat()).await.unwrap();
    let saved = store.load().await.unwrap();
    assert_eq!(saved.owners, [owner("zoe"), owner("abe")]);
    let zoe = SavedBot {
        bot: bot("zoe/z"),
        house: true,
        registered: Wall(77),
        versions: ["9", "1", "10"].map(version).into(),
        pause: None,
        recent: vec![],
        request: Some(bytes(9)),
    };
    let abe = SavedBot {
        bot: bot("abe/a"),
        house: false,
        registered: Wall(2),
        request: None,
        ..zoe.clone()
    };
    assert_eq!(saved.bots, [zoe, SavedBot { versions: vec![], ..abe }]);
}

pub(crate) async fn an_owner_registers_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_conflict(store.commit(epoch, &[new_owner("alice")]).await, "owner alice");
    assert_eq!(store.load().await.unwrap().owners, [owner("alice"), owner("bob")]);
}

pub(crate) async fn a_bot_needs_its_owner_and_is_there_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_conflict(store.commit(epoch, &[new_bot("carol/c")]).await, "bot carol/c");
    assert_conflict(store.commit(epoch, &[new_bot(ALICE)]).await, "bot alice/a");
    assert_eq!(store.load().await.unwrap().bots.len(), 2);
}

pub(crate) async fn a_version_needs_its_bot_and_is_declared_once(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    assert_conflict(store.commit(epoch, &[new_version("alice/x", "1")]).await, "alice/x@1");
    assert_conflict(store.commit(epoch, &[new_version(ALICE, "1")]).await, "alice/a@1");
    assert_eq!(store.load().await.unwrap().bots[0].versions, [version("1")]);
}

fn token(public: &str, holder: Holder) -> Token {
    Token { public: public.to_owned(), hash: bytes(public), holder, created: Some(Wall(9)) }
}

pub(crate) async fn a_token_is_valid_until_it_is_revoked_and_never_again(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let tokens = [
        token("adm_1", Holder::Admin),
        token("own_2", Holder::Owner(owner("alice"))),
        token("bot_3", Holder::Bot(bot(BOB))),
    ];
    let batch = tokens.clone().map(Write::Token);
    store.commit(epoch, &batch).await.unwrap();
    assert_eq!(store.load().await.unwrap().tokens, tokens);
    let revoked = |public: &str| Write::Revoked { public: public.to_owned() };
    store.commit(epoch, &[revoked("own_2"), revoked("own_unknown")]).await.unwrap();
    store.commit(epoch, &[revoked("own_2")]).await.unwrap();
    assert_eq!(store.load().await.unwrap().tokens, [tokens[0].clone(), tokens[2].clone()]);
    for known in &tokens {
        assert!(store.has_token(&known.hash).await.unwrap(), "valid or not");
    }
    assert!(!store.has_token(&bytes("own_unknown")).await.unwrap());
    assert_conflict(store.commit(epoch, &batch[1..2]).await, "token own_2");
    let same_hash = Token { public: "own_9".to_owned(), ..tokens[0].clone() };
    assert_conflict(store.commit(epoch, &[Write::Token(same_hash)]).await, "token own_9");
}

pub(crate) async fn a_token_needs_its_holder(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    for holder in [Holder::Owner(owner("carol")), Holder::Bot(bot("alice/x"))] {
        let token = Write::Token(token("tok_1", holder));
        assert_conflict(store.commit(epoch, &[token]).await, "token tok_1");
    }
    assert_eq!(store.load().await.unwrap().tokens, []);
}

pub(crate) async fn an_invitation_is_used_once(store: Fresh) {
    let epoch = store.take_over("the test").await.unwrap();
    let made = |n: u8| Write::Invitation { hash: bytes(n), created: Wall(4) };
    let used = |n: u8| Write::Invited { hash: bytes(n) };
    store.commit(epoch, &[made(2), made(1)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().invitations, [bytes(2), bytes(1)]);
    store.commit(epoch, &[used(2)]).await.unwrap();
    assert_eq!(store.load().await.unwrap().invitations, [bytes(1)]);
    for refused in [used(2), used(3), made(1), made(2)] {
        assert_conflict(store.commit(epoch, &[refused]).await, "the invitation");
    }
    assert_eq!(store.load().await.unwrap().invitations, [bytes(1)]);
}

pub(crate) async fn a_bot_is_paused_and_plays_again(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let paused = |trigger_match: Option<_>| {
        let by_organiser = trigger_match.is_none();
        Some(Pause { reason: "three in a row".to_owned(), trigger_match, by_organiser })
    };
    let write = |name: &str, pause| Write::Pause { bot: bot(name), pause };
    store.commit(epoch, &[ladder(1), write(BOB, paused(Some(id(1))))]).await.unwrap();
    let saved = store.load().await.unwrap().bots;
    assert_eq!((&saved[0].pause, &saved[1].pause), (&None, &paused(Some(id(1)))));
    store.commit(epoch, &[write(BOB, None), write(ALICE, paused(None))]).await.unwrap();
    let saved = store.load().await.unwrap().bots;
    assert_eq!((&saved[0].pause, &saved[1].pause), (&paused(None), &None));
    assert_conflict(store.commit(epoch, &[write("bob/x", None)]).await, "bot bob/x");
    assert_conflict(
        store.commit(epoch, &[write(BOB, paused(Some(id(9))))]).await,
        "pause of bob/b",
    );
}
