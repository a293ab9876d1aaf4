//! Questions that change nothing.

use std::collections::BTreeMap;

use azulejo_wire::served::arena as pb;

use super::{Answer, Hall, Refusal, Request, messages};
use crate::cursor::Cursor;
use crate::match_run::Match;
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::rating::Standing;
use crate::store::Filter;

impl Hall {
    pub(super) fn read(&self, request: Request, now: Now) -> Result<Answer, Refusal> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the other requests are not ours")]
        match request {
            Request::Bot { bot } => self.bot_message(&bot, now.time).map(Answer::Bot),
            Request::Bots { after, most } => Ok(self.page_of_bots(after.as_ref(), most, now.time)),
            Request::Pools => Ok(Answer::Pools(self.pool_messages())),
            Request::Ladder { pool, after, most } => {
                Ok(self.page_of_ladder(pool, after.as_ref(), most))
            }
            Request::Running { id } => Ok(Answer::Running(self.running(&id).map(Box::new))),
            Request::AllRunning { filter } => Ok(Answer::AllRunning(self.all_running(&filter))),
            _ => Err(Refusal::NoSuchMatch),
        }
    }

    pub(super) fn bot_message(&self, bot: &BotId, now: Time) -> Result<pb::Bot, Refusal> {
        let known = self.bots.get(bot).ok_or_else(|| Refusal::NoSuchBot(bot.clone()))?;
        let version = |version: &crate::names::Version| {
            let player = Player { bot: bot.clone(), version: version.clone() };
            let rated = |(pool, table): (Pool, &BTreeMap<Player, Standing>)| {
                let rating = messages::rating(table.get(&player)?);
                Some(pb::PoolRating { pool: pool.to_string(), rating: Some(rating) })
            };
            let ratings = self.ladder.pools().filter_map(rated).collect();
            pb::BotVersion { label: version.to_string(), ratings }
        };
        let pause = known.pause.as_ref();
        let reason = pause.map_or(pb::PauseReason::Unspecified, messages::pause_reason);
        let led_to_it = pause.and_then(|pause| pause.last_straw.as_ref());
        let failures = known.recent.iter().filter(|failed| **failed).count();
        Ok(pb::Bot {
            id: bot.to_string(),
            house: known.house,
            versions: known.versions.iter().map(version).collect(),
            health: Some(pb::Health {
                paused: pause.is_some(),
                pause_reason: reason.into(),
                pause_note: pause.map(|pause| pause.reason.clone()).unwrap_or_default(),
                pause_match_id: led_to_it.map(ToString::to_string).unwrap_or_default(),
                recent_failures: u32::try_from(failures).unwrap_or_default(),
            }),
            create_time: Some(messages::timestamp(known.registered)),
            online: self.sessions.get(bot).is_some_and(|session| session.is_attentive(now)),
        })
    }

    fn page_of_bots(&self, after: Option<&BotId>, most: usize, now: Time) -> Answer {
        let later = self.bots.keys().filter(|bot| after.is_none_or(|after| *bot > after));
        let page: Vec<_> = later.take(most + 1).collect();
        let more = page.len() > most;
        let bots = page.into_iter().take(most);
        Answer::Bots(bots.filter_map(|bot| self.bot_message(bot, now).ok()).collect(), more)
    }

    fn pool_messages(&self) -> Vec<pb::PoolInfo> {
        let info = |(pool, table): (Pool, &BTreeMap<Player, Standing>)| {
            let seats = table.values().map(|standing| u64::from(standing.games));
            pb::PoolInfo {
                pool: Some(messages::pool(pool)),
                entries: u32::try_from(table.len()).unwrap_or(u32::MAX),
                games: seats.sum::<u64>() / pool.players() as u64,
            }
        };
        self.ladder.pools().map(info).collect()
    }

    fn page_of_ladder(&self, pool: Pool, after: Option<&Cursor>, most: usize) -> Answer {
        let table = self.ladder.table(pool);
        let is_later = |(player, standing): &(Player, Standing)| {
            after.is_none_or(|last| last.is_before(standing.safe(), player))
        };
        let skip = table.iter().position(is_later).unwrap_or(table.len());
        let next = (table.len() > skip + most).then(|| {
            let (player, standing) = &table[skip + most - 1];
            Cursor { key: standing.safe(), player: player.clone() }
        });
        let rows = table.into_iter().enumerate().skip(skip).take(most);
        let entry = |(index, (player, standing)): (usize, (Player, Standing))| pb::LadderEntry {
            rank: u32::try_from(index + 1).unwrap_or(u32::MAX),
            rating: Some(messages::rating(&standing)),
            wins: standing.wins,
            house: self.bots.get(&player.bot).is_some_and(|known| known.house),
            forfeits: standing.forfeits,
            bot: player.bot.to_string(),
            version: player.version.to_string(),
        };
        Answer::Ladder(rows.map(entry).collect(), next)
    }

    fn running(&self, id: &MatchId) -> Option<pb::GetMatchResponse> {
        let run = self.matches.get(id)?;
        Some(pb::GetMatchResponse {
            r#match: Some(messages::match_message(run)),
            state: run.table().map(azulejo_engine::Table::state),
            record: String::new(),
            refused_moves: run.refused().iter().map(messages::refused_move).collect(),
        })
    }

    fn all_running(&self, filter: &Filter) -> Vec<pb::Match> {
        let fits = |run: &&Match| {
            filter.bot.as_ref().is_none_or(|bot| run.seat_of(bot).is_some())
                && filter.pool.is_none_or(|pool| run.spec().pool == pool)
        };
        let mut found: Vec<_> = self.matches.values().filter(fits).collect();
        found.sort_by_key(|run| std::cmp::Reverse(run.spec().called));
        found.into_iter().map(messages::match_message).collect()
    }
}
