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
        match self.ask(Request::Invite).await? {
            Answer::Invitation(invitation) => {
                Ok(Response::new(pb::CreateInvitationResponse { invitation }))
            }
            _ => Err(status::confused()),
        }
    }

    async fn pause_bot(&self, call: Call<pb::PauseBotRequest>) -> Answered<pb::PauseBotResponse> {
        self.admin(&call)?;
        let pb::PauseBotRequest { bot, reason } = call.into_inner();
        let bot = read::name("bot", &bot)?;
        let reason = read::sentence("reason", reason)?;
        match self.ask(Request::Pause { bot, reason }).await? {
            Answer::Bot(bot) => Ok(Response::new(pb::PauseBotResponse { bot: Some(bot) })),
            _ => Err(status::confused()),
        }
    }

    async fn void_match(
        &self,
        call: Call<pb::VoidMatchRequest>,
    ) -> Answered<pb::VoidMatchResponse> {
        self.admin(&call)?;
        let pb::VoidMatchRequest { match_id, reason } = call.into_inner();
        let id = read::name("match_id", &match_id)?;
        let reason = read::sentence("reason", reason)?;
        match self.ask(Request::Void { id, reason }).await? {
            Answer::Voided(voided) => {
                Ok(Response::new(pb::VoidMatchResponse { r#match: Some(voided) }))
            }
            _ => Err(status::confused()),
        }
    }
}
