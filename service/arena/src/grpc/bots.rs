//! Bots, their owners and their tokens.

use azulejo_wire::served::arena as pb;
use pb::bots_service_server::BotsService;
use tonic::{Request, Response};

use super::{Answered, Services, message, pages, read, status};
use crate::command::{Authority, CreateToken, RegisterBot, RegisteredBot, ResumeBot, RevokeToken};
use crate::names::BotId;
use crate::record::Bytes32;

#[tonic::async_trait]
impl BotsService for Services {
    async fn register_bot(
        &self,
        request: Request<pb::RegisterBotRequest>,
    ) -> Answered<pb::RegisterBotResponse> {
        let by = self.maybe_owner(&request)?;
        let pb::RegisterBotRequest { owner, name, invitation, request_id } = request.into_inner();
        let owner = read::name("owner", &owner)?;
        let bot = BotId::new(&owner, &name).map_err(|bad| status::bad_name("name", bad))?;
        let code = Some(invitation.trim()).filter(|code| !code.is_empty());
        let invitation = code.map(|code| Bytes32::hash_of(code.as_bytes()));
        let purpose = if by.is_some() { "bot" } else { "owner" };
        let request = read::request_id(purpose, &request_id)?;
        let registered = self.call(RegisterBot { by, bot, invitation, request }).await?;
        let RegisteredBot { bot, token, owner_token } = registered;
        Ok(Response::new(pb::RegisterBotResponse {
            bot: Some(message::bot(&bot)),
            token,
            owner_token: owner_token.unwrap_or_default(),
        }))
    }

    async fn get_bot(&self, request: Request<pb::GetBotRequest>) -> Answered<pb::GetBotResponse> {
        let bot: BotId = read::name("bot", &request.into_inner().bot)?;
        let found = self.arena.view().bot(&bot).ok_or_else(|| status::no_such_bot(bot))?;
        Ok(Response::new(pb::GetBotResponse { bot: Some(message::bot(&found)) }))
    }

    async fn list_bots(
        &self,
        request: Request<pb::ListBotsRequest>,
    ) -> Answered<pb::ListBotsResponse> {
        let pb::ListBotsRequest { page_size, page_token } = request.into_inner();
        let after = match page_token.as_str() {
            "" => None,
            token => Some(read::name("page_token", token)?),
        };
        let most = pages::size(page_size) as usize;
        let (bots, more) = self.arena.view().bots(after.as_ref(), most);
        let last = bots.last().filter(|_| more);
        let next_page_token = last.map(|bot| bot.id.to_string()).unwrap_or_default();
        let bots = bots.iter().map(message::bot).collect();
        Ok(Response::new(pb::ListBotsResponse { bots, next_page_token }))
    }

    async fn create_token(
        &self,
        request: Request<pb::CreateTokenRequest>,
    ) -> Answered<pb::CreateTokenResponse> {
        let by = self.owner(&request)?;
        let bot = read::name("bot", &request.into_inner().bot)?;
        let token = self.call(CreateToken { by, bot }).await?;
        Ok(Response::new(pb::CreateTokenResponse { token }))
    }

    async fn list_tokens(
        &self,
        request: Request<pb::ListTokensRequest>,
    ) -> Answered<pb::ListTokensResponse> {
        let of = match self.owner_or_admin(&request)? {
            Authority::Owner(owner) => Some(owner),
            Authority::Organiser(_) => None,
        };
        let pb::ListTokensRequest { page_size, page_token } = request.into_inner();
        let page = pages::Ascending::of(page_size, &page_token)?;
        let found = self.arena.store().tokens(of.as_ref(), page.after, page.query()).await;
        let found = found.map_err(|error| status::store(&error))?;
        let (found, next_page_token) = page.split(found, |token| token.number);
        let tokens = found.iter().map(message::token).collect();
        Ok(Response::new(pb::ListTokensResponse { tokens, next_page_token }))
    }

    async fn revoke_token(
        &self,
        request: Request<pb::RevokeTokenRequest>,
    ) -> Answered<pb::RevokeTokenResponse> {
        let by = self.owner_or_admin(&request)?;
        let token = request.into_inner().token;
        self.call(RevokeToken { by, token }).await?;
        Ok(Response::new(pb::RevokeTokenResponse {}))
    }

    async fn resume_bot(
        &self,
        request: Request<pb::ResumeBotRequest>,
    ) -> Answered<pb::ResumeBotResponse> {
        let by = self.owner_or_admin(&request)?;
        let bot = read::name("bot", &request.into_inner().bot)?;
        let bot = self.call(ResumeBot { by, bot }).await?;
        Ok(Response::new(pb::ResumeBotResponse { bot: Some(message::bot(&bot)) }))
    }
}
