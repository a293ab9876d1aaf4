//! Bots that try to gain rating by other means than better moves.

/// A way to cheat that a tenth of the bots uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cheat {
    /// They do not begin matches against opponents that are not much weaker. They know whom they
    /// meet only when the seats of a table are rotated.
    Dodgers,
    /// The same when opponents were named at once and a dodge cost nothing, for comparison.
    DodgersAsBefore,
    /// They lose their first games on purpose.
    Sandbaggers,
    /// They declare a new version after each loss, as often as they may.
    Hoppers,
    /// Of two, one always loses to the other.
    Pairs,
    /// Four new owners each have a bot that always loses to the same one.
    Farms,
    /// The third bot always loses to the first, in a pool where hardly any other bot plays.
    EmptyPool,
}

/// What a cheat does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Dodger {
        knows_opponents: bool,
    },
    Sandbagger,
    Hopper,
    /// Others lose to it.
    Winner,
    Loser {
        to: String,
    },
}

impl Role {
    /// Dodgers play only those that are weaker by so many points.
    pub(crate) const MARGIN: f64 = 100.0;
    /// Games that a sandbagger loses on purpose.
    pub(crate) const LOST_ON_PURPOSE: u32 = 30;
}

impl Cheat {
    pub(crate) const ALL: [Self; 6] = [
        Self::Dodgers,
        Self::DodgersAsBefore,
        Self::Sandbaggers,
        Self::Hoppers,
        Self::Pairs,
        Self::Farms,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Dodgers => "dodgers",
            Self::DodgersAsBefore => {
                "dodgers, if opponents were named at once and dodging were free"
            }
            Self::Sandbaggers => "sandbaggers",
            Self::Hoppers => "version hoppers",
            Self::Pairs => "colluding pairs",
            Self::Farms => "farms of four new owners",
            Self::EmptyPool => "two alone in a pool, except for house bots",
        }
    }

    /// What the bot with this number does: every tenth cheats.
    pub(crate) fn role(self, number: usize) -> Option<Role> {
        let every = if self == Self::EmptyPool { 2 } else { 10 };
        if !number.is_multiple_of(every) {
            return None;
        }
        let group = match self {
            Self::EmptyPool => 4,
            Self::Pairs => 20,
            Self::Farms => 50,
            Self::Dodgers | Self::DodgersAsBefore | Self::Sandbaggers | Self::Hoppers => 10,
        };
        let winner = number - number % group;
        Some(match self {
            Self::Dodgers => Role::Dodger { knows_opponents: false },
            Self::DodgersAsBefore => Role::Dodger { knows_opponents: true },
            Self::Sandbaggers => Role::Sandbagger,
            Self::Hoppers => Role::Hopper,
            Self::Pairs | Self::Farms | Self::EmptyPool if winner == number => Role::Winner,
            Self::Pairs | Self::Farms | Self::EmptyPool => {
                Role::Loser { to: format!("owner{}/bot{}", winner / 2, winner % 2) }
            }
        })
    }
}
