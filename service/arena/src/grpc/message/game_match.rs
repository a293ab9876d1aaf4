//! Matches as messages. The secret is never part of them.

use azulejo_engine::fairness;
use azulejo_wire::served::arena as pb;

use super::{end_reason, pool, rating, timestamp};
use crate::match_run::{Match, Phase, UnratedReason, VoidReason};
use crate::record::{Origin, Seat, SeatEnd, SeatReason};
use crate::standings::OfficialRating;
use crate::time::Wall;

/// A match as everyone may see it.
pub(crate) fn match_message(run: &Match) -> pb::Match {
    match_for(run, None)
}

/// A match as the bot of this seat may see it.
pub(super) fn match_of_seat(run: &Match, seat: usize) -> pb::Match {
    match_for(run, Some(seat))
}

/// A match when its first deal was made, after so many steps.
pub(super) fn match_at_start(run: &Match, steps: u32) -> pb::Match {
    let status = pb::MatchStatus::Playing.into();
    pb::Match { status, turns: 0, steps, result: None, ..match_message(run) }
}

fn match_for(run: &Match, viewer: Option<usize>) -> pb::Match {
    let spec = run.spec();
    let hides = run.hides_seats();
    let shown = |index: usize| {
        if hides && viewer != Some(index) { pb::Seat::default() } else { seat(run, index) }
    };
    // The note names the bots, and the other matches of the block have the same ones.
    let unless_hidden = |text: String| if hides { String::new() } else { text };
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
        seats: (0..spec.seats.len()).map(shown).collect(),
        status: status.into(),
        origin: origin.into(),
        rated: run.unrated_reason().is_none(),
        unrated_reason: unrated_reason(run.unrated_reason()).into(),
        void_reason: void_reason(run.void_reason()).into(),
        void_note: void_note.to_owned(),
        block: unless_hidden(spec.block.to_string()),
        commitment: fairness::commitment(spec.id.as_str(), run.secret()).0.to_vec(),
        create_time: Some(timestamp(spec.called)),
        end_time: None,
        turns: run.turn(),
        steps: run.steps(),
        result: result(run, &[]),
        pairing_note: unless_hidden(spec.why.clone()),
    }
}

/// A match with the time of its end, if it is over.
pub(crate) fn match_with_end(run: &Match, ended: Option<Wall>) -> pb::Match {
    pb::Match { end_time: ended.map(timestamp), ..match_message(run) }
}

pub(super) fn result(run: &Match, ratings: &[Option<OfficialRating>]) -> Option<pb::Result> {
    let ends = run.ends();
    if ends.is_empty() {
        return None;
    }
    #[expect(deprecated, reason = "a field that is never set any more")]
    let seat = |(index, end): (usize, &SeatEnd)| pb::SeatResult {
        placement: end.placement.into(),
        end_reason: end_reason(end.reason).into(),
        rating_before: ratings.get(index).and_then(Option::as_ref).map(rating),
        rating_after: None,
    };
    Some(pb::Result {
        seats: ends.iter().enumerate().map(seat).collect(),
        score: run.table().map(azulejo_engine::Table::score_message),
    })
}

fn seat(run: &Match, seat: usize) -> pb::Seat {
    let of = &run.spec().seats[seat];
    let version = match of {
        Seat::Remote(player) => player.version.to_string(),
        Seat::House(_) => "house".to_owned(),
    };
    let reason = run.spec().seat_reasons.get(seat).copied();
    let end = run.ends().get(seat).map(|end| end.reason).or_else(|| run.out(seat));
    pb::Seat {
        bot: of.name(),
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
        Some(VoidReason::AllGone) => pb::VoidReason::AllGone,
    }
}
