//! The network: delays, losses, duplicates, and connections that break.

use crate::character::Character;
use crate::dice::Dice;
use crate::world::{At, MS};

#[derive(Clone, Debug)]
pub(crate) struct Net {
    /// One way.
    pub(crate) delay: (At, At),
    /// Requests and answers lost, per thousand.
    pub(crate) loss: u64,
    /// Requests that arrive twice, per thousand.
    pub(crate) doubled: u64,
    /// Events at which the connection breaks, per thousand.
    pub(crate) cut: u64,
    /// How long an event may wait until it is fetched.
    pub(crate) fetch: At,
}

impl Net {
    pub(crate) fn of(character: Character, dice: &mut Dice) -> Self {
        let fetch = if character == Character::SlowFetcher { 600 * MS } else { 2 * MS };
        if character == Character::Prompt {
            return Self { delay: (MS, 15 * MS), loss: 0, doubled: 50, cut: 0, fetch };
        }
        let slowest = *dice.pick(&[10 * MS, 40 * MS, 120 * MS]);
        let loss = *dice.pick(&[0, 5, 30]);
        let cut = *dice.pick(&[0, 3, 10]);
        Self { delay: (MS, slowest), loss, doubled: 30, cut, fetch }
    }

    pub(crate) fn way(&self, dice: &mut Dice) -> At {
        dice.between(self.delay.0, self.delay.1)
    }

    /// From now on nothing is lost.
    pub(crate) const fn calm(&mut self) {
        (self.loss, self.cut, self.fetch) = (0, 0, MS);
    }
}
