//! Bots and the ladder as messages.

use azulejo_wire::served::arena as pb;

use super::{number, pool, rating, timestamp};
use crate::pool::Pool;
use crate::standings::{Line, OfficialRating};
use crate::store::Pause;
use crate::view::{Achieved, BotView, PoolView};

pub(crate) fn bot(bot: &BotView) -> pb::Bot {
    let BotView { id, house, registered, versions, pause, recent_failures, online } = bot;
    let rated = |(pool, official): &(Pool, OfficialRating)| pb::PoolRating {
        pool: pool.to_string(),
        rating: Some(rating(official)),
    };
    let versions = versions.iter().map(|(label, ratings)| pb::BotVersion {
        label: label.to_string(),
        ratings: ratings.iter().map(rated).collect(),
    });
    let trigger = pause.as_ref().and_then(|pause| pause.trigger_match.as_ref());
    pb::Bot {
        id: id.to_string(),
        house: *house,
        versions: versions.collect(),
        health: Some(pb::Health {
            paused: pause.is_some(),
            pause_reason: pause.as_ref().map_or(pb::PauseReason::Unspecified, pause_reason).into(),
            pause_note: pause.as_ref().map(|pause| pause.reason.clone()).unwrap_or_default(),
            pause_match_id: trigger.map(ToString::to_string).unwrap_or_default(),
            recent_failures: number(*recent_failures),
        }),
        create_time: Some(timestamp(*registered)),
        online: *online,
    }
}

const fn pause_reason(pause: &Pause) -> pb::PauseReason {
    if pause.by_organiser { pb::PauseReason::Organiser } else { pb::PauseReason::Failures }
}

pub(crate) fn paused(pause: &Pause) -> pb::Paused {
    let match_id = pause.trigger_match.as_ref().map(ToString::to_string).unwrap_or_default();
    let note = pause.reason.clone();
    pb::Paused { pause_reason: pause_reason(pause).into(), note, match_id }
}

pub(crate) fn pool_info(info: &PoolView) -> pb::PoolInfo {
    let PoolView { pool: of, entries, games } = *info;
    pb::PoolInfo { pool: Some(pool(of)), entries: number(entries), games }
}

pub(crate) fn standings_entry(line: &Line) -> pb::StandingsEntry {
    let Line { rank, player, rating, plus_minus, provisional, games, .. } = line;
    pb::StandingsEntry {
        rank: rank.unwrap_or_default(),
        bot: player.bot.to_string(),
        version: player.version.to_string(),
        house: player.bot.is_house(),
        rating: *rating,
        plus_minus: *plus_minus,
        games: *games,
        better_than_next: line.better_than_next,
        games_to_separate: line.games_to_separate,
        group: line.group,
        provisional: *provisional,
    }
}

/// The same line with what the version has achieved.
pub(crate) fn ladder_entry(line: &Line, achieved: Achieved) -> pb::LadderEntry {
    let Achieved { wins, forfeits } = achieved;
    pb::LadderEntry {
        rank: line.rank.unwrap_or_default(),
        bot: line.player.bot.to_string(),
        version: line.player.version.to_string(),
        rating: Some(rating(&OfficialRating::of(line))),
        wins,
        house: line.player.bot.is_house(),
        forfeits,
    }
}
