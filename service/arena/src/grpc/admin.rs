//! Calls of organisers.

use azulejo_wire::served::arena as pb;
use pb::admin_service_server::AdminService;
use tonic::{Request, Response};

use super::{Answered, Services, message, read};
use crate::command::{CreateInvitation, PauseBot, VoidMatch};

#[tonic::async_trait]
impl AdminService for Services {
    async fn create_invitation(
        &self,
        request: Request<pb::CreateInvitationRequest>,
    ) -> Answered<pb::CreateInvitationResponse> {
        self.admin(&request)?;
        let invitation = self.call(CreateInvitation).await?;
        Ok(Response::new(pb::CreateInvitationResponse { invitation }))
    }

    async fn pause_bot(
        &self,
        request: Request<pb::PauseBotRequest>,
    ) -> Answered<pb::PauseBotResponse> {
        self.admin(&request)?;
        let pb::PauseBotRequest { bot, note } = request.into_inner();
        let bot = read::name("bot", &bot)?;
        let note = read::sentence("note", note)?;
        let bot = self.call(PauseBot { bot, note }).await?;
        Ok(Response::new(pb::PauseBotResponse { bot: Some(message::bot(&bot)) }))
    }

    async fn void_match(
        &self,
        request: Request<pb::VoidMatchRequest>,
    ) -> Answered<pb::VoidMatchResponse> {
        self.admin(&request)?;
        let pb::VoidMatchRequest { match_id, note } = request.into_inner();
        let id = read::name("match_id", &match_id)?;
        let note = read::sentence("note", note)?;
        let (voided, at) = self.call(VoidMatch { id, note }).await?;
        let voided = message::match_with_end(&voided, Some(at));
        Ok(Response::new(pb::VoidMatchResponse { r#match: Some(voided) }))
    }
}
