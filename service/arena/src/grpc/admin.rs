//! Calls of organisers.

use azulejo_wire::served::arena as pb;
use pb::admin_service_server::AdminService;
use tonic::{Request, Response};

use super::{Answered, Services, message, pages, read, status};
use crate::command::{BanOwner, CreateInvitations, PauseBot, UnbanOwner, VoidedMatch};

#[tonic::async_trait]
impl AdminService for Services {
    async fn create_invitation(
        &self,
        request: Request<pb::CreateInvitationRequest>,
    ) -> Answered<pb::CreateInvitationResponse> {
        let by = self.admin(&request)?;
        let count = read::invitations(request.into_inner().count)?;
        let invitations = self.call(CreateInvitations { by, count }).await?;
        let invitation = invitations.first().cloned().unwrap_or_default();
        Ok(Response::new(pb::CreateInvitationResponse { invitation, invitations }))
    }

    async fn list_invitations(
        &self,
        request: Request<pb::ListInvitationsRequest>,
    ) -> Answered<pb::ListInvitationsResponse> {
        self.admin(&request)?;
        let pb::ListInvitationsRequest { page_size, page_token } = request.into_inner();
        let page = pages::Ascending::of(page_size, &page_token)?;
        let found = self.arena.store().invitations(page.after, page.query()).await;
        let found = found.map_err(|error| status::store(&error))?;
        let (found, next_page_token) = page.split(found, |invitation| invitation.number);
        let invitations = found.iter().map(message::invitation).collect();
        Ok(Response::new(pb::ListInvitationsResponse { invitations, next_page_token }))
    }

    async fn pause_bot(
        &self,
        request: Request<pb::PauseBotRequest>,
    ) -> Answered<pb::PauseBotResponse> {
        let by = self.admin(&request)?;
        let pb::PauseBotRequest { bot, note } = request.into_inner();
        let bot = read::name("bot", &bot)?;
        let note = read::sentence("note", note)?;
        let bot = self.call(PauseBot { by, bot, note }).await?;
        Ok(Response::new(pb::PauseBotResponse { bot: Some(message::bot(&bot)) }))
    }

    async fn ban_owner(
        &self,
        request: Request<pb::BanOwnerRequest>,
    ) -> Answered<pb::BanOwnerResponse> {
        let by = self.admin(&request)?;
        let pb::BanOwnerRequest { owner, note } = request.into_inner();
        let owner = read::name("owner", &owner)?;
        let note = read::sentence("note", note)?;
        self.call(BanOwner { by, owner, note }).await?;
        Ok(Response::new(pb::BanOwnerResponse {}))
    }

    async fn unban_owner(
        &self,
        request: Request<pb::UnbanOwnerRequest>,
    ) -> Answered<pb::UnbanOwnerResponse> {
        let by = self.admin(&request)?;
        let owner = read::name("owner", &request.into_inner().owner)?;
        self.call(UnbanOwner { by, owner }).await?;
        Ok(Response::new(pb::UnbanOwnerResponse {}))
    }

    async fn list_owners(
        &self,
        request: Request<pb::ListOwnersRequest>,
    ) -> Answered<pb::ListOwnersResponse> {
        self.admin(&request)?;
        let pb::ListOwnersRequest { page_size, page_token } = request.into_inner();
        let page = pages::Ascending::of(page_size, &page_token)?;
        let found = self.arena.store().owners(page.after, page.query()).await;
        let found = found.map_err(|error| status::store(&error))?;
        let (found, next_page_token) = page.split(found, |owner| owner.number);
        let owners = found.iter().map(message::owner).collect();
        Ok(Response::new(pb::ListOwnersResponse { owners, next_page_token }))
    }

    async fn void_match(
        &self,
        request: Request<pb::VoidMatchRequest>,
    ) -> Answered<pb::VoidMatchResponse> {
        let by = self.admin(&request)?;
        let pb::VoidMatchRequest { match_id, note } = request.into_inner();
        let id = read::name("match_id", &match_id)?;
        let note = read::sentence("note", note)?;
        let voided = self.arena.void(by, id, note).await;
        let VoidedMatch { run, ended } = voided.map_err(status::not_voided)?;
        let voided = message::match_with_end(&run, Some(ended));
        Ok(Response::new(pb::VoidMatchResponse { r#match: Some(voided) }))
    }

    async fn list_audit(
        &self,
        request: Request<pb::ListAuditRequest>,
    ) -> Answered<pb::ListAuditResponse> {
        self.admin(&request)?;
        let pb::ListAuditRequest { page_size, page_token } = request.into_inner();
        let (before, most) = (pages::number(&page_token)?, pages::size(page_size));
        let found = self.arena.store().audit(before, most + 1).await;
        let mut found = found.map_err(|error| status::store(&error))?;
        let more = found.len() > most as usize;
        found.truncate(most as usize);
        let last = found.last().filter(|_| more);
        let next_page_token = last.map(|(number, _)| number.to_string()).unwrap_or_default();
        let entries = found.iter().map(message::audit_entry).collect();
        Ok(Response::new(pb::ListAuditResponse { entries, next_page_token }))
    }

    async fn list_suspicious_pairs(
        &self,
        request: Request<pb::ListSuspiciousPairsRequest>,
    ) -> Answered<pb::ListSuspiciousPairsResponse> {
        self.admin(&request)?;
        let pb::ListSuspiciousPairsRequest { pool, page_size } = request.into_inner();
        let pool = read::pool("pool", &pool)?;
        let most = pages::size(page_size) as usize;
        let found = self.arena.suspicious_pairs(pool, most).await;
        let (pairs, matches) = found.map_err(|error| status::store(&error))?;
        let pairs = pairs.iter().map(message::suspicious_pair).collect();
        Ok(Response::new(pb::ListSuspiciousPairsResponse { pairs, matches: matches as u64 }))
    }
}
