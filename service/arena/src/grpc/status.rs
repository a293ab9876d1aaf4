//! Errors as gRPC statuses: the only file of the arena that names status codes.

use std::collections::HashMap;
use std::time::Duration;

use azulejo_runtime::{DOMAIN, Overloaded};
use azulejo_wire::BadField;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::arena_loop::{CommandError, VoidError};
use crate::match_run::Refused;
use crate::names::{BadName, BotId};
use crate::pool::NoSuchPool;
use crate::state::Refusal;
use crate::store::StoreError;

fn plain(code: Code, reason: &str, message: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, DOMAIN, HashMap::new());
    Status::with_error_details(code, message, details)
}

fn later(code: Code, reason: &str, message: &str, wait: Duration) -> Status {
    let mut details = ErrorDetails::with_error_info(reason, DOMAIN, HashMap::new());
    details.set_retry_info(Some(wait));
    Status::with_error_details(code, message, details)
}

pub(super) fn failed(error: CommandError) -> Status {
    match error {
        CommandError::Refused(refusal) => refused(&refusal),
        CommandError::Overloaded => later(
            Code::ResourceExhausted,
            "OVERLOADED",
            "the arena is overloaded; try again",
            Duration::from_millis(100),
        ),
        CommandError::Restarting => later(
            Code::Unavailable,
            "RESTARTING",
            "the arena is restarting; nothing is lost, try again",
            Duration::from_millis(500),
        ),
    }
}

fn refused(refusal: &Refusal) -> Status {
    let message = refusal.to_string();
    if let Refusal::Match(Refused::Illegal { problem, tries }) = refusal {
        return illegal(problem, *tries, &message);
    }
    if let Refusal::Quota { key, limit, retry_after, .. } = refusal {
        return quota(key, *limit, *retry_after, &message);
    }
    let mut metadata = HashMap::new();
    if let Refusal::Match(Refused::StaleTurn { due, .. }) = refusal {
        metadata.insert("due".to_owned(), due.to_string());
    }
    if let Refusal::Match(Refused::OtherMove { accepted, action_id, .. }) = refusal {
        metadata.insert("accepted".to_owned(), accepted.to_string());
        metadata.insert("action_id".to_owned(), action_id.to_string());
    }
    let mut details = ErrorDetails::with_error_info(refusal.reason(), DOMAIN, metadata);
    if let Refusal::Opponents { .. } | Refusal::Twice(_) = refusal {
        details.add_bad_request_violation("opponents", &message);
    }
    if let Refusal::NoSuchSeat { .. } = refusal {
        details.add_bad_request_violation("seat", &message);
    }
    Status::with_error_details(code(refusal), message, details)
}

/// The engine's own error, with the number of tries.
fn illegal(problem: &azulejo_engine::EngineError, tries: u32, message: &str) -> Status {
    let status = Status::from(problem.clone());
    let mut details = status.get_error_details();
    if let Some(info) = details.error_info() {
        let mut metadata = info.metadata.clone();
        metadata.insert("tries".to_owned(), tries.to_string());
        let reason = info.reason.clone();
        details.set_error_info(reason, DOMAIN, metadata);
    }
    Status::with_error_details(status.code(), message, details)
}

const fn code(refusal: &Refusal) -> Code {
    match refusal {
        Refusal::NoSuchBot(_)
        | Refusal::NoSuchOwner(_)
        | Refusal::NoSuchMatch
        | Refusal::NoSuchToken => Code::NotFound,
        Refusal::Revoked => Code::Unauthenticated,
        Refusal::NotSeated
        | Refusal::OtherOwner
        | Refusal::Banned { .. }
        | Refusal::InvitationNeeded
        | Refusal::BadInvitation => Code::PermissionDenied,
        Refusal::Match(Refused::StaleTurn { .. }) | Refusal::Replaced | Refusal::SessionEnded => {
            Code::Aborted
        }
        Refusal::Match(
            Refused::Over
            | Refused::NotBegun
            | Refused::OtherNonce
            | Refused::NotYourTurn { .. }
            | Refused::OutOfTime
            | Refused::Out,
        )
        | Refusal::NotThere(_)
        | Refusal::Paused(_)
        | Refusal::PausedByOrganiser(_)
        | Refusal::AlreadyVoided
        | Refusal::Unwilling(_) => Code::FailedPrecondition,
        Refusal::NameTaken { .. }
        | Refusal::Reserved(_)
        | Refusal::OwnerTaken(_)
        | Refusal::RequestIdReused
        | Refusal::Match(Refused::OtherMove { .. }) => Code::AlreadyExists,
        Refusal::Match(Refused::Illegal { .. })
        | Refusal::Opponents { .. }
        | Refusal::NoSuchSeat { .. }
        | Refusal::Twice(_) => Code::InvalidArgument,
        Refusal::Quota { .. } => Code::ResourceExhausted,
    }
}

fn quota(key: &str, limit: usize, wait: Duration, message: &str) -> Status {
    let metadata = HashMap::from([
        ("key".to_owned(), key.to_owned()),
        ("limit".to_owned(), limit.to_string()),
        ("remaining".to_owned(), "0".to_owned()),
        ("retry_after_ms".to_owned(), wait.as_millis().to_string()),
    ]);
    let mut details = ErrorDetails::with_error_info("QUOTA", DOMAIN, metadata);
    details.add_quota_failure_violation(key, message);
    details.set_retry_info(Some(wait));
    Status::with_error_details(Code::ResourceExhausted, message, details)
}

/// The bot has exceeded its rate limit.
pub(super) fn flood(per_second: u32, wait: Duration) -> Status {
    let message = format!("a bot may make {per_second} calls a second");
    quota("calls-a-second", per_second as usize, wait, &message)
}

/// The bot opens sessions too often.
pub(super) fn too_many_sessions(per_minute: u32, wait: Duration) -> Status {
    let message = format!("a bot may open {per_minute} sessions a minute");
    quota("sessions-a-minute", per_minute as usize, wait, &message)
}

pub(super) fn no_token() -> Status {
    let message = "send the header `authorization: Bearer <token>`; RegisterBot gives one";
    plain(Code::Unauthenticated, "NO_TOKEN", message)
}

pub(super) fn unknown_token() -> Status {
    refused(&Refusal::Revoked)
}

pub(super) fn other_token(needed: &str) -> Status {
    plain(Code::PermissionDenied, "OTHER_TOKEN", &format!("this call needs {needed} token"))
}

pub(super) fn no_such_bot(bot: BotId) -> Status {
    refused(&Refusal::NoSuchBot(bot))
}

pub(super) fn no_such_match() -> Status {
    refused(&Refusal::NoSuchMatch)
}

/// As many watch the match as may.
pub(super) fn too_many_watchers() -> Status {
    azulejo_runtime::overloaded(&Overloaded { retry_after: Duration::from_secs(5) })
}

/// The bot did not fetch its events fast enough.
pub(super) fn too_slow() -> Status {
    later(
        Code::ResourceExhausted,
        "TOO_SLOW",
        "too many events waited to be fetched; open a new stream",
        Duration::from_millis(500),
    )
}

/// The session ended because the arena restarts.
pub(super) fn closed() -> Status {
    failed(CommandError::Restarting)
}

pub(super) fn store(error: &StoreError) -> Status {
    tracing::error!(%error, "cannot read from the store");
    match error {
        StoreError::Unreadable(_) => {
            let message = "this match is damaged in the store; the server's log says where";
            plain(Code::DataLoss, "DAMAGED", message)
        }
        StoreError::Fenced | StoreError::Conflict(_) | StoreError::Failed(_) => {
            failed(CommandError::Restarting)
        }
    }
}

pub(super) fn not_voided(error: VoidError) -> Status {
    match error {
        VoidError::Command(error) => failed(error),
        VoidError::Store(error) => store(&error),
    }
}

pub(super) fn bad_name(field: &str, problem: BadName) -> Status {
    bad_field("BAD_NAME", field, &problem.to_string())
}

pub(super) fn bad_pool(field: &str, problem: NoSuchPool) -> Status {
    bad_field("NO_SUCH_POOL", field, &problem.to_string())
}

pub(super) fn bad_field(reason: &str, field: &str, problem: &str) -> Status {
    let mut details = ErrorDetails::with_error_info(reason, DOMAIN, HashMap::new());
    let message = format!("{field}: {problem}");
    details.add_bad_request_violation(field, message.clone());
    Status::with_error_details(Code::InvalidArgument, message, details)
}

pub(super) fn missing(field: &'static str) -> Status {
    Status::from(azulejo_engine::EngineError::from(BadField::missing(field)))
}
