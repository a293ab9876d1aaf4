//! Unrated matches against opponents of a bot's choice.

use azulejo_wire::served::arena as pb;
use pb::challenges_service_server::ChallengesService;
use tonic::{Request, Response, Status};

use super::{Answered, Services, message, read};
use crate::command::{CreateChallenge, CreatedChallenge, Opponent};
use crate::pool::Pool;

#[tonic::async_trait]
impl ChallengesService for Services {
    async fn create_challenge(
        &self,
        request: Request<pb::CreateChallengeRequest>,
    ) -> Answered<pb::CreateChallengeResponse> {
        let by = self.bot(&request)?;
        let pb::CreateChallengeRequest { ruleset, time_class, opponents, seat, request_id } =
            request.into_inner();
        let request = read::request_id("challenge", &request_id)?;
        let ruleset = read::ruleset("ruleset", ruleset)?;
        let time_class = read::time_class("time_class", time_class)?;
        let opponents: Result<Vec<Opponent>, Status> = opponents
            .into_iter()
            .enumerate()
            .map(|(index, opponent)| read::opponent(index, opponent))
            .collect();
        let (opponents, seat) = (opponents?, seat as usize);
        let pool = Pool { ruleset, time_class };
        let challenge = CreateChallenge { by, pool, opponents, seat, request };
        let r#match = match self.call(challenge).await? {
            CreatedChallenge::Running(run) => Some(message::match_message(&run)),
            CreatedChallenge::Finished(id) => self.find_replayed(&id).await?.r#match,
        };
        Ok(Response::new(pb::CreateChallengeResponse { r#match }))
    }
}
