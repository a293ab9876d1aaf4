//! What the arena knows, as messages.

use std::time::Duration;

use azulejo_engine::{HouseBot, fairness};
use azulejo_wire::served::arena as pb;
use prost_types::{Duration as PbDuration, Timestamp};

use super::{Action, Hall, Refusal};
use crate::match_run::{Match, Phase, Played, UnratedReason, VoidReason};
use crate::moment::{Time, Wall};
use crate::names::{BotId, MatchId, Player};
use crate::pool::{Pool, TimeClass};
use crate::rating::Standing;
use crate::record::{EndReason, House, Origin, Receipt, RefusedMove, Seat, SeatEnd, SeatReason};
use crate::store::Pause;

pub(crate) fn duration(time: Duration) -> PbDuration {
    PbDuration {
        seconds: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(time.subsec_nanos()).unwrap_or_default(),
    }
}

pub(crate) fn timestamp(Wall(millis): Wall) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(millis / 1_000).unwrap_or(i64::MAX),
        nanos: i32::try_from(millis % 1_000 * 1_000_000).unwrap_or_default(),
    }
}

pub(crate) fn pool(pool: Pool) -> pb::Pool {
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

pub(super) fn rating(standing: &Standing) -> pb::Rating {
    pb::Rating {
        rating: standing.shown(),
        deviation: standing.shown_deviation(),
        games: standing.games,
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

/// The answer to a decision in a match that is over: the one that was given before.
pub(crate) fn accepted_before(
    run: &Match,
    bot: &BotId,
    turn: u32,
    action: Action,
) -> Result<pb::SubmitMoveResponse, Refusal> {
    let seat = run.seat_of(bot).ok_or(Refusal::NotSeated)?;
    let table = run.table().ok_or(Refusal::NoSuchMatch)?;
    let action = action.read(table).action.ok();
    let accepted =
        run.accepted_receipt(seat, turn, action.as_ref())?.ok_or(Refusal::NoSuchMatch)?;
    Ok(pb::SubmitMoveResponse { receipt: Some(receipt(&accepted)) })
}

pub(crate) fn refused_move(refused: &RefusedMove) -> pb::RefusedMove {
    let RefusedMove { seat, turn, sent, reason, rule, message, at } = refused;
    pb::RefusedMove {
        seat: u32::try_from(*seat).unwrap_or_default(),
        turn: *turn,
        sent: sent.clone(),
        reason: reason.clone(),
        rule: rule.clone().unwrap_or_default(),
        message: message.clone(),
        receive_time: Some(timestamp(*at)),
    }
}

pub(super) fn pause_reason(pause: &Pause) -> pb::PauseReason {
    // Only an organiser pauses a bot without a match that led to it.
    match pause.last_straw {
        Some(_) => pb::PauseReason::Failures,
        None => pb::PauseReason::Organiser,
    }
}

pub(super) fn paused(pause: &Pause) -> pb::Paused {
    let match_id = pause.last_straw.as_ref().map(ToString::to_string).unwrap_or_default();
    let note = pause.reason.clone();
    pb::Paused { pause_reason: pause_reason(pause).into(), note, match_id }
}

pub(super) const fn end_reason(reason: EndReason) -> pb::EndReason {
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

/// The bots of a match.
pub(super) fn bots(run: &Match) -> impl Iterator<Item = &BotId> {
    run.spec().seats.iter().filter_map(|seat| match seat {
        Seat::Remote(Player { bot, .. }) => Some(bot),
        Seat::House(_) => None,
    })
}

fn seat(run: &Match, seat: usize) -> pb::Seat {
    let (bot, version) = match &run.spec().seats[seat] {
        Seat::Remote(Player { bot, version }) => (bot.to_string(), version.to_string()),
        Seat::House(House(bot)) => (house_name(*bot), "house".to_owned()),
    };
    let reason = run.spec().seat_reasons.get(seat).copied();
    let end = run.ends().get(seat).map(|end| end.reason).or_else(|| run.out(seat));
    pb::Seat {
        bot,
        version,
        house: run.is_house(seat),
        seat_reason: reason.map_or(pb::SeatReason::Unspecified, seat_reason).into(),
        end_reason: end.map_or(pb::EndReason::Unspecified, end_reason).into(),
    }
}

const fn seat_reason(reason: SeatReason) -> pb::SeatReason {
    match reason {
        SeatReason::NeedsMatch => pb::SeatReason::NeedsMatch,
        SeatReason::NearRating => pb::SeatReason::NearRating,
        SeatReason::Anchor => pb::SeatReason::Anchor,
        SeatReason::StandIn => pb::SeatReason::StandIn,
        SeatReason::Challenger => pb::SeatReason::Challenger,
        SeatReason::Challenged => pb::SeatReason::Challenged,
    }
}

const fn unrated_reason(reason: Option<UnratedReason>) -> pb::UnratedReason {
    match reason {
        None => pb::UnratedReason::Unspecified,
        Some(UnratedReason::Challenge) => pb::UnratedReason::Challenge,
        Some(UnratedReason::ServerSeat) => pb::UnratedReason::ServerSeat,
        Some(UnratedReason::Voided) => pb::UnratedReason::Voided,
    }
}

const fn void_reason(reason: Option<VoidReason>) -> pb::VoidReason {
    match reason {
        None => pb::VoidReason::Unspecified,
        Some(VoidReason::NoShow) => pb::VoidReason::NoShow,
        Some(VoidReason::Organiser) => pb::VoidReason::Organiser,
        Some(VoidReason::ServerError) => pb::VoidReason::ServerError,
    }
}

pub(super) fn house_name(bot: HouseBot) -> String {
    format!("server/{bot}")
}

/// A match as everyone may see it: no secret before the end, and not here after it either.
pub(super) fn match_message(run: &Match) -> pb::Match {
    let spec = run.spec();
    let status = match run.phase() {
        Phase::Gathering { .. } => pb::MatchStatus::Gathering,
        Phase::Playing => pb::MatchStatus::Playing,
        Phase::Ended(_) => pb::MatchStatus::Ended,
        Phase::Voided { .. } => pb::MatchStatus::Voided,
    };
    let origin = match spec.origin {
        Origin::Ladder => pb::Origin::Ladder,
        Origin::Challenge => pb::Origin::Challenge,
    };
    let void_note = match run.phase() {
        Phase::Voided { why, .. } => why.as_str(),
        Phase::Gathering { .. } | Phase::Playing | Phase::Ended(_) => "",
    };
    pb::Match {
        id: spec.id.to_string(),
        pool: Some(pool(spec.pool)),
        seats: (0..spec.seats.len()).map(|index| seat(run, index)).collect(),
        status: status.into(),
        origin: origin.into(),
        rated: run.unrated_reason().is_none(),
        unrated_reason: unrated_reason(run.unrated_reason()).into(),
        void_reason: void_reason(run.void_reason()).into(),
        void_note: void_note.to_owned(),
        block: spec.block.to_string(),
        commitment: fairness::commitment(spec.id.as_str(), run.secret()).0.to_vec(),
        create_time: Some(timestamp(spec.called)),
        end_time: None,
        turns: run.turn(),
        steps: run.steps(),
        result: result(run, None),
        pairing_note: spec.why.clone(),
    }
}

/// A match of the store.
#[must_use]
pub fn match_of(run: &Match, ended: Option<Wall>) -> pb::Match {
    pb::Match { end_time: ended.map(timestamp), ..match_message(run) }
}

fn result(run: &Match, ratings: Option<(&[Standing], &[Standing])>) -> Option<pb::Result> {
    let ends = run.ends();
    if ends.is_empty() {
        return None;
    }
    let seat = |(index, end): (usize, &SeatEnd)| pb::SeatResult {
        placement: end.placement.into(),
        end_reason: end_reason(end.reason).into(),
        rating_before: ratings.map(|(before, _)| rating(&before[index])),
        rating_after: ratings.map(|(_, after)| rating(&after[index])),
    };
    Some(pb::Result {
        seats: ends.iter().enumerate().map(seat).collect(),
        score: run.table().map(azulejo_engine::Table::score_message),
    })
}

pub(crate) fn ended(
    run: &Match,
    at: Wall,
    ratings: Option<(&[Standing], &[Standing])>,
) -> pb::MatchEnded {
    pb::MatchEnded {
        r#match: Some(pb::Match { result: result(run, ratings), ..match_of(run, Some(at)) }),
        seat: 0,
        reveal: Some(pb::Reveal { secret: run.secret().0.to_vec(), nonces: nonces(run) }),
    }
}

fn nonces(run: &Match) -> Vec<Vec<u8>> {
    let nonces = run.nonces().into_iter();
    nonces.map(|nonce| nonce.map(|nonce| nonce.0.to_vec()).unwrap_or_default()).collect()
}

pub(super) fn started(run: &Match) -> Option<pb::MatchStarted> {
    Some(pb::MatchStarted {
        match_id: run.spec().id.to_string(),
        state: Some(run.first_table()?.state()),
        nonces: nonces(run),
    })
}

pub(super) fn starting(run: &Match, seat: usize, now: Time) -> pb::MatchStarting {
    pb::MatchStarting {
        r#match: Some(match_message(run)),
        seat: u32::try_from(seat).unwrap_or_default(),
        ready_timeout: Some(duration(run.time_to_be_ready(now))),
    }
}

/// The decision that is due, if it is this seat's.
pub(super) fn turn(run: &Match, seat: usize, now: Time) -> Option<pb::Turn> {
    let table = run.table()?;
    (run.due() == Some(seat)).then(|| pb::Turn {
        match_id: run.spec().id.to_string(),
        turn: run.turn(),
        seat: u32::try_from(seat).unwrap_or_default(),
        state: Some(table.state()),
        legal_moves: table.legal_move_messages(),
        time_left: Some(duration(run.left(seat, now))),
        previous_receipt: run.last_receipt(seat).as_ref().map(receipt),
        illegal_tries: run.illegal_tries(),
        step: run.steps() + 1,
    })
}

pub(super) fn move_made(run: &Match, played: &Played) -> pb::MoveMade {
    pb::MoveMade {
        match_id: run.spec().id.to_string(),
        turn: played.turn,
        seat: u32::try_from(played.seat).unwrap_or_default(),
        r#move: Some(played.before.legal_move(played.action)),
        events: played.events.iter().map(|event| event.message()).collect(),
        by_house: played.receipt.is_none(),
        receipt: played.receipt.as_ref().map(receipt),
        step: played.step,
    }
}

/// The same move for watchers, with the state after it.
pub(super) fn watched_move(made: &pb::MoveMade, played: &Played) -> pb::WatchedMove {
    pb::WatchedMove {
        turn: made.turn,
        step: made.step,
        seat: made.seat,
        r#move: made.r#move.clone(),
        events: made.events.clone(),
        state: Some(played.after.state()),
        by_house: made.by_house,
        receipt: made.receipt,
    }
}

impl Hall {
    pub(super) fn snapshot_of(
        &self,
        bot: &BotId,
        seatings: &[(MatchId, usize)],
        now: Time,
    ) -> pb::Snapshot {
        let seating = |(id, seat): &(MatchId, usize)| {
            let run = self.matches.get(id)?;
            let asked = matches!(run.phase(), Phase::Gathering { .. }) && !run.is_ready(*seat);
            Some(pb::Seating {
                seat: u32::try_from(*seat).unwrap_or_default(),
                r#match: Some(match_message(run)),
                starting: asked.then(|| starting(run, *seat, now)),
                state: run.table().map(azulejo_engine::Table::state),
                turn: if run.is_house(*seat) { None } else { turn(run, *seat, now) },
            })
        };
        let version = self.sessions.get(bot).map(|session| session.version.to_string());
        let known = self.bots.get(bot);
        pb::Snapshot {
            bot: bot.to_string(),
            version: version.unwrap_or_default(),
            seatings: seatings.iter().filter_map(seating).collect(),
            ended: Vec::new(),
            paused: known.and_then(|known| known.pause.as_ref()).map(paused),
        }
    }
}
