//! Registrations, of the abusers and as abuse.

use anyhow::{Context as _, Result};
use azulejo_sdk::arena::bots_service_client::BotsServiceClient;
use azulejo_sdk::arena::play_service_client::PlayServiceClient;
use azulejo_sdk::arena::{Hello, PlayRequest, RegisterBotRequest, RegisterBotResponse};
use tonic::Request;
use tonic::transport::Channel;

use super::{Abuse, Abuser, Tally};

/// Versions that a bot tries to declare: more than it may in a day.
const VERSIONS: u32 = 30;

pub(super) fn with_token<T>(message: T, token: &str) -> Result<Request<T>> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {token}").parse().context("an invalid token")?;
    request.metadata_mut().insert("authorization", bearer);
    Ok(request)
}

fn random_name() -> Result<String> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).context("the operating system gave no random bytes")?;
    Ok(format!("abuse-{:016x}", u64::from_le_bytes(random)))
}

async fn register(
    channel: &Channel,
    owner: &str,
    name: &str,
    owner_token: &str,
) -> Result<RegisterBotResponse> {
    let (owner, name) = (owner.to_owned(), name.to_owned());
    let message = RegisterBotRequest { owner, name, ..RegisterBotRequest::default() };
    let request = match owner_token {
        "" => Request::new(message),
        token => with_token(message, token)?,
    };
    let mut client = BotsServiceClient::new(channel.clone());
    Ok(client.register_bot(request).await.context("cannot register")?.into_inner())
}

/// The tokens of the bots that this abuse needs.
pub(super) async fn tokens(abuse: Abuse, url: &str) -> Result<Vec<String>> {
    let is_one_owner = match abuse {
        Abuse::GhostsOfOneOwner => true,
        Abuse::GhostsOfManyOwners | Abuse::Challenges => false,
        Abuse::UnreadWatchers
        | Abuse::HeavyCalls
        | Abuse::IdleConnections
        | Abuse::Accounts
        | Abuse::SlowReaders => return Ok(Vec::new()),
    };
    let channel = azulejo_sdk::connect(azulejo_sdk::endpoint(url)?).await?;
    let mut tokens = Vec::new();
    let (mut owner, mut owner_token) = (random_name()?, String::new());
    for number in 0..abuse.clients() {
        let answer = register(&channel, &owner, &number.to_string(), &owner_token).await?;
        tokens.push(answer.token);
        if is_one_owner {
            owner_token = if owner_token.is_empty() { answer.owner_token } else { owner_token };
        } else {
            owner = random_name()?;
        }
    }
    Ok(tokens)
}

/// Registers owners without end, and declares versions of their bots.
pub(super) async fn flood(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let channel = azulejo_sdk::connect(abuser.endpoint()?).await?;
    loop {
        let registered = register(&channel, &random_name()?, "bot", "").await?;
        tally.answer();
        for version in 0..VERSIONS {
            let hello = Hello { version: version.to_string(), ..abuser.hello.clone() };
            let request = with_token(PlayRequest { hello: Some(hello) }, &registered.token)?;
            match PlayServiceClient::new(channel.clone()).play(request).await {
                Ok(_stream) => tally.answer(),
                Err(refused) => tally.refuse(&refused.into()),
            }
        }
    }
}
