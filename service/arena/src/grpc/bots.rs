//! Bots, their owners and their tokens.

use azulejo_wire::served::arena as pb;
use pb::bots_service_server::BotsService;
use tonic::{Request as Call, Response};

use super::{Answered, Services, pages, read, status};
use crate::hall::{Answer, Request};
use crate::names::BotId;
use crate::record::Bytes32;

#[tonic::async_trait]
impl BotsService for Services {
    async fn register_bot(
        &self,
        call: Call<pb::RegisterBotRequest>,
    ) -> Answered<pb::RegisterBotResponse> {
        let by = self.maybe_owner(&call)?;
        let pb::RegisterBotRequest { owner, name, invitation, request_id } = call.into_inner();
        let owner = read::name("owner", &owner)?;
        BotId::new(&owner, &name).map_err(|problem| status::bad_name("name", problem))?;
        let code = Some(invitation.trim()).filter(|code| !code.is_empty());
        let invitation = code.map(|code| Bytes32::hash_of(code.as_bytes()));
        let purpose = if by.is_some() { "bot" } else { "owner" };
        let request = read::request_id(purpose, &request_id)?;
        let Answer::Registered(registered) =
            self.ask(Request::Register { by, owner, name, invitation, request }).await?
        else {
            return Err(status::confused());
        };
        Ok(Response::new(registered))
    }

    async fn get_bot(&self, call: Call<pb::GetBotRequest>) -> Answered<pb::GetBotResponse> {
        let bot = read::name("bot", &call.into_inner().bot)?;
        let Answer::Bot(bot) = self.ask(Request::Bot { bot }).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::GetBotResponse { bot: Some(bot) }))
    }

    async fn list_bots(&self, call: Call<pb::ListBotsRequest>) -> Answered<pb::ListBotsResponse> {
        let pb::ListBotsRequest { page_size, page_token } = call.into_inner();
        let after = match page_token.as_str() {
            "" => None,
            token => Some(read::name("page_token", token)?),
        };
        let most = pages::size(page_size) as usize;
        let Answer::Bots(bots, more) = self.ask(Request::Bots { after, most }).await? else {
            return Err(status::confused());
        };
        let last = bots.last().filter(|_| more);
        let next_page_token = last.map(|bot| bot.id.clone()).unwrap_or_default();
        Ok(Response::new(pb::ListBotsResponse { bots, next_page_token }))
    }

    async fn create_token(
        &self,
        call: Call<pb::CreateTokenRequest>,
    ) -> Answered<pb::CreateTokenResponse> {
        let by = self.owner(&call)?;
        let bot = read::name("bot", &call.into_inner().bot)?;
        let Answer::Token(token) = self.ask(Request::CreateToken { by, bot }).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::CreateTokenResponse { token }))
    }

    async fn revoke_token(
        &self,
        call: Call<pb::RevokeTokenRequest>,
    ) -> Answered<pb::RevokeTokenResponse> {
        let by = self.owner_or_admin(&call)?;
        let public = call.into_inner().token;
        self.ask(Request::Revoke { by, public }).await?;
        Ok(Response::new(pb::RevokeTokenResponse {}))
    }

    async fn resume_bot(
        &self,
        call: Call<pb::ResumeBotRequest>,
    ) -> Answered<pb::ResumeBotResponse> {
        let by = self.owner(&call)?;
        let bot = read::name("bot", &call.into_inner().bot)?;
        let Answer::Bot(bot) = self.ask(Request::Resume { by, bot }).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::ResumeBotResponse { bot: Some(bot) }))
    }
}
