//! What organisers decide and list: bans, invitations, tokens, the audit log, suspicious pairs.

use azulejo_arena::names::MatchId;
use azulejo_arena::record::{Bytes32, EndReason, Origin, Seat, SeatEnd, Spec};
use azulejo_arena::store::{Ended, Write, open};
use azulejo_arena::time::Wall;
use azulejo_tests::grpc::assert_refused;
use azulejo_tests::waiting::soon;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::{Bullet, Rapid};
use pb::bots_service_client::BotsServiceClient;
use serde_json::{Value, json};
use tonic::Code;

use crate::arena::{Arena, said};
use crate::http::{ask, call};
use crate::results::find;
use crate::scripted_bot::{Events, ScriptedBot, bearer, offer, register};
use crate::strategies::{first_match, until_second_turn, well};

const POOL: &str = "azul-colored-2-bullet";

/// `azulejo admin` on this server: what it printed, or its error message.
fn admin(arena: &Arena, token: &str, words: &[&str]) -> Result<String, String> {
    let url = arena.url();
    let done = said(&[&["admin"], words, &["--server", &url, "--token", token]].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

fn public(token: &str) -> String {
    token.splitn(3, '_').take(2).collect::<Vec<_>>().join("_")
}

/// Why a call that needs a bot's or owner's token fails for a banned owner.
async fn assert_banned(bot: &ScriptedBot) {
    let opened = bot.try_open("1", offer(2, Bullet)).await;
    let status = opened.map(|_: Events| ()).unwrap_err();
    assert!(status.message().contains("sells matches"), "{status:?}");
    assert_refused(Err::<(), _>(status), Code::PermissionDenied, "BANNED");
    let more = register(&bot.channel, "ann/more", Some(&bot.owner_token)).await;
    assert_refused(more, Code::PermissionDenied, "BANNED");
    let mut bots = BotsServiceClient::new(bot.channel.clone());
    let create = pb::CreateTokenRequest { bot: bot.id.clone() };
    let created = bots.create_token(bearer(create, &bot.owner_token)).await;
    assert_refused(created, Code::PermissionDenied, "BANNED");
    let resume = pb::ResumeBotRequest { bot: bot.id.clone() };
    let resumed = bots.resume_bot(bearer(resume, &bot.owner_token)).await;
    assert_refused(resumed, Code::PermissionDenied, "BANNED");
}

#[tokio::test]
async fn the_bots_of_a_banned_owner_resign_and_stay_out_until_the_ban_ends() {
    let mut arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/bot").await, ScriptedBot::new(&arena, "bob/bot").await);
    let (mut first, second) = (ann.open(offer(2, Rapid)).await, bob.open(offer(2, Rapid)).await);
    let bans = async {
        let turn = until_second_turn(&ann, &mut first).await;
        admin(&arena, &organiser, &["ban", "ann", "--reason", "sells matches"]).unwrap();
        turn.match_id
    };
    let (id, ended) = tokio::join!(bans, first_match(&bob, second, well));
    assert_eq!(ended.r#match.as_ref().unwrap().id, id);
    let played = find(&bob.channel, &id).await;
    let ann_seat = played.seats.iter().find(|seat| seat.bot == "ann/bot").unwrap();
    assert_eq!(ann_seat.end_reason(), pb::EndReason::Resigned, "{played:?}");
    soon("the stream ends", async { while first.next().await.is_some() {} }).await;

    assert_banned(&ann).await;
    let owners = admin(&arena, &organiser, &["owners"]).unwrap();
    assert!(owners.contains("banned: sells matches"), "{owners}");
    arena.restart();
    let ann = ann.reconnected(&arena).await;
    assert_banned(&ann).await;

    let unknown = admin(&arena, &organiser, &["ban", "stranger", "--reason", "x"]).unwrap_err();
    assert!(unknown.contains("NO_SUCH_OWNER"), "{unknown}");
    for _ in 0..2 {
        admin(&arena, &organiser, &["unban", "ann"]).unwrap();
    }
    ann.open(offer(2, Bullet)).await.snapshot().await;
    assert!(!admin(&arena, &organiser, &["owners"]).unwrap().contains("banned"));
}

#[tokio::test]
async fn an_organiser_resumes_a_bot_by_command() {
    let arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    admin(&arena, &organiser, &["pause", "ann/bot", "--reason", "a test"]).unwrap();
    let refused = admin(&arena, &ann.owner_token, &["resume", "ann/bot"]).unwrap_err();
    assert!(refused.contains("PAUSED_BY_ORGANISER"), "{refused}");
    admin(&arena, &organiser, &["resume", "ann/bot"]).unwrap();
    let bot = crate::results::bot(&ann.channel, "ann/bot").await;
    assert!(!bot.health.unwrap().paused);
}

#[test]
fn invitations_are_created_in_numbers_and_listed_without_their_codes() {
    let arena = Arena::start(&["--registration", "invite"]);
    let organiser = arena.organiser();
    let printed = admin(&arena, &organiser, &["invite", "--count", "3"]).unwrap();
    let codes: Vec<&str> = printed.lines().collect();
    assert_eq!(codes.len(), 3, "{printed}");
    for (code, owner) in codes.iter().zip(["ann", "bob"]) {
        let bot = json!({ "owner": owner, "name": "bot", "invitation": code });
        call(arena.public, "BotsService/RegisterBot", "", &bot);
    }
    let one = call(arena.public, "AdminService/CreateInvitation", &organiser, &json!({}));
    assert_eq!(
        (&one["invitations"][0], one["invitations"].as_array().unwrap().len()),
        (&one["invitation"], 1)
    );
    for count in ["0", "1001"] {
        assert!(admin(&arena, &organiser, &["invite", "--count", count]).is_err());
    }
    let too_many = json!({ "count": 1_001 });
    let refused = ask(arena.public, "AdminService/CreateInvitation", &organiser, &too_many);
    refused.assert_refused(400, "invalid_argument", "OUT_OF_RANGE");

    let listed = admin(&arena, &organiser, &["invitations"]).unwrap();
    assert_eq!(
        (listed.matches(" used").count(), listed.matches(" open").count()),
        (2, 2),
        "{listed}"
    );
    for code in codes {
        assert!(!listed.contains(code) && !listed.contains(&code[..8]), "{listed}");
    }
    let short = admin(&arena, &organiser, &["invitations", "--limit", "1"]).unwrap();
    assert!(short.contains("more entries"), "{short}");
}

#[tokio::test]
async fn tokens_are_listed_to_organisers_and_to_their_own_owner() {
    let arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/bot").await, ScriptedBot::new(&arena, "bob/bot").await);
    let secrets = [&ann.token, &ann.owner_token, &bob.token, &bob.owner_token, &organiser];
    let all = admin(&arena, &organiser, &["tokens"]).unwrap();
    for token in secrets {
        assert!(all.contains(&public(token)), "{all}");
        assert!(!all.contains(token.as_str()), "secrets are not shown");
    }
    // A leaked token is found in the list and revoked by its public part.
    admin(&arena, &ann.owner_token, &["revoke", &public(&ann.token)]).unwrap();
    assert_refused(ann.beat(0, &[]).await, Code::Unauthenticated, "UNKNOWN_TOKEN");
    let own = admin(&arena, &ann.owner_token, &["tokens"]).unwrap();
    assert!(own.contains("owner ann") && own.contains("bot ann/bot"), "{own}");
    assert_eq!((own.matches("revoked").count(), own.matches("valid").count()), (1, 1), "{own}");
    assert!(!own.contains("bob") && !own.contains("organiser"), "{own}");
    let bots = admin(&arena, &bob.token, &["tokens"]).unwrap_err();
    assert!(bots.contains("OTHER_TOKEN"), "{bots}");

    // In pages of one.
    let (mut token, mut found) = (String::new(), Vec::new());
    loop {
        let request = json!({ "pageSize": 1, "pageToken": token });
        let page = call(arena.public, "BotsService/ListTokens", &organiser, &request);
        found.extend(page["tokens"].as_array().unwrap().iter().cloned());
        match page["nextPageToken"].as_str() {
            Some(next) if !next.is_empty() => token = next.to_owned(),
            _ => break,
        }
    }
    let parts: Vec<&str> =
        found.iter().map(|token| token["publicPart"].as_str().unwrap()).collect();
    assert_eq!(parts.len(), 5, "{found:?}");
    assert!(secrets.iter().all(|secret| parts.contains(&&*public(secret))), "{parts:?}");
}

#[tokio::test]
async fn every_act_of_an_organiser_is_logged() {
    let mut arena = Arena::start(&[]);
    let organiser = arena.organiser();
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let acts: [&[&str]; 6] = [
        &["invite", "--count", "7"],
        &["pause", "ann/bot", "--reason", "too loud"],
        &["resume", "ann/bot"],
        &["ban", "ann", "--reason", "sells matches"],
        &["unban", "ann"],
        &["revoke", &ann.token],
    ];
    for act in acts {
        admin(&arena, &organiser, act).unwrap();
    }
    // Refused acts are not logged, and neither is what owners do.
    admin(&arena, &organiser, &["pause", "ann/other", "--reason", "x"]).unwrap_err();
    call(arena.public, "BotsService/CreateToken", &ann.owner_token, &json!({ "bot": "ann/bot" }));
    arena.restart();

    let log = call(arena.public, "AdminService/ListAudit", &organiser, &json!({}));
    let shown = |entry: &Value| -> [String; 3] {
        ["act", "subject", "note"].map(|key| entry[key].as_str().unwrap_or_default().to_owned())
    };
    let shown: Vec<[String; 3]> = log["entries"].as_array().unwrap().iter().map(shown).collect();
    let (token, first) = (public(&ann.token), public(&organiser));
    let expected = [
        ["AUDIT_ACT_REVOKE", &token, ""],
        ["AUDIT_ACT_UNBAN", "ann", ""],
        ["AUDIT_ACT_BAN", "ann", "sells matches"],
        ["AUDIT_ACT_RESUME", "ann/bot", ""],
        ["AUDIT_ACT_PAUSE", "ann/bot", "too loud"],
        ["AUDIT_ACT_INVITE", "7 codes", ""],
        ["AUDIT_ACT_CREATE_TOKEN", &first, ""],
    ];
    assert_eq!(shown, expected.map(|entry| entry.map(str::to_owned)));
    let printed = admin(&arena, &organiser, &["audit", "--limit", "2"]).unwrap();
    assert!(printed.contains(&first) && printed.contains("unban"), "{printed}");
    assert!(!printed.contains(&organiser) && !printed.contains(&ann.token), "{printed}");
    assert!(!printed.contains("sells matches") && printed.contains("more entries"), "{printed}");
}

#[test]
fn only_organisers_call_what_is_theirs() {
    let arena = Arena::start(&[]);
    let new = json!({ "owner": "ann", "name": "bot" });
    let ann = call(arena.public, "BotsService/RegisterBot", "", &new);
    let methods = [
        ("BanOwner", json!({ "owner": "ann", "note": "x" })),
        ("UnbanOwner", json!({ "owner": "ann" })),
        ("ListOwners", json!({})),
        ("ListInvitations", json!({})),
        ("ListAudit", json!({})),
        ("ListSuspiciousPairs", json!({ "pool": POOL })),
    ];
    for (method, request) in methods {
        let method = format!("AdminService/{method}");
        for token in ["token", "ownerToken"] {
            let refused = ask(arena.public, &method, ann[token].as_str().unwrap(), &request);
            assert_eq!(refused.refusal().0, "OTHER_TOKEN", "{method}");
        }
        let refused = ask(arena.public, &method, "", &request);
        assert_eq!(refused.refusal().0, "NO_TOKEN", "{method}");
    }
    let refused = ask(arena.public, "BotsService/ListTokens", "", &json!({}));
    assert_eq!(refused.refusal().0, "NO_TOKEN");
}

#[test]
fn limits_of_bots_and_owners_are_options() {
    let arena = Arena::start(&["--bots-per-owner", "1", "--calls-per-second", "1"]);
    let register = |name: &str, token: &str| {
        let new = json!({ "owner": "ann", "name": name });
        ask(arena.public, "BotsService/RegisterBot", token, &new)
    };
    let ann = register("one", "").json();
    let refused = register("two", ann["ownerToken"].as_str().unwrap());
    refused.assert_refused(429, "resource_exhausted", "QUOTA");
    assert!(refused.text().contains("\"limit\":\"1\""), "{}", refused.text());
    let beat =
        || ask(arena.public, "PlayService/Heartbeat", ann["token"].as_str().unwrap(), &json!({}));
    let refused = (0..20).map(|_| beat()).find(|answer| answer.status != 200).expect("a limit");
    refused.assert_refused(429, "resource_exhausted", "QUOTA");
    assert!(refused.text().contains("calls-a-second"), "{}", refused.text());
}

/// A store in which ann always won the 60 meetings with bob, and all others are equally good.
#[expect(clippy::too_many_lines, reason = "one story")]
async fn with_a_suspicious_pair(address: &str) {
    let store = open(address).await.unwrap();
    let epoch = store.take_over("the test").await.unwrap();
    let others = ["c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let player =
        |owner: &str| format!("{owner}/bot@1").parse::<azulejo_arena::names::Player>().unwrap();
    let mut writes = Vec::new();
    for owner in ["ann", "bob"].iter().chain(&others) {
        let (owner, player) = (owner.parse().unwrap(), player(owner));
        writes.push(Write::Owner { owner, registered: Wall(1) });
        let bot = player.bot;
        writes.push(Write::Bot {
            bot: bot.clone(),
            house: false,
            registered: Wall(1),
            request: None,
        });
        writes.push(Write::Version { bot, version: player.version, declared: Wall(1) });
    }
    let mut results: Vec<[&str; 2]> = vec![["ann", "bob"]; 60];
    for (index, one) in others.iter().enumerate() {
        for _ in 0..2 {
            results.extend([["ann", one], [one, "bob"], ["bob", one], [one, "ann"]]);
            let two = others[index + 1..].iter();
            results.extend(two.flat_map(|two| [[*one, *two], [*two, *one]]));
        }
    }
    for (number, seats) in results.iter().enumerate() {
        let mut digits = [0; 16];
        digits[..2].copy_from_slice(&[
            u8::try_from(number % 32).unwrap(),
            u8::try_from(number / 32).unwrap(),
        ]);
        let id = MatchId::from_random(digits);
        let spec = Spec {
            id: id.clone(),
            pool: POOL.parse().unwrap(),
            seats: seats.iter().map(|owner| Seat::Remote(player(owner))).collect(),
            origin: Origin::Ladder,
            block: id.clone(),
            called: Wall(2),
            why: String::new(),
            seat_reasons: Vec::new(),
            request: None,
        };
        let end = |placement| SeatEnd { placement, reason: EndReason::Finished, total: 9 };
        let (seats, standings) = (vec![end(1), end(2)], Vec::new());
        writes.push(Write::Match { spec, secret: Bytes32([7; 32]) });
        writes.push(Write::Ended(Ended {
            id,
            at: Wall(3),
            seats,
            rated: true,
            standings,
            summary: None,
        }));
    }
    store.commit(epoch, &writes).await.unwrap();
    store.release(epoch).await.unwrap();
}

#[tokio::test]
async fn a_suspicious_pair_is_shown_to_organisers() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("pairs.db");
    let store = store.to_str().unwrap();
    with_a_suspicious_pair(store).await;
    let arena = Arena::with_store(store, &[]);
    let organiser = arena.organiser();
    let printed = admin(&arena, &organiser, &["pairs", "--pool", POOL]).unwrap();
    assert!(printed.contains("1 suspicious pairs in 320 rated matches"), "{printed}");
    assert!(printed.contains("ann/bot") && printed.contains("bob/bot"), "{printed}");
    assert!(printed.contains("met too often, one-sided"), "{printed}");
    let empty = admin(&arena, &organiser, &["pairs", "--pool", "azul-gray-3-rapid"]).unwrap();
    assert!(empty.contains("0 suspicious pairs in 0 rated matches"), "{empty}");
    assert!(admin(&arena, &organiser, &["pairs", "--pool", "chess"]).is_err());
}
