//! Ratings and standings.

use azulejo_wire::served::arena as pb;
use pb::ladder_service_server::LadderService;
use tonic::{Request, Response};

use super::{Answered, Services, message, pages, read};
use crate::arena_loop::Fitted;
use crate::cursor::Cursor;
use crate::standings::Line;

#[tonic::async_trait]
impl LadderService for Services {
    async fn list_pools(
        &self,
        _request: Request<pb::ListPoolsRequest>,
    ) -> Answered<pb::ListPoolsResponse> {
        let pools = self.arena.view().pools().map(|info| message::pool_info(&info)).collect();
        Ok(Response::new(pb::ListPoolsResponse { pools }))
    }

    async fn get_ladder(
        &self,
        request: Request<pb::GetLadderRequest>,
    ) -> Answered<pb::GetLadderResponse> {
        let pb::GetLadderRequest { pool, page_size, page_token } = request.into_inner();
        let pool = read::pool("pool", &pool)?;
        let (after, most) = (pages::cursor(&page_token)?, pages::size(page_size) as usize);
        let (lines, next) = self.arena.view().ladder(pool, after.as_ref(), most);
        let entries = lines.iter().map(message::ladder_entry).collect();
        let next_page_token = next.map(|next| next.to_string()).unwrap_or_default();
        Ok(Response::new(pb::GetLadderResponse { entries, next_page_token }))
    }

    async fn get_standings(
        &self,
        request: Request<pb::GetStandingsRequest>,
    ) -> Answered<pb::GetStandingsResponse> {
        let pb::GetStandingsRequest { pool, page_size, page_token } = request.into_inner();
        let pool = read::pool("pool", &pool)?;
        let (after, most) = (pages::cursor(&page_token)?, pages::size(page_size) as usize);
        let Some(Fitted { standings, at }) = self.arena.standings(pool) else {
            return Ok(Response::new(pb::GetStandingsResponse::default()));
        };
        let lines = &standings.lines;
        let skip = after.map_or(0, |last| after_entry(lines, &last));
        let page = lines.iter().enumerate().skip(skip).take(most);
        let next = lines.get(skip + most).and_then(|_| lines.get(skip + most - 1));
        let next = next.map(|last| Cursor { key: last.rating, player: last.player.clone() });
        Ok(Response::new(pb::GetStandingsResponse {
            entries: page.map(|(index, line)| entry(index, line)).collect(),
            next_page_token: next.map(|next| next.to_string()).unwrap_or_default(),
            seat_points: standings.seat_points.clone(),
            games: standings.games as u64,
            compute_time: Some(message::timestamp(at)),
        }))
    }
}

/// How many entries come before the next page: it begins after the last entry of the page before,
/// wherever a new computation has moved it.
fn after_entry(lines: &[Line], last: &Cursor) -> usize {
    let entry = lines.iter().position(|line| line.player == last.player);
    entry.map_or_else(
        || lines.iter().position(|line| line.rating < last.key).unwrap_or(lines.len()),
        |index| index + 1,
    )
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
