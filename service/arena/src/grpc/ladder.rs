//! Who is how good.

use azulejo_wire::served::arena as pb;
use pb::ladder_service_server::LadderService;
use tonic::{Request as Call, Response, Status};

use super::{Answered, Services, pages, read, status};
use crate::desk::Fitted;
use crate::hall::{Answer, Request};
use crate::standings::Line;

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
        let (skip, most) = lines(page_size, &page_token)?;
        let Answer::Ladder(entries, more) = self.ask(Request::Ladder { pool, skip, most }).await?
        else {
            return Err(status::confused());
        };
        let next = more.then(|| (skip + most).to_string());
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(pb::GetLadderResponse { entries, next_page_token }))
    }

    async fn get_standings(
        &self,
        call: Call<pb::GetStandingsRequest>,
    ) -> Answered<pb::GetStandingsResponse> {
        let pb::GetStandingsRequest { pool, page_size, page_token } = call.into_inner();
        let pool = read::pool("pool", &pool)?;
        let (skip, most) = lines(page_size, &page_token)?;
        let Some(Fitted { standings, at }) = self.arena.official(pool) else {
            return Ok(Response::new(pb::GetStandingsResponse::default()));
        };
        let page = standings.lines.iter().enumerate().skip(skip).take(most);
        let more = standings.lines.len() > skip + most;
        Ok(Response::new(pb::GetStandingsResponse {
            entries: page.map(|(index, line)| entry(index, line)).collect(),
            next_page_token: if more { (skip + most).to_string() } else { String::new() },
            seat_points: standings.seat_points.clone(),
            games: standings.games as u64,
            fitted: Some(crate::hall::timestamp(at)),
        }))
    }
}

/// Lines of a table to leave out, and the most to show.
fn lines(page_size: u32, page_token: &str) -> Result<(usize, usize), Status> {
    let skip = pages::number(page_token)?.unwrap_or_default();
    let skip = usize::try_from(skip).unwrap_or(usize::MAX / 2).min(usize::MAX / 2);
    Ok((skip, pages::size(page_size) as usize))
}

fn entry(index: usize, line: &Line) -> pb::OfficialEntry {
    let Line { player, rating, plus_minus, games, better_than_next, games_to_separate, group } =
        line;
    pb::OfficialEntry {
        rank: u32::try_from(index + 1).unwrap_or(u32::MAX),
        bot: player.bot.to_string(),
        version: player.version.to_string(),
        house: player.bot.is_house(),
        rating: *rating,
        plus_minus: *plus_minus,
        games: *games,
        better_than_next: *better_than_next,
        games_to_separate: *games_to_separate,
        group: *group,
    }
}
