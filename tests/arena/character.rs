//! What bots are like.

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
    /// Says that it is ready, and nothing more.
    Silent,
    /// Answers when its time is up.
    Late,
    /// Gives so many wrong answers first.
    Illegal(u32),
    /// Says everything twice.
    Twice,
    /// Answers turns that are not due.
    Stale,
    Resigner,
    /// Often does not say that it is ready.
    NeverReady,
    /// Says that it is ready twice, with different nonces.
    TwoNonces,
    /// Opens sessions again and again.
    TwoSessions,
    /// Is away for a while.
    Vanisher,
    /// Says all kinds of things.
    Flooder,
    /// Does not read its events for a while.
    SlowFetcher,
    /// Polls.
    Poller,
    Challenger,
    /// Changes its version and its offer.
    Fickle,
}

impl Character {
    /// Many good ones, so that matches are played to the end.
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
