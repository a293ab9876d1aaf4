//! Many games side by side, for learning.

mod arrays;
mod options;
mod table;

use azulejo_engine::Ruleset;
use azulejo_rules::parts::Layout;
use azulejo_rules::{azul, pavilion};

use crate::game::{layout, read_ruleset};
use crate::{Chance, Game, PlayError};
pub(crate) use arrays::Scale;
pub use arrays::{Arrays, Observations};
pub use options::{BatchOptions, Learner, StartSeat, View};
use table::Tables;

/// Many games of one ruleset side by side. A finished game starts again at once.
///
/// It owns the games and writes what there is to see into arrays of the caller, always the same ones:
/// see [`Arrays`].
#[derive(Clone, Debug)]
pub struct Batch {
    ruleset: Ruleset,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Azul(Tables<azul::Position>),
    SummerPavilion(Tables<pavilion::Position>),
}

/// Runs the same code on the games of either kind.
macro_rules! on {
    ($batch:expr, $tables:ident => $body:expr) => {
        match $batch {
            Kind::Azul($tables) => $body,
            Kind::SummerPavilion($tables) => $body,
        }
    };
}

impl Batch {
    /// The most games of a batch.
    pub const MOST_GAMES: usize = 1 << 20;

    /// `games` new games of the ruleset with this key.
    pub fn new(ruleset: &str, games: usize, options: &BatchOptions) -> Result<Self, PlayError> {
        let ruleset = read_ruleset(ruleset)?;
        if !(1..=Self::MOST_GAMES).contains(&games) {
            return Err(PlayError::OutOfRange {
                what: "the number of games",
                least: 1,
                most: Self::MOST_GAMES,
                found: games,
            });
        }
        let kind = match ruleset {
            Ruleset::Azul(rules) => Kind::Azul(Tables::new(rules, games, options)?),
            Ruleset::SummerPavilion(rules) => {
                Kind::SummerPavilion(Tables::new(rules, games, options)?)
            }
        };
        Ok(Self { ruleset, kind })
    }

    #[must_use]
    pub const fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        on!(&self.kind, tables => tables.len())
    }

    /// A batch has at least one game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn players(&self) -> usize {
        self.ruleset.players().seats()
    }

    /// The length of a mask.
    #[must_use]
    pub fn action_count(&self) -> usize {
        on!(&self.kind, tables => tables.action_count())
    }

    /// The length of an observation.
    #[must_use]
    pub fn observation_size(&self) -> usize {
        on!(&self.kind, tables => tables.observation_size())
    }

    #[must_use]
    pub fn layout(&self) -> Layout {
        layout(self.ruleset)
    }

    /// Starts all games again, with the options of the batch and another seed, and writes all arrays.
    pub fn reset(&mut self, seed: u64, arrays: &mut Arrays<'_>) -> Result<(), PlayError> {
        on!(&mut self.kind, tables => tables.reset(seed, arrays))
    }

    /// Writes all arrays again; rewards and ends are zero.
    pub fn observe(&mut self, arrays: &mut Arrays<'_>) -> Result<(), PlayError> {
        on!(&mut self.kind, tables => tables.observe(arrays))
    }

    /// Plays one move in every game and writes all arrays. If one move is illegal, none is played.
    pub fn step<A: Copy + Into<i64>>(
        &mut self,
        actions: &[A],
        arrays: &mut Arrays<'_>,
    ) -> Result<(), PlayError> {
        on!(&mut self.kind, tables => tables.step(actions, arrays))
    }

    /// A random legal action of each game, from the masks of the last step.
    pub fn sample(&mut self, masks: &[u8], actions: &mut [i64]) -> Result<(), PlayError> {
        on!(&mut self.kind, tables => tables.sample(masks, actions))
    }

    /// A copy of one game.
    pub fn game(&self, index: usize) -> Result<Game, PlayError> {
        let missing = || PlayError::OutOfRange {
            what: "the game",
            least: 0,
            most: self.len() - 1,
            found: index,
        };
        let (table, dice) =
            on!(&self.kind, tables => tables.game(index).map(|(game, dice)| (game.into(), dice)))
                .ok_or_else(missing)?;
        Ok(Game::at(table, Chance::Auto(dice)))
    }
}
