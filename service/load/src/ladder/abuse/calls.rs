//! Calls without a token: costly ones, and those whose answers are not read.

use std::time::Duration;

use anyhow::{Context as _, Result};
use azulejo_sdk::arena::matches_service_client::MatchesServiceClient;
use azulejo_sdk::arena::{ExportMatchesRequest, WatchMatchRequest};
use azulejo_sdk::calls::engine_service_client::EngineServiceClient;
use azulejo_sdk::calls::{DealOutcomesRequest, NewGameRequest, PlayoutsRequest, new_game_request};
use azulejo_sdk::game::{
    BoardSide, Displays, GameState, Ruleset, Seed, SummerPavilionDisplays, SummerPavilionRules,
    displays, ruleset, seed,
};
use prost::Message as _;
use tokio::task::JoinSet;
use tonic::transport::Channel;

use super::{Abuser, Tally};
use crate::raw::Caller;
use crate::raw::http::HttpCaller;

const EXPAND: &str = "/azulejo.engine.v1.EngineService/Expand";
const NEW_GAME: &str = "/azulejo.engine.v1.EngineService/NewGame";
const PLAYOUTS: &str = "/azulejo.engine.v1.EngineService/Playouts";
const DEAL_OUTCOMES: &str = "/azulejo.engine.v1.EngineService/DealOutcomes";
const EXPORT: &str = "/azulejo.arena.v1.MatchesService/ExportMatches";

/// Streams of one connection.
const STREAMS: usize = 256;
/// Exports of one connection.
const EXPORTS: usize = 64;
/// How long streams stay open that are not read.
const UNREAD: Duration = Duration::from_secs(5);
/// The smallest window of a stream, so that almost nothing of an answer fits into it.
const WINDOW: u32 = 16;

/// Opens streams of running matches and reads nothing of them.
pub(super) async fn watch_without_reading(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let endpoint = abuser.endpoint()?.initial_stream_window_size(WINDOW);
    let client = MatchesServiceClient::new(azulejo_sdk::connect(endpoint).await?);
    let ids = latest_matches(abuser);
    let mut opening = JoinSet::new();
    for number in 0..STREAMS {
        let match_id = ids.get(number % ids.len().max(1)).cloned().unwrap_or_default();
        let mut client = client.clone();
        opening.spawn(async move { client.watch_match(WatchMatchRequest { match_id }).await });
    }
    let mut open = Vec::new();
    while let Some(stream) = opening.join_next().await {
        match stream? {
            Ok(stream) => {
                tally.answer();
                open.push(stream);
            }
            Err(refused) => tally.refuse(&refused.into()),
        }
    }
    tokio::time::sleep(UNREAD).await;
    drop(open);
    Ok(())
}

/// The newest matches of the swarm, which are probably running.
fn latest_matches(abuser: &Abuser) -> Vec<String> {
    let observed = abuser.swarm.observed();
    let matches = &observed.journal.matches;
    let from = matches.len().saturating_sub(64);
    (from..matches.len()).map(|index| matches.text(index as u32).to_owned()).collect()
}

/// Asks for exports and reads nothing of them.
pub(super) async fn export_without_reading(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let endpoint = abuser.endpoint()?.initial_stream_window_size(WINDOW);
    let client = MatchesServiceClient::new(azulejo_sdk::connect(endpoint).await?);
    let mut unread = JoinSet::new();
    for _ in 0..EXPORTS {
        let mut client = client.clone();
        unread.spawn(async move { client.export_matches(ExportMatchesRequest::default()).await });
    }
    let until = tokio::time::Instant::now() + UNREAD;
    while let Ok(Some(answer)) = tokio::time::timeout_at(until, unread.join_next()).await {
        match answer? {
            Ok(_empty) => tally.answer(),
            Err(refused) => tally.refuse(&refused.into()),
        }
    }
    Ok(())
}

fn pavilion() -> Ruleset {
    let side = BoardSide::Colored.into();
    let rules = SummerPavilionRules { version: 1, side, players: 4 };
    Ruleset { game: Some(ruleset::Game::SummerPavilion(rules)) }
}

async fn new_game(channel: Channel, chance: new_game_request::Chance) -> Result<GameState> {
    let request = NewGameRequest { ruleset: Some(pavilion()), start_seat: 0, chance: Some(chance) };
    let game = EngineServiceClient::new(channel).new_game(request).await?.into_inner();
    game.state.context("no state")
}

/// Every client calls one of the costly methods without pause.
pub(super) async fn call_what_is_costly(abuser: &Abuser, tally: &Tally) -> Result<()> {
    if abuser.number % 4 == 3 {
        return expand_as_json(abuser, tally).await;
    }
    let channel = azulejo_sdk::connect(abuser.endpoint()?).await?;
    let caller = Caller::connect(&abuser.url, EXPORT).await?;
    let (mut caller, message) = match abuser.number % 4 {
        0 => (caller, ExportMatchesRequest::default().encode_to_vec()),
        1 => {
            let none = SummerPavilionDisplays { displays: Vec::new() };
            let none = Displays { game: Some(displays::Game::SummerPavilion(none)) };
            let state = new_game(channel, new_game_request::Chance::Displays(none)).await?;
            let request = DealOutcomesRequest { state: Some(state) };
            (caller.method(DEAL_OUTCOMES), request.encode_to_vec())
        }
        _ => {
            let seed = Seed { seed: Some(seed::Seed::Number(7)) };
            let state = new_game(channel, new_game_request::Chance::Seed(seed)).await?;
            let request =
                PlayoutsRequest { state: Some(state), games: 2_000, ..Default::default() };
            (caller.method(PLAYOUTS), request.encode_to_vec())
        }
    };
    let message = bytes::Bytes::from(message);
    loop {
        match caller.call(message.clone()).await {
            Ok(_answer) => tally.answer(),
            Err(refused) => refuse(tally, refused.into()).await,
        }
    }
}

async fn expand_as_json(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let new = HttpCaller::connect(&abuser.url, NEW_GAME).await?;
    let ruleset = r#"{"ruleset":{"summerPavilion":{"side":"BOARD_SIDE_COLORED","players":4}}}"#;
    let game: serde_json::Value = serde_json::from_slice(&new.call(ruleset.as_bytes()).await?)?;
    let request =
        serde_json::json!({ "state": game["state"], "view": "EXPAND_VIEW_STATES" }).to_string();
    let expand = HttpCaller::connect(&abuser.url, EXPAND).await?;
    loop {
        match expand.call(request.as_bytes()).await {
            Ok(_answer) => tally.answer(),
            Err(refused) => refuse(tally, refused).await,
        }
    }
}

/// A client that is refused tries again soon.
async fn refuse(tally: &Tally, refusal: anyhow::Error) {
    tally.refuse(&refusal);
    tokio::time::sleep(Duration::from_millis(5)).await;
}
