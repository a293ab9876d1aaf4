//! Who is how good.

use azulejo_wire::served::arena as pb;
use pb::ladder_service_server::LadderService;
use tonic::{Request as Call, Response};

use super::{Answered, Services, pages, read, status};
use crate::cursor::Cursor;
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
        let (after, most) = (pages::cursor(&page_token)?, pages::size(page_size) as usize);
        let Answer::Ladder(entries, next) = self.ask(Request::Ladder { pool, after, most }).await?
        else {
            return Err(status::confused());
        };
        let next_page_token = next.map(|next| next.to_string()).unwrap_or_default();
        Ok(Response::new(pb::GetLadderResponse { entries, next_page_token }))
    }

    async fn get_standings(
        &self,
        call: Call<pb::GetStandingsRequest>,
    ) -> Answered<pb::GetStandingsResponse> {
        let pb::GetStandingsRequest { pool, page_size, page_token } = call.into_inner();
        let pool = read::pool("pool", &pool)?;
        let (after, most) = (pages::cursor(&page_token)?, pages::size(page_size) as usize);
        let Some(Fitted { standings, at }) = self.arena.official(pool) else {
            return Ok(Response::new(pb::GetStandingsResponse::default()));
        };
        let lines = &standings.lines;
        let is_later = |line: &Line| {
            after.as_ref().is_none_or(|last| last.is_before(sort_key(line), &line.player))
        };
        let skip = lines.iter().position(is_later).unwrap_or(lines.len());
        let page = lines.iter().enumerate().skip(skip).take(most);
        let next = lines.get(skip + most).and_then(|_| lines.get(skip + most - 1));
        let next = next.map(|last| Cursor { key: sort_key(last), player: last.player.clone() });
        Ok(Response::new(pb::GetStandingsResponse {
            entries: page.map(|(index, line)| entry(index, line)).collect(),
            next_page_token: next.map(|next| next.to_string()).unwrap_or_default(),
            seat_points: standings.seat_points.clone(),
            games: standings.games as u64,
            compute_time: Some(crate::hall::timestamp(at)),
        }))
    }
}

/// The standings are ordered by group, then by falling rating, which never reaches a million.
fn sort_key(line: &Line) -> f64 {
    line.rating - 1e6 * f64::from(line.group)
}

fn entry(index: usize, line: &Line) -> pb::StandingsEntry {
    let Line { player, rating, plus_minus, games, better_than_next, games_to_separate, group } =
        line;
    pb::StandingsEntry {
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
