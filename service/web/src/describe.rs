//! Names of the arena's concepts for people.

use azulejo_arena::match_run::UnratedReason;
use azulejo_arena::pool::{Pool, TimeClass};
use azulejo_arena::record::{EndReason, Seat};
use azulejo_engine::Ruleset;
use maud::{Markup, html};

pub(crate) const fn class(class: TimeClass) -> &'static str {
    match class {
        TimeClass::Bullet => "bullet",
        TimeClass::Blitz => "blitz",
        TimeClass::Rapid => "rapid",
    }
}

/// "Azul, colored side, 2 players, blitz".
pub(crate) fn pool(pool: Pool) -> String {
    format!("{}, {}", pool.ruleset.title(), class(pool.time_class))
}

/// "Azul", "Summer Pavilion".
pub(crate) fn game(ruleset: Ruleset) -> String {
    let title = ruleset.title();
    title.split(',').next().unwrap_or_default().to_owned()
}

/// How the match ended for a seat; follows its name.
pub(crate) const fn ending(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Finished => "played to the end",
        EndReason::Resigned => "resigned",
        EndReason::OutOfTime => "ran out of time",
        EndReason::IllegalMoves => "answered three times with illegal moves",
        EndReason::Gone => "was disconnected for too long",
        EndReason::NoShow => "did not show up",
        EndReason::CalledOff => "was present; the match was called off",
        EndReason::ServerError => "was stopped by a server error",
    }
}

/// Why a match is not rated.
pub(crate) const fn unrated(reason: UnratedReason) -> &'static str {
    match reason {
        UnratedReason::Challenge => "a challenge",
        UnratedReason::ServerSeat => "the server played a seat",
        UnratedReason::Voided => "voided",
    }
}

/// "1st", "2nd"; a dash without a placement.
pub(crate) const fn place(placement: u8) -> &'static str {
    match placement {
        0 => "–",
        1 => "1st",
        2 => "2nd",
        3 => "3rd",
        _ => "4th",
    }
}

/// Names without their owners, as far as that leaves them different.
pub(crate) fn short_names(seats: &[Seat]) -> Vec<String> {
    let full: Vec<String> = seats.iter().map(Seat::name).collect();
    let tail = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
    let short: Vec<String> = full.iter().map(tail).collect();
    let alone = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    full.iter()
        .zip(&short)
        .map(|(full, short)| if alone(short) { short } else { full }.clone())
        .collect()
}

/// Names of seats whose bots are secret.
pub(crate) fn hidden_names(seats: usize) -> Vec<String> {
    (1..=seats).map(|seat| format!("Seat {seat}")).collect()
}

/// `owner/name`, which may be broken after the slash.
pub(crate) fn breakable(bot: &str) -> Markup {
    html! {
        @match bot.split_once('/') {
            Some((owner, name)) => { (owner) "/" wbr; (name) }
            None => (bot),
        }
    }
}

/// "1 game", "2 games".
pub(crate) fn several(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
