//! Owners, their bots and tokens, invitations, and what an organiser may do.

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use pb::bots_service_client::BotsServiceClient;
use serde_json::{Value, json};
use tonic::Code;

use crate::arena::{Arena, said};
use crate::http::{ask, call};
use crate::puppet::{Puppet, bearer, channel, offer, register};
use crate::refusals::assert_refused;

const REGISTER: &str = "BotsService/RegisterBot";

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

#[tokio::test]
async fn an_owner_adds_bots_with_the_owners_token_and_nobody_else_can() {
    let arena = Arena::start(&[]);
    let (ann, bob) = (Puppet::new(&arena, "ann/one").await, Puppet::new(&arena, "bob/one").await);
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
    let again = Puppet { token: another.token, ..ann.clone() };
    again.beat(0, 0).await.unwrap();
    ann.beat(0, 0).await.expect("the older one stays valid");
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once() {
    let arena = Arena::start(&[]);
    let (ann, bob) = (Puppet::new(&arena, "ann/bot").await, Puppet::new(&arena, "bob/bot").await);
    let mut stream = ann.open(offer(2, Bullet)).await;
    stream.snapshot().await;
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let revoke = |token: &str| pb::RevokeTokenRequest { token: token.to_owned() };
    let others = bots.revoke_token(bearer(revoke(&ann.token), &bob.owner_token)).await;
    assert_refused(others, Code::NotFound, "NO_SUCH_TOKEN");
    ann.beat(0, 0).await.expect("nothing happened");
    let public: Vec<_> = ann.token.splitn(3, '_').take(2).collect();

    bots.revoke_token(bearer(revoke(&public.join("_")), &ann.owner_token)).await.unwrap();

    assert_refused(ann.beat(0, 0).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let id = "aaaaaaaaaaaaaaaa";
    assert_refused(ann.ready(id).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    assert_refused(ann.resign(id).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let reopened = ann.try_open("1", offer(2, Bullet)).await.map(|_| ());
    assert_refused(reopened, Code::Unauthenticated, "UNKNOWN_TOKEN");
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
    arena.again();
    assert_eq!(refused(&again), "BAD_INVITATION", "also after a restart");
    let wrong = said(&["admin", "invite", "--server", &url, "--token", &owner_token]);
    assert!(!wrong.status.success(), "an owner is no organiser");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("OTHER_TOKEN"), "{wrong:?}");
}

#[test]
fn the_organisers_token_is_shown_at_the_first_start_only() {
    let mut arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let first = arena.log();
    arena.again();
    assert!(!arena.greeting().contains("aza_"), "{}", arena.greeting());
    call(arena.public, "AdminService/CreateInvitation", &organiser, &json!({}));
    for log in [first, arena.log()] {
        assert!(!log.contains(&organiser), "no token in a log");
    }
}

#[tokio::test]
async fn a_bot_without_the_right_token_may_do_nothing() {
    let arena = Arena::start(&[]);
    let ann = Puppet::new(&arena, "ann/bot").await;
    let channel = channel(arena.url()).await;
    let none = Puppet { token: String::new(), channel: channel.clone(), ..ann.clone() };
    assert_refused(none.beat(0, 0).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let as_owner = Puppet { token: ann.owner_token.clone(), ..ann.clone() };
    assert_refused(as_owner.beat(0, 0).await, Code::PermissionDenied, "OTHER_TOKEN");
    let organiser = Puppet { token: arena.organiser(), ..ann };
    assert_refused(organiser.beat(0, 0).await, Code::PermissionDenied, "OTHER_TOKEN");
}
