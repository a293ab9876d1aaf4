//! How a match ended, as text.

use azulejo_arena::record::{EndReason, Event, SeatEnd};
use azulejo_arena::store::SavedMatch;

/// How the match ended for each seat; `None` if it was called off.
pub(crate) fn seat_ends(saved: &SavedMatch) -> Option<&[SeatEnd]> {
    saved.events.iter().rev().find_map(|event| match event {
        Event::Ended { seats, .. } => Some(seats.as_slice()),
        Event::Ready { .. }
        | Event::Started { .. }
        | Event::Moved { .. }
        | Event::Refused(_)
        | Event::Forfeited { .. }
        | Event::Voided { .. } => None,
    })
}

/// Why it was called off; `None` if it was not.
pub(crate) fn void_reason(saved: &SavedMatch) -> Option<&str> {
    saved.events.iter().rev().find_map(|event| match event {
        Event::Voided { why, .. } => Some(why.as_str()),
        Event::Ready { .. }
        | Event::Started { .. }
        | Event::Moved { .. }
        | Event::Refused(_)
        | Event::Forfeited { .. }
        | Event::Ended { .. } => None,
    })
}

/// A line for each seat that forfeited, and the winners; empty if all played to the end.
pub(crate) fn describe_forfeits(saved: &SavedMatch, names: &[String]) -> Vec<String> {
    let Some(seats) = seat_ends(saved) else {
        return vec![format!(
            "The match was called off: {}.",
            void_reason(saved).unwrap_or("it did not start")
        )];
    };
    let failed = names.iter().zip(seats).filter(|(_, end)| end.reason != EndReason::Finished);
    let mut lines: Vec<String> =
        failed.map(|(name, end)| format!("{name} forfeits: {}.", describe(end.reason))).collect();
    if !lines.is_empty() {
        let first = names.iter().zip(seats).filter(|(_, end)| end.placement == 1);
        let first: Vec<&str> = first.map(|(name, _)| name.as_str()).collect();
        lines.push(format!("First place: {}.", first.join(", ")));
    }
    lines
}

/// Why a seat's match ended, as part of a sentence. `azulejo match --json` uses it as a key, so the
/// texts must not change.
pub(crate) const fn describe(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Finished => "it played to the end",
        EndReason::Resigned => "it gave up",
        EndReason::OutOfTime => "its clock ran out",
        EndReason::IllegalMoves => "three answers to one turn were no legal moves",
        EndReason::Gone => "nothing was heard from it for 30 seconds",
        EndReason::NoShow => "it never said that it was ready",
        EndReason::CalledOff => "the match was called off",
        EndReason::ServerError => "the server failed",
    }
}
