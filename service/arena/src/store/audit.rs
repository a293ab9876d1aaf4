//! What organisers did.

use crate::time::Wall;

/// One act of an organiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Wall,
    /// The public part of the organiser's token, or how the act was made without one.
    pub organiser: String,
    pub act: Act,
    /// The bot, owner, match or token that it concerns, or the number of invitations.
    pub subject: String,
    /// What the organiser wrote; empty if the act has no note.
    pub note: String,
}

/// What an organiser can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Invite,
    Pause,
    Resume,
    Ban,
    Unban,
    Void,
    Revoke,
    /// A new token of an organiser.
    CreateToken,
}

impl Act {
    const ALL: [Self; 8] = [
        Self::Invite,
        Self::Pause,
        Self::Resume,
        Self::Ban,
        Self::Unban,
        Self::Void,
        Self::Revoke,
        Self::CreateToken,
    ];

    /// As it is stored.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Invite => "invite",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Ban => "ban",
            Self::Unban => "unban",
            Self::Void => "void",
            Self::Revoke => "revoke",
            Self::CreateToken => "create-token",
        }
    }

    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_is_read_as_it_was_stored() {
        for act in Act::ALL {
            assert_eq!(Act::of(act.word()), Some(act));
        }
        assert_eq!(Act::of("juggle"), None);
    }
}
