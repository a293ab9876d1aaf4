//! Tasks that a running server does.

use anyhow::{Context, Result, anyhow};
use azulejo_sdk::arena as pb;
use azulejo_sdk::arena::admin_service_client::AdminServiceClient;
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::Remote;

async fn client(remote: &Remote) -> Result<AdminServiceClient<Channel>> {
    let channel = azulejo_sdk::endpoint(&remote.server)?.connect().await;
    let channel = channel.with_context(|| format!("{} does not answer", remote.server))?;
    Ok(AdminServiceClient::new(channel))
}

fn call<T>(remote: &Remote, message: T) -> Result<Request<T>> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {}", remote.token);
    let bearer = bearer.parse().map_err(|_| anyhow!("the token holds strange characters"))?;
    request.metadata_mut().insert("authorization", bearer);
    Ok(request)
}

fn refused(status: &Status) -> anyhow::Error {
    let reason = azulejo_sdk::reason(status).unwrap_or_default();
    anyhow!("the server refuses: {} ({reason})", status.message())
}

pub(super) async fn invite(remote: &Remote) -> Result<()> {
    let request = call(remote, pb::CreateInvitationRequest {})?;
    let answer = client(remote)
        .await?
        .create_invitation(request)
        .await
        .map_err(|status| refused(&status))?;
    say!("{}", answer.into_inner().invitation);
    Ok(())
}

pub(super) async fn pause(remote: &Remote, bot: String, reason: String) -> Result<()> {
    let request = call(remote, pb::PauseBotRequest { bot: bot.clone(), reason })?;
    client(remote).await?.pause_bot(request).await.map_err(|status| refused(&status))?;
    say!("{bot} gets no more matches until its owner resumes it");
    Ok(())
}

pub(super) async fn void(remote: &Remote, match_id: String, reason: String) -> Result<()> {
    let request = call(remote, pb::VoidMatchRequest { match_id: match_id.clone(), reason })?;
    client(remote).await?.void_match(request).await.map_err(|status| refused(&status))?;
    say!("{match_id} is called off");
    Ok(())
}
