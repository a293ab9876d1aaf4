//! Limits on what a bot or an owner may do how often, and what organisers decide.

use std::time::{Duration, Instant};

use azulejo_tests::grpc::{assert_refused, metadata};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::admin_service_client::AdminServiceClient;
use pb::bots_service_client::BotsServiceClient;
use pb::challenges_service_client::ChallengesServiceClient;
use pb::opponent::Opponent as Named;
use pb::play_event::Event;
use tonic::{Code, Status};

use crate::arena::Arena;
use crate::results::find;
use crate::scripted_bot::{ScriptedBot, azul, bearer, offer, register};

#[track_caller]
fn assert_quota<T: std::fmt::Debug>(answer: Result<T, Status>, key: &str) {
    let status = answer.expect_err("beyond the limit");
    assert_eq!(metadata(&status).get("key").map(String::as_str), Some(key), "{status:?}");
    assert_refused(Err::<(), _>(status), Code::ResourceExhausted, "QUOTA");
}

fn no_ladder() -> pb::Offer {
    pb::Offer { plays_ladder: Some(false), max_concurrent_matches: 8, ..offer(2, Blitz) }
}

async fn challenge(by: &ScriptedBot, house: &[&str]) -> Result<pb::Match, Status> {
    challenge_from(by, 0, house).await
}

async fn challenge_from(by: &ScriptedBot, seat: u32, house: &[&str]) -> Result<pb::Match, Status> {
    let opponent = |name: &&str| pb::Opponent { opponent: Some(Named::House((*name).to_owned())) };
    let request = pb::CreateChallengeRequest {
        ruleset: Some(azul(u32::try_from(house.len()).unwrap() + 1)),
        time_class: Blitz.into(),
        opponents: house.iter().map(opponent).collect(),
        seat,
        request_id: String::new(),
    };
    let mut client = ChallengesServiceClient::new(by.channel.clone());
    let answer = client.create_challenge(bearer(request, &by.token)).await?;
    Ok(answer.into_inner().r#match.unwrap())
}

async fn resume(arena: &ScriptedBot, token: &str) -> Result<pb::Bot, Status> {
    let request = pb::ResumeBotRequest { bot: arena.id.clone() };
    let mut client = BotsServiceClient::new(arena.channel.clone());
    Ok(client.resume_bot(bearer(request, token)).await?.into_inner().bot.unwrap())
}

#[tokio::test]
async fn a_bot_may_declare_twenty_new_versions_a_day() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    for version in 0..=20 {
        ann.try_open(&version.to_string(), no_ladder()).await.unwrap();
    }
    assert_quota(ann.try_open("one-more", no_ladder()).await.map(drop), "versions-a-day");
    ann.try_open("7", no_ladder()).await.expect("a known version is always welcome");
}

#[tokio::test]
async fn a_bot_may_open_sixty_sessions_a_minute() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let mut opened = 0;
    let refused = loop {
        match ann.try_open("1", no_ladder()).await {
            Ok(_events) => opened += 1,
            Err(status) => break status,
        }
        assert!(opened < 200, "no limit");
    };
    assert!(opened >= 60, "{opened}");
    assert_quota(Err::<(), _>(refused), "sessions-a-minute");
}

#[tokio::test]
async fn an_owner_may_create_two_challenges_a_second() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(no_ladder()).await;
    for _ in 0..120 {
        let created = challenge(&ann, &["greedy"]).await.unwrap();
        ann.resign(&created.id).await.unwrap();
    }
    assert_quota(challenge(&ann, &["greedy"]).await, "challenges-a-minute");
}

#[tokio::test]
async fn a_house_bot_searches_for_a_second_at_most() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(no_ladder()).await;
    for name in ["strong:3600000", "strong:1001", "strong:4294967295n"] {
        assert_refused(challenge(&ann, &[name]).await, Code::InvalidArgument, "OUT_OF_RANGE");
    }
    challenge(&ann, &["strong:1000"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_searches_of_one_owner_do_not_delay_those_of_others() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(no_ladder()).await;
    for _ in 0..8 {
        let created = challenge_from(&ann, 1, &["strong:1000"]).await.unwrap();
        ann.ready(&created.id).await.unwrap();
    }
    let bob = ScriptedBot::new(&arena, "bob/bot").await;
    let mut events = bob.open(no_ladder()).await;
    let created = challenge_from(&bob, 1, &["strong:50"]).await.unwrap();
    let began = Instant::now();
    bob.ready(&created.id).await.unwrap();
    while !matches!(events.next().await, Some((_, Event::Turn(_)))) {}
    let waited = began.elapsed();
    println!("the other owner's search had moved after {waited:?}");
    assert!(waited < Duration::from_secs(3), "{waited:?}");
}

#[tokio::test]
async fn a_match_ends_when_only_house_bots_are_left() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(no_ladder()).await;
    let created = challenge(&ann, &["greedy", "greedy", "greedy"]).await.unwrap();
    ann.ready(&created.id).await.unwrap();
    ann.resign(&created.id).await.unwrap();
    let ended = find(&ann.channel, &created.id).await;
    assert_eq!(ended.status(), pb::MatchStatus::Ended, "{ended:?}");
    assert_eq!(ended.turns, 0, "the server does not play on alone: {ended:?}");
}

#[tokio::test]
async fn only_an_organiser_ends_the_pause_of_an_organiser() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(no_ladder()).await;
    let request = pb::PauseBotRequest { bot: ann.id.clone(), note: "too loud".to_owned() };
    let mut organiser = AdminServiceClient::new(ann.channel.clone());
    organiser.pause_bot(bearer(request, &arena.organiser())).await.unwrap();

    let refused = resume(&ann, &ann.owner_token).await;
    assert_refused(refused, Code::FailedPrecondition, "PAUSED_BY_ORGANISER");
    let refused = challenge(&ann, &["greedy"]).await;
    assert_refused(refused, Code::FailedPrecondition, "PAUSED");

    assert!(!resume(&ann, &arena.organiser()).await.unwrap().health.unwrap().paused);
    challenge(&ann, &["greedy"]).await.unwrap();
}

#[tokio::test]
async fn names_that_look_like_the_arenas_own_are_refused() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    for owner in ["h0use", "house-", "admin", "azulejo", "organiser"] {
        let refused = register(&ann.channel, &format!("{owner}/bot"), None).await;
        assert_refused(refused, Code::AlreadyExists, "OWNER_TAKEN");
    }
}
