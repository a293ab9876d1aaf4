//! Tasks that need a running server.

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::names::public_part;
use azulejo_sdk::arena as pb;
use azulejo_sdk::arena::admin_service_client::AdminServiceClient;
use azulejo_sdk::arena::bots_service_client::BotsServiceClient;
use azulejo_sdk::arena::ladder_service_client::LadderServiceClient;
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::Remote;

/// The public part of every token in a store is shorter.
const MAX_PUBLIC_BYTES: usize = 20;

pub(super) async fn client(remote: &Remote) -> Result<AdminServiceClient<Channel>> {
    Ok(AdminServiceClient::new(channel(remote).await?))
}

pub(super) async fn bots_client(remote: &Remote) -> Result<BotsServiceClient<Channel>> {
    Ok(BotsServiceClient::new(channel(remote).await?))
}

async fn channel(remote: &Remote) -> Result<Channel> {
    let channel = azulejo_sdk::connect(azulejo_sdk::endpoint(&remote.server)?).await;
    channel.with_context(|| format!("cannot connect to {}", remote.server))
}

pub(super) fn call<T>(remote: &Remote, message: T) -> Result<Request<T>> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {}", remote.token);
    let bearer = bearer.parse().map_err(|_| anyhow!("the token contains invalid characters"))?;
    request.metadata_mut().insert("authorization", bearer);
    Ok(request)
}

pub(super) fn refused(status: &Status) -> anyhow::Error {
    let reason = azulejo_sdk::reason(status).unwrap_or_default();
    anyhow!("the server refused the call: {} ({reason})", status.message())
}

pub(super) async fn invite(remote: &Remote, count: u32) -> Result<()> {
    let request = call(remote, pb::CreateInvitationRequest { count })?;
    let answer = client(remote)
        .await?
        .create_invitation(request)
        .await
        .map_err(|status| refused(&status))?;
    for code in answer.into_inner().invitations {
        say!("{code}");
    }
    Ok(())
}

pub(super) async fn pause(remote: &Remote, bot: String, note: String) -> Result<()> {
    let request = call(remote, pb::PauseBotRequest { bot: bot.clone(), note })?;
    client(remote).await?.pause_bot(request).await.map_err(|status| refused(&status))?;
    say!("{bot} is paused until an organiser resumes it");
    Ok(())
}

pub(super) async fn resume(remote: &Remote, bot: String) -> Result<()> {
    let request = call(remote, pb::ResumeBotRequest { bot: bot.clone() })?;
    bots_client(remote).await?.resume_bot(request).await.map_err(|status| refused(&status))?;
    say!("{bot} is resumed");
    Ok(())
}

pub(super) async fn ban(remote: &Remote, owner: String, note: String) -> Result<()> {
    let request = call(remote, pb::BanOwnerRequest { owner: owner.clone(), note })?;
    client(remote).await?.ban_owner(request).await.map_err(|status| refused(&status))?;
    say!("{owner} is banned until `azulejo admin unban {owner}`");
    Ok(())
}

pub(super) async fn unban(remote: &Remote, owner: String) -> Result<()> {
    let request = call(remote, pb::UnbanOwnerRequest { owner: owner.clone() })?;
    client(remote).await?.unban_owner(request).await.map_err(|status| refused(&status))?;
    say!("{owner} is not banned");
    Ok(())
}

/// The names of the pools in which rated matches were played.
pub(super) async fn pools(remote: &Remote) -> Result<Vec<String>> {
    let mut ladder = LadderServiceClient::new(channel(remote).await?);
    let pools = ladder.list_pools(pb::ListPoolsRequest {}).await;
    let pools = pools.map_err(|status| refused(&status))?.into_inner().pools;
    Ok(pools.into_iter().filter_map(|info| Some(info.pool?.name)).collect())
}

pub(super) async fn void(remote: &Remote, match_id: String, note: String) -> Result<()> {
    let request = call(remote, pb::VoidMatchRequest { match_id: match_id.clone(), note })?;
    client(remote).await?.void_match(request).await.map_err(|status| refused(&status))?;
    say!("{match_id} is voided");
    Ok(())
}

pub(super) async fn revoke(remote: &Remote, token: &str) -> Result<()> {
    // The secret part is not needed, so it is not sent.
    let public = public_part(token);
    if public.len() > MAX_PUBLIC_BYTES {
        bail!(
            "this token is not in the store; to replace a token from --admin-token-file, restart \
             the server with another file"
        );
    }
    let request = call(remote, pb::RevokeTokenRequest { token: public.to_owned() })?;
    bots_client(remote).await?.revoke_token(request).await.map_err(|status| refused(&status))?;
    say!("{public} is revoked");
    Ok(())
}
