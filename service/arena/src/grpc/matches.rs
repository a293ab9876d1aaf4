//! Matches: running ones are in the view, finished ones in the store.

use std::pin::Pin;
use std::sync::Arc;

use azulejo_wire::served::arena as pb;
use pb::matches_service_server::MatchesService;
use pb::watch_match_response::Event as Watched;
use tokio_stream::{Stream, StreamExt as _, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::{Answered, Services, message, pages, read, status};
use crate::arena_loop::CommandError;
use crate::command::SubmitMove;
use crate::event::FinishedMatch;
use crate::match_record::Replayed;
use crate::match_run::Match;
use crate::names::{BotId, MatchId};
use crate::record::{Receipt, Seat};
use crate::state::Refusal;
use crate::store::{Filter, SavedMatch, Status as Stored, StoreError};

/// Running matches that one query reads: the status of each has to be looked at.
const RUNNING_PER_QUERY: u32 = 200;
/// Queries to fill one page.
const MOST_QUERIES: usize = 50;

type WatchStream = Pin<Box<dyn Stream<Item = Result<pb::WatchMatchResponse, Status>> + Send>>;

/// A match as the store has it.
fn replayed(saved: &SavedMatch) -> Option<Replayed> {
    let replayed = Replayed::of(saved);
    replayed.map_err(|corrupt| tracing::error!(%corrupt, "corrupt match in the store")).ok()
}

fn stored(saved: &SavedMatch) -> Option<pb::GetMatchResponse> {
    let replayed = replayed(saved)?;
    let record = saved.ended.and_then(|_| replayed.record(saved));
    Some(pb::GetMatchResponse {
        r#match: Some(message::match_with_end(&replayed.run, saved.ended)),
        record: record.unwrap_or_default(),
        ..running(&replayed.run)
    })
}

/// A match for a list: by its summary, or replayed if an older version stored it without one.
fn listed(saved: &SavedMatch) -> Option<Match> {
    Match::summarised(saved).or_else(|| Some(replayed(saved)?.run))
}

fn running(run: &Match) -> pb::GetMatchResponse {
    let pb::WatchedMatch { r#match, state, refused_moves } = message::snapshot_of_watched(run);
    pb::GetMatchResponse { r#match, state, record: String::new(), refused_moves }
}

fn end_of(saved: &SavedMatch, bot: &BotId) -> Option<pb::MatchEnded> {
    // A match that could not be resumed was voided: its summary says so.
    let run = replayed(saved).map(|replayed| replayed.run);
    let run = Arc::new(run.or_else(|| Match::summarised(saved))?);
    let (seat, at) = (run.seat_of(bot)?, saved.ended?);
    Some(message::match_ended(seat, &FinishedMatch { run, at, ratings: Vec::new() }))
}

impl Services {
    async fn stored_match(&self, id: &MatchId) -> Result<SavedMatch, Status> {
        let saved = self.arena.store().find(id).await.map_err(|error| status::store(&error))?;
        saved.ok_or_else(status::no_such_match)
    }

    /// The end of a match, for a bot that was away. None if the stored match is damaged: then there
    /// is nothing to deliver. An error if the store cannot be read now: the bot must get the end
    /// later.
    pub(super) async fn end_for(
        &self,
        id: &MatchId,
        bot: &BotId,
    ) -> Result<Option<pb::MatchEnded>, Status> {
        let saved = match self.arena.store().find(id).await {
            Ok(Some(saved)) => saved,
            Ok(None) => return Ok(None),
            Err(StoreError::Unreadable(damage)) => {
                tracing::error!(%damage, "the end of a match cannot be delivered");
                return Ok(None);
            }
            Err(error) => return Err(status::store(&error)),
        };
        let bot = bot.clone();
        self.replays.run(move || end_of(&saved, &bot)).await
    }

    /// A match that may be over, for a call that is answered in the foreground.
    pub(super) async fn find_replayed(&self, id: &MatchId) -> Result<pb::GetMatchResponse, Status> {
        if let Some(run) = self.arena.view().running(id) {
            return Ok(running(run));
        }
        let saved = self.stored_match(id).await?;
        self.replays.run(move || stored(&saved)).await?.ok_or_else(status::no_such_match)
    }

    /// The receipt of a move in a match that only the store remembers: it may be the one that ended
    /// the match, with its response lost in a crash of the arena.
    pub(super) async fn accepted_before(&self, submitted: SubmitMove) -> Result<Receipt, Status> {
        let SubmitMove { bot, id, turn, action, .. } = submitted;
        let saved = self.stored_match(&id).await?;
        // Before it is replayed, which costs more than anything else that a bot can ask for.
        let is_seated = saved.spec.seats.iter().filter_map(Seat::player).any(|at| at.bot == bot);
        if !is_seated {
            return Err(status::failed(Refusal::NotSeated.into()));
        }
        if saved.ended.is_none() {
            return Err(status::no_such_match());
        }
        let accepted = self.replays.run(move || {
            let run = replayed(&saved)?.run;
            Some(action.accepted_before(&run, &bot, turn))
        });
        let accepted = accepted.await?.ok_or_else(status::no_such_match)?;
        accepted.map_err(|refusal| status::failed(refusal.into()))
    }

    /// A page of stored matches, and the number of its last match if there are more. The store
    /// cannot tell gathering matches from those being played, but few run at all.
    async fn list(
        &self,
        filter: &Filter,
        wanted: pb::MatchStatus,
        mut before: Option<i64>,
        most: u32,
    ) -> Result<(Vec<pb::Match>, Option<i64>), Status> {
        let batch = match filter.status {
            Some(Stored::Running) => most.max(RUNNING_PER_QUERY),
            _ => most,
        };
        let mut page = Vec::new();
        for _ in 0..MOST_QUERIES {
            let found = self.arena.store().list(filter, before, batch).await;
            let found = found.map_err(|error| status::store(&error))?;
            let is_last = found.len() < batch as usize;
            let view = self.arena.view();
            for (number, saved) in found {
                before = Some(number);
                // A match may have ended after the view was published.
                let running = view.running(&saved.spec.id).filter(|_| saved.ended.is_none());
                let Some(run) = running.cloned().or_else(|| Some(Arc::new(listed(&saved)?))) else {
                    continue;
                };
                // A search for a bot must not say who meets whom before the match begins.
                if filter.bot.is_some() && run.hides_seats() {
                    continue;
                }
                let found = message::match_with_end(&run, saved.ended);
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
        Ok((page, before))
    }

    pub(super) async fn find(&self, id: &MatchId) -> Result<pb::GetMatchResponse, Status> {
        if let Some(run) = self.arena.view().running(id) {
            return Ok(running(run));
        }
        stored(&self.stored_match(id).await?).ok_or_else(status::no_such_match)
    }
}

#[tonic::async_trait]
impl MatchesService for Services {
    type WatchMatchStream = WatchStream;

    async fn get_match(
        &self,
        request: Request<pb::GetMatchRequest>,
    ) -> Answered<pb::GetMatchResponse> {
        let id = read::name("match_id", &request.into_inner().match_id)?;
        Ok(Response::new(self.find(&id).await?))
    }

    async fn list_matches(
        &self,
        request: Request<pb::ListMatchesRequest>,
    ) -> Answered<pb::ListMatchesResponse> {
        let pb::ListMatchesRequest { bot, pool, status, page_size, page_token } =
            request.into_inner();
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
        request: Request<pb::WatchMatchRequest>,
    ) -> Answered<Self::WatchMatchStream> {
        let id: MatchId = read::name("match_id", &request.into_inner().match_id)?;
        let place = self.watching.enter(&id).ok_or_else(status::too_many_watchers)?;
        // Subscribe before reading, so that no event is missed.
        let watch = self.arena.watch(&id);
        let respond = |event: Watched| Ok(pb::WatchMatchResponse { event: Some(event) });
        let Some(seen) = self.arena.view().running(&id).cloned() else {
            let found = self.find_replayed(&id).await?;
            let pb::GetMatchResponse { r#match, state, refused_moves, record: _ } = found;
            if r#match.as_ref().is_none_or(|found| found.end_time.is_none()) {
                // It was stored a moment ago and is not in the view yet.
                return Err(status::failed(CommandError::Restarting));
            }
            let finished = pb::WatchedMatch { r#match, state, refused_moves };
            let only = tokio_stream::once(respond(Watched::Snapshot(finished)));
            return Ok(Response::new(Box::pin(only)));
        };
        let first = Watched::Snapshot(message::snapshot_of_watched(&seen));
        let later = ReceiverStream::new(watch)
            .filter(move |event| event.is_after(&seen))
            .map(|event| message::watch_event(&event));
        let events = tokio_stream::once(first).chain(later).map(move |event| {
            // Until the stream ends.
            let _held = &place;
            respond(event)
        });
        Ok(Response::new(Box::pin(events)))
    }

    async fn export_matches(
        &self,
        request: Request<pb::ExportMatchesRequest>,
    ) -> Answered<pb::ExportMatchesResponse> {
        let pb::ExportMatchesRequest { page_size, page_token } = request.into_inner();
        let after = pages::number(&page_token)?.unwrap_or_default();
        let found = self.arena.store().ended(after, pages::size(page_size)).await;
        let found = found.map_err(|error| status::store(&error))?;
        let last = found.last().map(|(number, _)| number.to_string());
        let records =
            found.iter().filter_map(|(_, saved)| replayed(saved)?.record(saved)).collect();
        let next_page_token = last.unwrap_or_default();
        Ok(Response::new(pb::ExportMatchesResponse { records, next_page_token }))
    }
}
