//! Matches, running and past: what runs is in the hall, what is over in the store.

use std::pin::Pin;

use azulejo_wire::served::arena as pb;
use pb::matches_service_server::MatchesService;
use pb::watch_match_response::Event as Watched;
use tokio_stream::{Stream, StreamExt as _, wrappers::ReceiverStream};
use tonic::{Request as Call, Response, Status};

use super::{Answered, Services, pages, read, status};
use crate::desk::Arena;
use crate::document;
use crate::hall::{self, Action, Answer, Request};
use crate::match_run::Match;
use crate::moment::Time;
use crate::names::{BotId, MatchId};
use crate::store::{Filter, SavedMatch, Status as Stored};

/// Running matches that are read at once to find those with a status.
const RUNNING_AT_ONCE: u32 = 200;

/// A match as the store has it.
fn replayed(saved: &SavedMatch) -> Option<Match> {
    let replayed = Match::replay(saved, Time::default());
    replayed.map_err(|corrupt| tracing::error!(%corrupt, "a match in the store")).ok()
}

fn stored(saved: &SavedMatch) -> Option<pb::GetMatchResponse> {
    let run = replayed(saved)?;
    let record = saved.ended.and_then(|_| document::of(saved, &run));
    Some(pb::GetMatchResponse {
        r#match: Some(hall::match_of(&run, saved.ended)),
        state: run.table().map(azulejo_engine::Table::state),
        record: record.unwrap_or_default(),
        refused_moves: run.refused().iter().map(hall::refused_move).collect(),
    })
}

/// The end of a match, for a bot that was away.
pub(super) async fn end_for(arena: &Arena, id: &MatchId, bot: &BotId) -> Option<pb::MatchEnded> {
    let saved = arena.store().find(id).await.ok().flatten()?;
    let run = replayed(&saved)?;
    let seat = u32::try_from(run.seat_of(bot)?).ok()?;
    Some(pb::MatchEnded { seat, ..hall::ended(&run, saved.ended?, None) })
}

impl Services {
    /// The answer to a decision in a match that only the store remembers: it may be the one that
    /// ended the match, and a crash of the arena may have swallowed the first answer.
    pub(super) async fn accepted_before(
        &self,
        bot: &BotId,
        id: &MatchId,
        turn: u32,
        action: Action,
    ) -> Answered<pb::SubmitMoveResponse> {
        let saved = self.arena.store().find(id).await.map_err(|error| status::store(&error))?;
        let over = saved.as_ref().filter(|saved| saved.ended.is_some());
        let run = over.and_then(replayed).ok_or_else(status::no_such_match)?;
        let accepted = hall::accepted_before(&run, bot, turn, action);
        accepted.map(Response::new).map_err(|refusal| status::unanswered(refusal.into()))
    }

    /// A page of matches, and the number of its last match if there are more. The store cannot tell
    /// gathering matches from those being played, but few run at all.
    async fn list(
        &self,
        filter: &Filter,
        wanted: pb::MatchStatus,
        mut before: Option<i64>,
        most: u32,
    ) -> Result<(Vec<pb::Match>, Option<i64>), Status> {
        let running = filter.status == Some(Stored::Running);
        let batch = if running { most.max(RUNNING_AT_ONCE) } else { most };
        let mut page = Vec::new();
        loop {
            let found = self.arena.store().list(filter, before, batch).await;
            let found = found.map_err(|error| status::store(&error))?;
            let is_last = found.len() < batch as usize;
            for (number, saved) in found {
                before = Some(number);
                let Some(run) = replayed(&saved) else { continue };
                let found = hall::match_of(&run, saved.ended);
                if wanted == pb::MatchStatus::Unspecified || found.status() == wanted {
                    page.push(found);
                }
                if page.len() == most as usize {
                    return Ok((page, before));
                }
            }
            if is_last {
                return Ok((page, None));
            }
        }
    }

    pub(super) async fn find(&self, id: &MatchId) -> Result<pb::GetMatchResponse, Status> {
        if let Answer::Running(Some(running)) =
            self.ask(Request::Running { id: id.clone() }).await?
        {
            return Ok(*running);
        }
        let saved = self.arena.store().find(id).await.map_err(|error| status::store(&error))?;
        saved.as_ref().and_then(stored).ok_or_else(status::no_such_match)
    }
}

/// Whether an event is not in the snapshot already.
fn is_news(event: &Watched, seen: &pb::WatchedMatch) -> bool {
    let found = seen.r#match.as_ref();
    match event {
        Watched::MoveMade(made) => found.is_none_or(|found| made.turn >= found.turns),
        Watched::MatchStarted(_) => seen.state.is_none(),
        Watched::MoveRefused(refused) => !seen.refused_moves.contains(refused),
        Watched::SeatForfeited(forfeit) => {
            let seat = found.and_then(|found| found.seats.get(forfeit.seat as usize));
            seat.is_none_or(|seat| seat.end_reason() == pb::EndReason::Unspecified)
        }
        Watched::Snapshot(_) | Watched::MatchEnded(_) => true,
    }
}

#[tonic::async_trait]
impl MatchesService for Services {
    type WatchMatchStream =
        Pin<Box<dyn Stream<Item = Result<pb::WatchMatchResponse, Status>> + Send>>;

    async fn get_match(&self, call: Call<pb::GetMatchRequest>) -> Answered<pb::GetMatchResponse> {
        let id = read::name("match_id", &call.into_inner().match_id)?;
        Ok(Response::new(self.find(&id).await?))
    }

    async fn list_matches(
        &self,
        call: Call<pb::ListMatchesRequest>,
    ) -> Answered<pb::ListMatchesResponse> {
        let pb::ListMatchesRequest { bot, pool, status, page_size, page_token } = call.into_inner();
        let wanted = pb::MatchStatus::try_from(status).map_err(|_| {
            status::bad_field("NO_SUCH_ENUM_VALUE", "status", &format!("{status} is not known"))
        })?;
        let filter = Filter {
            bot: if bot.is_empty() { None } else { Some(read::name("bot", &bot)?) },
            pool: if pool.is_empty() { None } else { Some(read::pool("pool", &pool)?) },
            status: match wanted {
                pb::MatchStatus::Unspecified => None,
                pb::MatchStatus::Gathering | pb::MatchStatus::Playing => Some(Stored::Running),
                pb::MatchStatus::Ended => Some(Stored::Ended),
                pb::MatchStatus::Voided => Some(Stored::Voided),
            },
        };
        let before = pages::number(&page_token)?;
        let (matches, next) = self.list(&filter, wanted, before, pages::size(page_size)).await?;
        let next_page_token = next.map(|number| number.to_string()).unwrap_or_default();
        Ok(Response::new(pb::ListMatchesResponse { matches, next_page_token }))
    }

    async fn watch_match(
        &self,
        call: Call<pb::WatchMatchRequest>,
    ) -> Answered<Self::WatchMatchStream> {
        let id: MatchId = read::name("match_id", &call.into_inner().match_id)?;
        // Subscribe before reading, so that no event is missed.
        let watched = self.arena.watch(&id);
        let pb::GetMatchResponse { r#match, state, refused_moves, .. } = self.find(&id).await?;
        let now = pb::WatchedMatch { r#match, state, refused_moves };
        let over = now.r#match.as_ref().is_some_and(|found| found.end_time.is_some());
        let seen = now.clone();
        let first = tokio_stream::once(Watched::Snapshot(now));
        let rest = ReceiverStream::new(watched).filter(move |event| is_news(event, &seen));
        let events: Pin<Box<dyn Stream<Item = Watched> + Send>> =
            if over { Box::pin(first) } else { Box::pin(first.chain(rest)) };
        let events = events.map(|event| Ok(pb::WatchMatchResponse { event: Some(event) }));
        Ok(Response::new(Box::pin(events)))
    }

    async fn export_matches(
        &self,
        call: Call<pb::ExportMatchesRequest>,
    ) -> Answered<pb::ExportMatchesResponse> {
        let pb::ExportMatchesRequest { page_size, page_token } = call.into_inner();
        let after = pages::number(&page_token)?.unwrap_or_default();
        let found = self.arena.store().ended(after, pages::size(page_size)).await;
        let found = found.map_err(|error| status::store(&error))?;
        let last = found.last().map(|(number, _)| number.to_string());
        let record = |(_, saved): &(i64, SavedMatch)| document::of(saved, &replayed(saved)?);
        let records = found.iter().filter_map(record).collect();
        let next_page_token = last.unwrap_or_default();
        Ok(Response::new(pb::ExportMatchesResponse { records, next_page_token }))
    }
}
