//! Why the arena refuses a command. `grpc/status` turns refusals into status codes.

use std::time::Duration;

use thiserror::Error;

use crate::match_run::Refused;
use crate::names::BotId;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("there is no bot {0}")]
    NoSuchBot(BotId),
    #[error("there is no such match, or it is over")]
    NoSuchMatch,
    #[error("the bot does not play in this match")]
    NotSeated,
    #[error(transparent)]
    Match(Refused),
    #[error("another process uses this token now")]
    Replaced,
    #[error("the session is over, as after a restart; begin a new one by leaving `session` empty")]
    SessionEnded,
    #[error("the token is not known, or was revoked")]
    Revoked,
    #[error("the name is taken")]
    NameTaken { field: &'static str },
    #[error("owner {0} exists: use the owner's token to add a bot")]
    OwnerTaken(crate::names::Owner),
    #[error("this token belongs to another owner")]
    OtherOwner,
    #[error("registration is by invitation: ask the organiser for a code")]
    InvitationNeeded,
    #[error("the invitation is unknown or was used before")]
    BadInvitation,
    #[error("there is no such token")]
    NoSuchToken,
    #[error("the limit is reached: {limit} {what}")]
    Quota { key: &'static str, what: &'static str, limit: usize, retry_after: Duration },
    #[error("{0} is not connected, or has no free place")]
    NotThere(BotId),
    #[error("{0} accepts no challenges")]
    Unwilling(BotId),
    #[error("{found} opponents are named; the table needs {needed}")]
    Opponents { found: usize, needed: usize },
    #[error("seat {seat} is not at this table")]
    NoSuchSeat { seat: usize },
    #[error("{0} is challenged twice")]
    Twice(BotId),
    #[error("{0} is paused")]
    Paused(BotId),
    #[error("an organiser has paused {0}, and only an organiser can resume it")]
    PausedByOrganiser(BotId),
    #[error("an organiser has banned owner {owner}: {note}")]
    Banned { owner: crate::names::Owner, note: String },
    #[error("there is no owner {0}")]
    NoSuchOwner(crate::names::Owner),
    #[error("the match was voided before")]
    AlreadyVoided,
    #[error("owner {0} is a reserved name, or looks like one")]
    Reserved(crate::names::Owner),
    #[error("this request id was used before, for another request or more than an hour ago")]
    RequestIdReused,
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        Self::Match(refused)
    }
}

impl Refusal {
    /// The stable reason for programs. Part of the API: reasons are added, never renamed.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NoSuchBot(_) => "NO_SUCH_BOT",
            Self::NoSuchMatch => "NO_SUCH_MATCH",
            Self::NotSeated => "NOT_SEATED",
            Self::Match(Refused::Over) => "MATCH_OVER",
            Self::Match(Refused::NotBegun) => "MATCH_NOT_BEGUN",
            Self::Match(Refused::OtherNonce) => "OTHER_NONCE",
            Self::Match(Refused::StaleTurn { .. }) => "STALE_TURN",
            Self::Match(Refused::NotYourTurn { .. }) => "NOT_YOUR_TURN",
            Self::Match(Refused::OutOfTime) => "OUT_OF_TIME",
            Self::Match(Refused::Out) => "FORFEITED",
            Self::Match(Refused::OtherMove { .. }) => "MOVE_ALREADY_ACCEPTED",
            Self::Match(Refused::Illegal { .. }) => "ILLEGAL_MOVE",
            Self::Replaced => "REPLACED",
            Self::SessionEnded => "SESSION_ENDED",
            Self::Revoked => "UNKNOWN_TOKEN",
            Self::NameTaken { .. } => "NAME_TAKEN",
            Self::OwnerTaken(_) | Self::Reserved(_) => "OWNER_TAKEN",
            Self::OtherOwner => "OTHER_OWNER",
            Self::InvitationNeeded => "INVITATION_NEEDED",
            Self::BadInvitation => "BAD_INVITATION",
            Self::NoSuchToken => "NO_SUCH_TOKEN",
            Self::Quota { .. } => "QUOTA",
            Self::NotThere(_) => "NOT_THERE",
            Self::Unwilling(_) => "UNWILLING",
            Self::Opponents { .. } => "WRONG_NUMBER_OF_OPPONENTS",
            Self::NoSuchSeat { .. } => "NO_SUCH_SEAT",
            Self::Twice(_) => "CHALLENGED_TWICE",
            Self::Paused(_) => "PAUSED",
            Self::PausedByOrganiser(_) => "PAUSED_BY_ORGANISER",
            Self::Banned { .. } => "BANNED",
            Self::NoSuchOwner(_) => "NO_SUCH_OWNER",
            Self::AlreadyVoided => "ALREADY_VOIDED",
            Self::RequestIdReused => "REQUEST_ID_REUSED",
        }
    }
}
