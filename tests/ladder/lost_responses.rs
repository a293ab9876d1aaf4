//! Requests whose response never arrives: repeated with the same id they lock no one out.

use std::io::Write as _;
use std::net::{Shutdown, TcpStream};

use azulejo_tests::grpc::assert_refused;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Bullet;
use pb::bots_service_client::BotsServiceClient;
use pb::challenges_service_client::ChallengesServiceClient;
use pb::opponent::Opponent as Named;
use serde_json::json;
use tonic::Code;

use crate::arena::Arena;
use crate::http;
use crate::results::listed;
use crate::scripted_bot::{ScriptedBot, azul, bearer, channel, offer};

const REQUEST: &str = "6f1c2a34-9b0d-4e57-8a61-0d2b3c4e5f60";

/// Sends a registration, and closes the connection as soon as the server has read it.
fn register_and_hang_up(arena: &Arena) {
    let message = json!({"owner": "ann", "name": "bot", "requestId": REQUEST}).to_string();
    let head = format!(
        "POST /azulejo.arena.v1.BotsService/RegisterBot HTTP/1.1\r\nhost: azulejo.test\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        message.len()
    );
    let mut stream = TcpStream::connect(arena.public).unwrap();
    stream.write_all(&[head.as_bytes(), message.as_bytes()].concat()).unwrap();
    // The bot is registered, but the response with its token is not read.
    let bot = json!({"bot": "ann/bot"});
    for _ in 0..200 {
        if http::ask(arena.public, "BotsService/GetBot", "", &bot).status == 200 {
            stream.shutdown(Shutdown::Both).unwrap();
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the bot was never registered");
}

fn registration(request_id: &str) -> pb::RegisterBotRequest {
    pb::RegisterBotRequest {
        owner: "ann".to_owned(),
        name: "bot".to_owned(),
        invitation: String::new(),
        request_id: request_id.to_owned(),
    }
}

#[tokio::test]
async fn a_registration_whose_response_was_lost_is_repeated_and_its_token_works() {
    let mut arena = Arena::start(&[]);
    register_and_hang_up(&arena);
    // Also if the server was killed before it answered.
    arena.restart();

    let mut bots = BotsServiceClient::new(channel(arena.url()).await);
    let again = bots.register_bot(registration(REQUEST)).await.unwrap().into_inner();

    assert_eq!(again.bot.unwrap().id, "ann/bot");
    let ann = ScriptedBot { id: "ann/bot".to_owned(), ..ScriptedBot::new(&arena, "zoe/bot").await };
    let ann = ScriptedBot { token: again.token, owner_token: again.owner_token.clone(), ..ann };
    assert_eq!(ann.open(offer(2, Bullet)).await.snapshot().await.bot, "ann/bot");
    let more = bearer(pb::CreateTokenRequest { bot: "ann/bot".to_owned() }, &again.owner_token);
    bots.create_token(more).await.expect("the owner's token works too");
    let listed = bots.list_bots(pb::ListBotsRequest::default()).await.unwrap().into_inner();
    let names: Vec<_> = listed.bots.iter().map(|bot| bot.id.as_str()).collect();
    assert_eq!(names.iter().filter(|name| **name == "ann/bot").count(), 1, "{names:?}");
}

#[tokio::test]
async fn without_the_same_request_id_the_name_is_taken() {
    let arena = Arena::start(&[]);
    register_and_hang_up(&arena);
    let mut bots = BotsServiceClient::new(channel(arena.url()).await);
    let other = "00000000-0000-4000-8000-000000000000";
    for id in ["", other] {
        let refused = bots.register_bot(registration(id)).await;
        assert_refused(refused, Code::AlreadyExists, "OWNER_TAKEN");
    }
    for id in ["1", "6F1C2A34-9B0D-4E57-8A61-0D2B3C4E5F60", "6f1c2a34-9b0d-1e57-8a61-0d2b3c4e5f60"]
    {
        let refused = bots.register_bot(registration(id)).await;
        assert_refused(refused, Code::InvalidArgument, "BAD_REQUEST_ID");
    }
    let reused = pb::RegisterBotRequest { owner: "bob".to_owned(), ..registration(REQUEST) };
    assert_refused(bots.register_bot(reused).await, Code::AlreadyExists, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn a_repeated_challenge_starts_no_second_match() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let _events = ann.open(pb::Offer { plays_ladder: Some(false), ..offer(2, Bullet) }).await;
    let challenge = || pb::CreateChallengeRequest {
        ruleset: Some(azul(2)),
        time_class: Bullet.into(),
        opponents: vec![pb::Opponent { opponent: Some(Named::House("greedy".to_owned())) }],
        seat: 0,
        request_id: REQUEST.to_owned(),
    };
    let mut client = ChallengesServiceClient::new(ann.channel.clone());
    let first = client.create_challenge(bearer(challenge(), &ann.token)).await.unwrap();
    let again = client.create_challenge(bearer(challenge(), &ann.token)).await.unwrap();
    let id = |answer: tonic::Response<pb::CreateChallengeResponse>| {
        answer.into_inner().r#match.unwrap().id
    };
    let first = id(first);
    assert_eq!(first, id(again));
    assert_eq!(listed(&ann.channel, "ann/bot").await.len(), 1);
    ann.resign(&first).await.unwrap();
    let after = client.create_challenge(bearer(challenge(), &ann.token)).await.unwrap();
    assert_eq!(id(after), first, "also after its end");
    let other = pb::CreateChallengeRequest { seat: 1, ..challenge() };
    let refused = client.create_challenge(bearer(other, &ann.token)).await;
    assert_refused(refused, Code::AlreadyExists, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn a_request_of_an_owner_cannot_be_repeated_without_the_owners_token() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/first").await;
    let mut bots = BotsServiceClient::new(ann.channel.clone());
    let second = || pb::RegisterBotRequest { name: "second".to_owned(), ..registration(REQUEST) };
    let made = bots.register_bot(bearer(second(), &ann.owner_token)).await.unwrap().into_inner();
    assert!(made.owner_token.is_empty(), "the owner has a token");

    let stolen = bots.register_bot(second()).await;
    assert_refused(stolen, Code::AlreadyExists, "OWNER_TAKEN");
    let again = bots.register_bot(bearer(second(), &ann.owner_token)).await.unwrap().into_inner();
    assert_eq!((again.bot.unwrap().id.as_str(), &*again.owner_token), ("ann/second", ""));
}
