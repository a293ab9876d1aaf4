//! Bots and the ladder as messages.

use azulejo_wire::served::arena as pb;

use super::{number, pool, rating, timestamp};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::store::Pause;
use crate::view::{BotView, LadderLine, PoolView};

pub(crate) fn bot(bot: &BotView) -> pb::Bot {
    let BotView { id, house, registered, versions, pause, recent_failures, online } = bot;
    let rated = |(pool, standing): &(Pool, LiveRating)| pb::PoolRating {
        pool: pool.to_string(),
        rating: Some(rating(standing)),
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
    // Only an organiser pauses a bot without a match that led to it.
    match pause.trigger_match {
        Some(_) => pb::PauseReason::Failures,
        None => pb::PauseReason::Organiser,
    }
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

pub(crate) fn ladder_entry(line: &LadderLine) -> pb::LadderEntry {
    let LadderLine { rank, player, standing, house } = line;
    pb::LadderEntry {
        rank: number(*rank),
        rating: Some(rating(standing)),
        wins: standing.wins,
        house: *house,
        forfeits: standing.forfeits,
        bot: player.bot.to_string(),
        version: player.version.to_string(),
    }
}
