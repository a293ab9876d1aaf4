//! Who is how good.

use azulejo_wire::served::arena as pb;
use pb::ladder_service_server::LadderService;
use tonic::{Request as Call, Response};

use super::{Answered, Services, pages, read, status};
use crate::hall::{Answer, Request};

#[tonic::async_trait]
impl LadderService for Services {
    async fn list_pools(
        &self,
        _call: Call<pb::ListPoolsRequest>,
    ) -> Answered<pb::ListPoolsResponse> {
        let Answer::Pools(pools) = self.ask(Request::Pools).await? else {
            return Err(status::confused());
        };
        Ok(Response::new(pb::ListPoolsResponse { pools }))
    }

    async fn get_ladder(
        &self,
        call: Call<pb::GetLadderRequest>,
    ) -> Answered<pb::GetLadderResponse> {
        let pb::GetLadderRequest { pool, page_size, page_token } = call.into_inner();
        let pool = read::pool("pool", &pool)?;
        let skip = pages::number(&page_token)?.unwrap_or_default();
        let skip = usize::try_from(skip).unwrap_or(usize::MAX / 2).min(usize::MAX / 2);
        let most = pages::size(page_size) as usize;
        let Answer::Ladder(entries, more) = self.ask(Request::Ladder { pool, skip, most }).await?
        else {
            return Err(status::confused());
        };
        let next = more.then(|| (skip + most).to_string());
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(pb::GetLadderResponse { entries, next_page_token }))
    }
}
