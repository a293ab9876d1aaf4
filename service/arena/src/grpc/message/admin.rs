//! What organisers see, as messages.

use azulejo_wire::served::arena as pb;

use super::timestamp;
use crate::pairs::SuspiciousPair;
use crate::store::{Act, AuditEntry, Holder, ListedInvitation, ListedOwner, ListedToken};

const fn number(stored: i64) -> u64 {
    stored.cast_unsigned()
}

pub(crate) fn owner(owner: &ListedOwner) -> pb::Owner {
    let ListedOwner { number: _, owner, registered, bots, banned } = owner;
    pb::Owner {
        name: owner.to_string(),
        create_time: Some(timestamp(*registered)),
        bots: *bots,
        banned: banned.is_some(),
        ban_note: banned.clone().unwrap_or_default(),
    }
}

pub(crate) fn token(token: &ListedToken) -> pb::Token {
    let ListedToken { number: _, public, holder, created, revoked } = token;
    let (bot, owner) = match holder {
        Holder::Admin => (String::new(), String::new()),
        Holder::Owner(owner) => (String::new(), owner.to_string()),
        Holder::Bot(bot) => (bot.to_string(), String::new()),
    };
    pb::Token {
        public_part: public.clone(),
        bot,
        owner,
        create_time: created.map(timestamp),
        revoked: *revoked,
    }
}

pub(crate) fn invitation(invitation: &ListedInvitation) -> pb::Invitation {
    pb::Invitation {
        number: number(invitation.number),
        create_time: invitation.created.map(timestamp),
        used: invitation.used,
    }
}

pub(crate) fn audit_entry((stored, entry): &(i64, AuditEntry)) -> pb::AuditEntry {
    let AuditEntry { at, organiser, act, subject, note } = entry;
    pb::AuditEntry {
        number: number(*stored),
        create_time: Some(timestamp(*at)),
        organiser: organiser.clone(),
        act: audit_act(*act).into(),
        subject: subject.clone(),
        note: note.clone(),
    }
}

const fn audit_act(act: Act) -> pb::AuditAct {
    match act {
        Act::Invite => pb::AuditAct::Invite,
        Act::Pause => pb::AuditAct::Pause,
        Act::Resume => pb::AuditAct::Resume,
        Act::Ban => pb::AuditAct::Ban,
        Act::Unban => pb::AuditAct::Unban,
        Act::Void => pb::AuditAct::Void,
        Act::Revoke => pb::AuditAct::Revoke,
        Act::CreateToken => pb::AuditAct::CreateToken,
    }
}

pub(crate) fn suspicious_pair(pair: &SuspiciousPair) -> pb::SuspiciousPair {
    pb::SuspiciousPair {
        bot: pair.bot.to_string(),
        opponent: pair.opponent.to_string(),
        meetings: pair.meetings,
        expected_meetings: pair.expected_meetings,
        score: pair.score,
        expected_score: pair.expected_score,
        met_too_often: pair.met_too_often,
        one_sided: pair.one_sided,
    }
}
