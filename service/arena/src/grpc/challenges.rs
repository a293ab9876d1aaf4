//! Matches now, unrated.

use azulejo_wire::served::arena as pb;
use pb::challenges_service_server::ChallengesService;
use tonic::{Request as Call, Response, Status};

use super::{Answered, Services, read, status};
use crate::hall::{Answer, Opponent, Request};

/// A table has four seats at most.
const MOST_OPPONENTS: usize = 3;

#[tonic::async_trait]
impl ChallengesService for Services {
    async fn create_challenge(
        &self,
        call: Call<pb::CreateChallengeRequest>,
    ) -> Answered<pb::CreateChallengeResponse> {
        let by = self.bot(&call)?;
        let pb::CreateChallengeRequest { ruleset, time_class, opponents, seat, request_id } =
            call.into_inner();
        read::at_most("opponents", &opponents, MOST_OPPONENTS)?;
        let request = read::request_id("challenge", &request_id)?;
        let ruleset = read::ruleset("ruleset", ruleset)?;
        let time_class = read::time_class("time_class", time_class)?;
        let opponents: Result<Vec<Opponent>, Status> = opponents
            .into_iter()
            .enumerate()
            .map(|(index, opponent)| read::opponent(index, opponent))
            .collect();
        let (opponents, seat) = (opponents?, seat as usize);
        let request = Request::Challenge { by, ruleset, time_class, opponents, seat, request };
        #[expect(clippy::wildcard_enum_match_arm, reason = "no other answer is given")]
        let r#match = match self.ask(request).await? {
            Answer::Challenged(called) => Some(called),
            Answer::ChallengedBefore(id) => self.find(&id).await?.r#match,
            _ => return Err(status::confused()),
        };
        Ok(Response::new(pb::CreateChallengeResponse { r#match }))
    }
}
