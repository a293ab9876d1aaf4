//! What an organiser may do.

use azulejo_wire::served::arena as pb;
use pb::admin_service_server::AdminService;
use tonic::{Request as Call, Response};

use super::{Answered, Services, read, status};
use crate::hall::{Answer, Request};

#[tonic::async_trait]
impl AdminService for Services {
    async fn create_invitation(
        &self,
        call: Call<pb::CreateInvitationRequest>,
    ) -> Answered<pb::CreateInvitationResponse> {
        self.admin(&call)?;
        let Answer::Invitation(invitation) = self.ask(Request::Invite).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::CreateInvitationResponse { invitation }))
    }

    async fn pause_bot(&self, call: Call<pb::PauseBotRequest>) -> Answered<pb::PauseBotResponse> {
        self.admin(&call)?;
        let pb::PauseBotRequest { bot, note } = call.into_inner();
        let bot = read::name("bot", &bot)?;
        let note = read::sentence("note", note)?;
        let Answer::Bot(bot) = self.ask(Request::Pause { bot, note }).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::PauseBotResponse { bot: Some(bot) }))
    }

    async fn void_match(
        &self,
        call: Call<pb::VoidMatchRequest>,
    ) -> Answered<pb::VoidMatchResponse> {
        self.admin(&call)?;
        let pb::VoidMatchRequest { match_id, note } = call.into_inner();
        let id = read::name("match_id", &match_id)?;
        let note = read::sentence("note", note)?;
        let Answer::Voided(voided) = self.ask(Request::Void { id, note }).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::VoidMatchResponse { r#match: Some(voided) }))
    }
}
