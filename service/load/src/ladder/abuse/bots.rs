//! Bots that do not want to play.

use anyhow::{Context as _, Result};
use azulejo_sdk::arena::challenges_service_client::ChallengesServiceClient;
use azulejo_sdk::arena::opponent::Opponent as Named;
use azulejo_sdk::arena::play_event::Event;
use azulejo_sdk::arena::play_service_client::PlayServiceClient;
use azulejo_sdk::arena::{
    CreateChallengeRequest, HeartbeatRequest, Hello, Offer, Opponent, PlayRequest, PlayResponse,
    ReadyRequest, ResignRequest, TimeClass,
};
use azulejo_sdk::game::{AzulRules, BoardSide, Ruleset, ruleset};
use tonic::Streaming;
use tonic::transport::Channel;

use super::accounts::with_token;
use super::{Abuser, Tally};

async fn open(abuser: &Abuser, hello: Hello) -> Result<(Channel, Streaming<PlayResponse>)> {
    let channel = azulejo_sdk::connect(abuser.endpoint()?).await?;
    let request = with_token(PlayRequest { hello: Some(hello) }, &abuser.token)?;
    let stream = PlayServiceClient::new(channel.clone()).play(request).await;
    Ok((channel, stream.context("cannot open a stream")?.into_inner()))
}

/// Answers pings, and nothing else.
pub(super) async fn haunt(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let (channel, mut events) = open(abuser, abuser.hello.clone()).await?;
    while let Some(PlayResponse { event: Some(event) }) = events.message().await? {
        if let Some(Event::Ping(ping)) = event.event {
            let beat = HeartbeatRequest { ping: ping.number, ..HeartbeatRequest::default() };
            PlayServiceClient::new(channel.clone())
                .heartbeat(with_token(beat, &abuser.token)?)
                .await?;
            tally.answer();
        }
    }
    Ok(())
}

/// Has the server play whole games for nothing.
pub(super) async fn challenge_and_resign(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let offer = Offer { plays_ladder: Some(false), ..Offer::default() };
    let hello = Hello { offer: Some(offer), ..abuser.hello.clone() };
    let (channel, _events) = open(abuser, hello).await?;
    let mut play = PlayServiceClient::new(channel.clone());
    let mut challenges = ChallengesServiceClient::new(channel);
    let greedy = Opponent { opponent: Some(Named::House("greedy".to_owned())) };
    let side = BoardSide::Colored.into();
    let rules = AzulRules { version: 1, side, players: 4, round_limit: 0 };
    let request = CreateChallengeRequest {
        ruleset: Some(Ruleset { game: Some(ruleset::Game::Azul(rules)) }),
        time_class: TimeClass::Bullet.into(),
        opponents: vec![greedy; 3],
        ..CreateChallengeRequest::default()
    };
    loop {
        let created = challenges.create_challenge(with_token(request.clone(), &abuser.token)?);
        let created = created.await.context("no challenge")?.into_inner();
        let match_id = created.r#match.context("no match")?.id;
        let ready = ReadyRequest { match_id: match_id.clone(), nonce: vec![7; 32] };
        play.ready(with_token(ready, &abuser.token)?).await.context("not ready")?;
        let resign = ResignRequest { match_id };
        play.resign(with_token(resign, &abuser.token)?).await.context("not resigned")?;
        tally.answer();
    }
}
