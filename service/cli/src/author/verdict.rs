//! What a match came to, in words.

use azulejo_arena::record::{EndReason, Event, SeatEnd};
use azulejo_arena::store::SavedMatch;

/// How the match ended for each seat; none if it was called off.
pub(crate) fn seats(saved: &SavedMatch) -> Option<&[SeatEnd]> {
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

/// Why it was called off, if it was.
pub(crate) fn why_void(saved: &SavedMatch) -> Option<&str> {
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

/// Whoever did not play to the end, and why.
pub(crate) fn lines(saved: &SavedMatch, names: &[String]) -> Vec<String> {
    let Some(seats) = seats(saved) else {
        return vec![format!(
            "The match was called off: {}.",
            why_void(saved).unwrap_or("it never began")
        )];
    };
    let failed = names.iter().zip(seats).filter(|(_, end)| end.reason != EndReason::Finished);
    let mut lines: Vec<String> =
        failed.map(|(name, end)| format!("{name} forfeits: {}.", words(end.reason))).collect();
    if !lines.is_empty() {
        let first = names.iter().zip(seats).filter(|(_, end)| end.placement == 1);
        let first: Vec<&str> = first.map(|(name, _)| name.as_str()).collect();
        lines.push(format!("First place: {}.", first.join(", ")));
    }
    lines
}

/// How it ended for a seat, as a part of a sentence.
pub(crate) const fn words(reason: EndReason) -> &'static str {
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
