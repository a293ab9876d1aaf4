//! Callers of one class cannot take the places of another.

use std::net::SocketAddr;

use azulejo_tests::process::{ANY_PORTS, azulejo};
use azulejo_tests::waiting::{PATIENCE, until_async};
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Status};

use crate::grpc::{OpenStream, channel, refusal};
use crate::http1;
use crate::process::Server;

/// An arena, and the token of a bot.
struct Arena {
    server: Server,
    token: String,
    _store: TempDir,
}

const PACKAGE: &str = "/azulejo.arena.v1.";

fn call(address: SocketAddr, method: &str, token: &str, message: &Value) -> http1::Response {
    let bearer = format!("Bearer {token}");
    let headers = [("content-type", "application/json"), ("authorization", &*bearer)];
    let headers = if token.is_empty() { &headers[..1] } else { &headers[..] };
    let target = format!("{PACKAGE}{method}");
    http1::request(address, "POST", target, headers, message.to_string().as_bytes())
}

impl Arena {
    fn start(flags: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("store.db");
        let fixed = ["arena", "--store", store.to_str().unwrap()];
        let server = Server::of(azulejo(&[&fixed[..], &ANY_PORTS, flags].concat()));
        let bot = json!({"owner": "ann", "name": "bot"});
        let registered = call(server.public, "BotsService/RegisterBot", "", &bot);
        assert_eq!(registered.status, 200, "{registered:?}");
        let token = registered.json()["token"].as_str().unwrap().to_owned();
        Self { server, token, _store: folder }
    }

    /// The HTTP status of a cheap call of the bot.
    fn bot_call(&self) -> u16 {
        call(self.server.public, "PlayService/Heartbeat", &self.token, &json!({"ping": "1"})).status
    }

    fn anonymous_call(&self) -> u16 {
        call(self.server.public, "LadderService/ListPools", "", &json!({})).status
    }

    /// Opens streams without a token until one is refused.
    async fn fill(&self, most: usize) -> (Vec<OpenStream>, Status) {
        let channel: Channel = channel(self.server.url()).await;
        let mut open = Vec::new();
        loop {
            match OpenStream::open(channel.clone(), None).await {
                Ok(stream) => open.push(stream),
                Err(refused) => return (open, refused),
            }
            assert!(open.len() <= most, "no stream is refused");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_without_a_token_take_no_place_of_a_bot_and_of_other_calls() {
    let arena = Arena::start(&["--max-calls", "16", "--max-calls-per-peer", "100"]);
    let (open, refused) = arena.fill(16).await;
    assert_eq!(open.len(), 16);
    assert_eq!(refusal(&refused), (Code::ResourceExhausted, "OVERLOADED".to_owned()));
    for _ in 0..10 {
        assert_ne!(arena.bot_call(), 429);
        assert_eq!(arena.anonymous_call(), 200);
    }
    drop(open);
    until_async("a place is free again", PATIENCE, async || {
        let channel = channel(arena.server.url()).await;
        OpenStream::open(channel, None).await.ok()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_a_token_has_only_a_share_of_the_places() {
    let arena = Arena::start(&["--max-calls", "16"]);
    let (open, refused) = arena.fill(16).await;
    assert_eq!(open.len(), 2, "an eighth");
    assert_eq!(refusal(&refused), (Code::ResourceExhausted, "OVERLOADED".to_owned()));
    assert_ne!(arena.bot_call(), 429, "bots have no limit by address");
}
