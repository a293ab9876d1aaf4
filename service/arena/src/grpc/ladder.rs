//! The official standings.

use azulejo_wire::served::arena as pb;
use pb::ladder_service_server::LadderService;
use tonic::{Request, Response};

use super::{Answered, Services, message, pages, read};
use crate::cursor::Cursor;
use crate::standings::{Fitted, Line};

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
        let Some(fitted) = self.arena.standings(pool) else {
            return Ok(Response::new(pb::GetLadderResponse::default()));
        };
        let view = self.arena.view();
        let (lines, next_page_token) = page(&fitted, after.as_ref(), most);
        let entry = |line: &Line| message::ladder_entry(line, view.achieved(pool, &line.player));
        let entries = lines.iter().map(entry).collect();
        Ok(Response::new(pb::GetLadderResponse { entries, next_page_token }))
    }

    async fn get_standings(
        &self,
        request: Request<pb::GetStandingsRequest>,
    ) -> Answered<pb::GetStandingsResponse> {
        let pb::GetStandingsRequest { pool, page_size, page_token } = request.into_inner();
        let pool = read::pool("pool", &pool)?;
        let (after, most) = (pages::cursor(&page_token)?, pages::size(page_size) as usize);
        let Some(fitted) = self.arena.standings(pool) else {
            return Ok(Response::new(pb::GetStandingsResponse::default()));
        };
        let (lines, next_page_token) = page(&fitted, after.as_ref(), most);
        Ok(Response::new(pb::GetStandingsResponse {
            entries: lines.iter().map(message::standings_entry).collect(),
            next_page_token,
            seat_points: fitted.standings.seat_points.clone(),
            games: fitted.standings.games as u64,
            compute_time: Some(message::timestamp(fitted.at)),
        }))
    }
}

/// A page of the lines, and the token of the next one. It begins after the last line of the page
/// before, wherever a new computation has moved it.
fn page<'a>(fitted: &'a Fitted, after: Option<&Cursor>, most: usize) -> (&'a [Line], String) {
    let lines = &fitted.standings.lines;
    let skip = after.map_or(0, |last| {
        let later = |line: &Line| last.is_before(key(line), &line.player);
        // Without it, its results have disappeared.
        let next = fitted.place(&last.player).map(|place| place + 1);
        next.or_else(|| lines.iter().position(later)).unwrap_or(lines.len())
    });
    let end = lines.len().min(skip + most);
    let last = lines[skip..end].last().filter(|_| end < lines.len());
    let next = last.map(|last| Cursor { key: key(last), player: last.player.clone() });
    (&lines[skip..end], next.map(|next| next.to_string()).unwrap_or_default())
}

/// Descending: provisional lines come after all others, whatever their rating.
fn key(line: &Line) -> f64 {
    const LOWER: f64 = 1e6;
    if line.provisional { line.rating - LOWER } else { line.rating }
}
