//! Kinds of bots.

use crate::dice::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Character {
    /// Answers at once over a good network: it must never forfeit, whatever the others do.
    Prompt,
    /// Answers soon, over any network.
    Honest,
    Slow,
    /// Never decides.
    Mute,
    /// Sends `Ready`, and nothing else.
    Silent,
    /// Sometimes answers after its time is up.
    Late,
    /// Sends this many illegal moves first.
    Illegal(u32),
    /// Submits every move twice.
    Twice,
    /// Answers turns that are not due.
    Stale,
    Resigner,
    /// Often does not send `Ready`.
    NeverReady,
    /// Sends `Ready` twice, with different nonces.
    TwoNonces,
    /// Opens a new session again and again.
    TwoSessions,
    /// Disconnects for a while.
    Vanisher,
    /// Sends requests of all kinds.
    Flooder,
    /// Does not read its events for a while.
    SlowFetcher,
    /// Polls for events.
    Poller,
    Challenger,
    /// Changes its version and its offer.
    Fickle,
}

impl Character {
    /// Half of them play well, so that matches are played to the end.
    pub(crate) fn of(dice: &mut Dice) -> Self {
        const ODD: [Character; 19] = [
            Character::Slow,
            Character::Mute,
            Character::Silent,
            Character::Late,
            Character::Illegal(1),
            Character::Illegal(2),
            Character::Illegal(3),
            Character::Twice,
            Character::Stale,
            Character::Resigner,
            Character::NeverReady,
            Character::TwoNonces,
            Character::TwoSessions,
            Character::Vanisher,
            Character::Flooder,
            Character::SlowFetcher,
            Character::Poller,
            Character::Challenger,
            Character::Fickle,
        ];
        match dice.below(10) {
            0..=2 => Self::Prompt,
            3 | 4 => Self::Honest,
            _ => *dice.pick(&ODD),
        }
    }
}
