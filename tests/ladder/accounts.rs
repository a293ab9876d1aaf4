//! Owners, their bots and tokens, invitations, and the rights of organisers.

use azulejo_tests::grpc::assert_refused;
use azulejo_tests::process::ANY_PORTS;
use azulejo_tests::waiting::{PATIENCE, soon, until};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use pb::bots_service_client::BotsServiceClient;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tonic::Code;

use crate::arena::{Arena, said};
use crate::http::{ask, call};
use crate::scripted_bot::{ScriptedBot, bearer, channel, offer, register};

const REGISTER: &str = "BotsService/RegisterBot";

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

#[tokio::test]
async fn only_the_owners_token_adds_bots_to_an_owner() {
    let arena = Arena::start(&[]);
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/one").await, ScriptedBot::new(&arena, "bob/one").await);
    let second = register(&ann.channel, "ann/two", Some(&ann.owner_token)).await.unwrap();
    assert_eq!(second.bot.unwrap().id, "ann/two");
    assert_eq!(second.owner_token, "", "the owner has one already");
    let tries = [
        (register(&ann.channel, "ann/three", None).await, Code::AlreadyExists, "OWNER_TAKEN"),
        (
            register(&ann.channel, "ann/three", Some(&bob.owner_token)).await,
            Code::PermissionDenied,
            "OTHER_OWNER",
        ),
        (
            register(&ann.channel, "ann/three", Some(&ann.token)).await,
            Code::PermissionDenied,
            "OTHER_TOKEN",
        ),
        (
            register(&ann.channel, "ann/two", Some(&ann.owner_token)).await,
            Code::AlreadyExists,
            "NAME_TAKEN",
        ),
    ];
    for (answer, code, reason) in tries {
        assert_refused(answer, code, reason);
    }
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let mine = || pb::CreateTokenRequest { bot: "ann/one".to_owned() };
    let stolen = bots.create_token(bearer(mine(), &bob.owner_token)).await;
    assert_refused(stolen, Code::PermissionDenied, "OTHER_OWNER");
    let another = bots.create_token(bearer(mine(), &ann.owner_token)).await.unwrap().into_inner();
    let again = ScriptedBot { token: another.token, ..ann.clone() };
    again.beat(0, &[]).await.unwrap();
    ann.beat(0, &[]).await.expect("the older one stays valid");
}

#[tokio::test]
async fn a_revoked_token_is_refused_immediately() {
    let arena = Arena::start(&[]);
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/bot").await, ScriptedBot::new(&arena, "bob/bot").await);
    let mut stream = ann.open(offer(2, Bullet)).await;
    stream.snapshot().await;
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let revoke = |token: &str| pb::RevokeTokenRequest { token: token.to_owned() };
    let others = bots.revoke_token(bearer(revoke(&ann.token), &bob.owner_token)).await;
    assert_refused(others, Code::NotFound, "NO_SUCH_TOKEN");
    ann.beat(0, &[]).await.expect("nothing happened");
    let public: Vec<_> = ann.token.splitn(3, '_').take(2).collect();

    bots.revoke_token(bearer(revoke(&public.join("_")), &ann.owner_token)).await.unwrap();

    assert_refused(ann.beat(0, &[]).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let id = "aaaaaaaaaaaaaaaa";
    assert_refused(ann.ready(id).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    assert_refused(ann.resign(id).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let reopened = ann.try_open("1", offer(2, Bullet)).await.map(|_| ());
    assert_refused(reopened, Code::Unauthenticated, "UNKNOWN_TOKEN");
}

#[tokio::test]
async fn a_revoked_token_ends_the_stream_that_was_opened_with_it() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let create = pb::CreateTokenRequest { bot: ann.id.clone() };
    let another = bots.create_token(bearer(create, &ann.owner_token)).await.unwrap().into_inner();
    let mut stream = ann.open(offer(2, Bullet)).await;
    stream.snapshot().await;

    let revoke = pb::RevokeTokenRequest { token: ann.token.clone() };
    bots.revoke_token(bearer(revoke, &ann.owner_token)).await.unwrap();

    // A silent session would end by itself, but later.
    soon("the stream ends", async { while stream.next().await.is_some() {} }).await;
    let again = ScriptedBot { token: another.token, ..ann.clone() };
    again.open(offer(2, Bullet)).await.snapshot().await;
}

#[tokio::test]
async fn an_organiser_revokes_any_token() {
    let arena = Arena::start(&[]);
    let (url, organiser) = (arena.url(), arena.organiser());
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let tokens = [&ann.token, &ann.owner_token, &organiser];
    for token in tokens {
        let ended = said(&["admin", "revoke", token, "--server", &url, "--token", &organiser]);
        assert!(ended.status.success(), "{ended:?}");
    }
    assert_refused(ann.beat(0, &[]).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    for (token, method) in tokens.iter().zip(["CreateToken", "CreateToken", "ResumeBot"]) {
        let refused = ask(arena.public, &format!("BotsService/{method}"), token, &json!({}));
        assert_eq!(refused.refusal().0, "UNKNOWN_TOKEN");
    }
}

#[tokio::test]
async fn a_bot_cannot_revoke_tokens() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let revoke = pb::RevokeTokenRequest { token: ann.token.clone() };
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let refused = bots.revoke_token(bearer(revoke, &ann.token)).await;
    assert_refused(refused, Code::PermissionDenied, "OTHER_TOKEN");
}

/// A new organiser's token, created in the store of an arena that has stopped.
fn new_organiser(arena: &Arena, flags: &[&str]) -> String {
    let store = arena.store();
    let words = [&["admin", "token", "--store", store.to_str().unwrap()], flags].concat();
    let made = said(&words);
    assert!(made.status.success(), "{made:?}");
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_new_organisers_token_leaves_the_others_valid_unless_they_are_revoked() {
    let mut arena = Arena::start(&[]);
    let first = arena.organiser();
    let invite = "AdminService/CreateInvitation";
    // Twice in a row: an arena that stops releases the store.
    arena.stop();
    let second = new_organiser(&arena, &[]);
    let third = new_organiser(&arena, &[]);
    arena.restart();
    for organiser in [&first, &second, &third] {
        call(arena.public, invite, organiser, &json!({}));
    }
    arena.stop();
    let only = new_organiser(&arena, &["--revoke-others"]);
    arena.restart();
    for organiser in [&first, &second, &third] {
        let refused = ask(arena.public, invite, organiser, &json!({}));
        assert_eq!(refused.refusal().0, "UNKNOWN_TOKEN");
    }
    call(arena.public, invite, &only, &json!({}));
}

#[tokio::test]
async fn the_token_of_the_file_stays_valid_after_a_failure_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let organiser = format!("aza_{}", "z9".repeat(16));
    std::fs::write(&file, format!("{organiser}\n")).unwrap();
    let arena = Arena::start(&["--admin-token-file", file.to_str().unwrap()]);
    assert!(!arena.greeting().contains("aza_"), "{}", arena.greeting());
    let invites = || ask(arena.public, "AdminService/CreateInvitation", &organiser, &json!({}));
    assert_eq!(invites().status, 200);

    // Another process locks the file for longer than an arena waits.
    let mut holder = SqliteConnectOptions::new().filename(arena.store()).connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut holder).await.unwrap();
    until("it fails", PATIENCE, || {
        arena.log().contains("restarting from the stored state").then_some(())
    });
    holder.close().await.unwrap();

    until("it is back", PATIENCE, || (invites().status == 200).then_some(()));
    // The first request may have been admitted before, and waited.
    assert_eq!(invites().status, 200);
    assert!(!arena.log().contains(&organiser), "no token in a log");
}

#[test]
fn a_token_that_is_or_was_in_the_store_is_refused_for_the_file() {
    let arena = Arena::start(&[]);
    let (organiser, url) = (arena.organiser(), arena.url());
    let file = arena.store().with_file_name("token");
    std::fs::write(&file, &organiser).unwrap();
    let (store, file) = (arena.store(), file.to_str().unwrap());
    let store = store.to_str().unwrap();
    let words = ["arena", "--store", store, "--admin-token-file", file, "--take-over"];
    let assert_refused = || {
        let refused = said(&[&words, &ANY_PORTS[..]].concat());
        assert!(!refused.status.success());
        assert!(String::from_utf8_lossy(&refused.stderr).contains("use a new one"), "{refused:?}");
    };
    assert_refused();
    // A process that is refused has not taken the store away.
    let revoked = said(&["admin", "revoke", &organiser, "--server", &url, "--token", &organiser]);
    assert!(revoked.status.success(), "{revoked:?}");
    assert_refused();
}

#[test]
fn a_file_without_an_organisers_token_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let file = file.to_str().unwrap();
    let words = ["arena", "--store", "memory", "--admin-token-file", file];
    let words = [&words, &ANY_PORTS[..]].concat();
    let refused = || {
        let output = said(&words);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused().contains("cannot read"), "there is no such file");
    for text in [
        "",
        "aza_short",
        "azo_cccccccccccccccccccccccccccccccc",
        "aza_cccccccccccccccc cccccccccccccccccccc",
    ] {
        std::fs::write(file, text).unwrap();
        let said = refused();
        assert!(said.contains("contains no valid organiser's token"), "{said}");
        assert!(
            text.is_empty() || !said.contains(text),
            "the file's content is not printed: {said}"
        );
    }
}

#[test]
fn an_invitation_lets_one_owner_in_once() {
    let mut arena = Arena::start(&["--registration", "invite"]);
    let (address, organiser) = (arena.public, arena.organiser());
    let refused = |message: &Value| ask(address, REGISTER, "", message).refusal().0;
    assert_eq!(refused(&json!({"owner": "ann", "name": "bot"})), "INVITATION_NEEDED");
    let guessed = json!({"owner": "ann", "name": "bot", "invitation": "azi_aaaaaaaaaaaaaaaa"});
    assert_eq!(refused(&guessed), "BAD_INVITATION");
    let url = arena.url();
    let invited = said(&["admin", "invite", "--server", &url, "--token", &organiser]);
    assert!(invited.status.success(), "{invited:?}");
    let code = String::from_utf8(invited.stdout).unwrap().trim().to_owned();

    let message = json!({"owner": "ann", "name": "bot", "invitation": code});
    let registered = call(address, REGISTER, "", &message);

    let again = json!({"owner": "bob", "name": "bot", "invitation": code});
    assert_eq!(refused(&again), "BAD_INVITATION");
    let owner_token = text(&registered["ownerToken"]);
    call(address, REGISTER, &owner_token, &json!({"owner": "ann", "name": "second"}));
    arena.restart();
    assert_eq!(refused(&again), "BAD_INVITATION", "after a restart too");
    let wrong = said(&["admin", "invite", "--server", &url, "--token", &owner_token]);
    assert!(!wrong.status.success(), "an owner is not an organiser");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("OTHER_TOKEN"), "{wrong:?}");
}

#[test]
fn the_organisers_token_is_created_at_the_first_start_only_and_never_printed() {
    let mut arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let first = arena.log();
    assert!(!arena.greeting().contains("aza_"), "{}", arena.greeting());
    arena.restart();
    assert!(!arena.greeting().contains("aza_"), "{}", arena.greeting());
    call(arena.public, "AdminService/CreateInvitation", &organiser, &json!({}));
    for log in [first, arena.log()] {
        assert!(!log.contains(&organiser), "no token in a log");
    }
}

#[tokio::test]
async fn a_bot_without_the_right_token_may_do_nothing() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let channel = channel(arena.url()).await;
    let none = ScriptedBot { token: String::new(), channel: channel.clone(), ..ann.clone() };
    assert_refused(none.beat(0, &[]).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let as_owner = ScriptedBot { token: ann.owner_token.clone(), ..ann.clone() };
    assert_refused(as_owner.beat(0, &[]).await, Code::PermissionDenied, "OTHER_TOKEN");
    let organiser = ScriptedBot { token: arena.organiser(), ..ann };
    assert_refused(organiser.beat(0, &[]).await, Code::PermissionDenied, "OTHER_TOKEN");
}
