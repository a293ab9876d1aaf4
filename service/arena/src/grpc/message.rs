//! Domain values as messages: the only place where the arena's events become protobuf.

mod admin;
mod bot;
mod event;
mod game_match;

use std::time::Duration;

use azulejo_wire::served::arena as pb;
use prost_types::{Duration as PbDuration, Timestamp};

use crate::pool::{Pool, TimeClass};
use crate::record::{EndReason, Receipt, RefusedMove};
use crate::standings::OfficialRating;
use crate::time::Wall;

pub(super) use admin::{audit_entry, invitation, owner, suspicious_pair, token};
pub(super) use bot::{bot, ladder_entry, paused, pool_info, standings_entry};
pub(super) use event::{match_ended, snapshot_of_watched};
pub use event::{play_event, watch_event};
pub(super) use game_match::{match_message, match_with_end};

pub(crate) fn duration(time: Duration) -> PbDuration {
    PbDuration {
        seconds: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(time.subsec_nanos()).unwrap_or_default(),
    }
}

pub(super) fn timestamp(Wall(millis): Wall) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(millis / 1_000).unwrap_or(i64::MAX),
        nanos: i32::try_from(millis % 1_000 * 1_000_000).unwrap_or_default(),
    }
}

fn pool(pool: Pool) -> pb::Pool {
    let class = match pool.time_class {
        TimeClass::Bullet => pb::TimeClass::Bullet,
        TimeClass::Blitz => pb::TimeClass::Blitz,
        TimeClass::Rapid => pb::TimeClass::Rapid,
    };
    pb::Pool {
        name: pool.to_string(),
        ruleset: Some(pool.ruleset.message()),
        time_class: class.into(),
    }
}

fn rating(official: &OfficialRating) -> pb::Rating {
    pb::Rating {
        rating: official.rating,
        deviation: official.deviation(),
        games: official.games,
        provisional: official.provisional,
    }
}

pub(super) fn receipt(receipt: &Receipt) -> pb::Receipt {
    pb::Receipt {
        elapsed_time: Some(duration(receipt.measured)),
        credited_time: Some(duration(receipt.credited)),
        charged_time: Some(duration(receipt.charged)),
        time_left: Some(duration(receipt.left)),
    }
}

pub(super) fn refused_move(refused: &RefusedMove) -> pb::RefusedMove {
    let RefusedMove { seat, turn, sent, reason, rule, message, at } = refused;
    pb::RefusedMove {
        seat: number(*seat),
        turn: *turn,
        sent: sent.clone(),
        reason: reason.clone(),
        rule: rule.clone().unwrap_or_default(),
        message: message.clone(),
        receive_time: Some(timestamp(*at)),
    }
}

const fn end_reason(reason: EndReason) -> pb::EndReason {
    match reason {
        EndReason::Finished => pb::EndReason::Finished,
        EndReason::Resigned => pb::EndReason::Resigned,
        EndReason::OutOfTime => pb::EndReason::OutOfTime,
        EndReason::IllegalMoves => pb::EndReason::IllegalMoves,
        EndReason::Gone => pb::EndReason::Gone,
        EndReason::NoShow => pb::EndReason::NoShow,
        EndReason::CalledOff => pb::EndReason::CalledOff,
        EndReason::ServerError => pb::EndReason::ServerError,
    }
}

/// A seat or a rank.
fn number(small: usize) -> u32 {
    u32::try_from(small).unwrap_or(u32::MAX)
}
