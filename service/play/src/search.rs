//! Many search trees side by side, with the network outside.

mod noise;
mod tree;
mod trees;

use azulejo_engine::Ruleset;
use azulejo_rules::{azul, pavilion};

use crate::{Game, PlayError};
use trees::Trees;

/// How a search explores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// The weight of the priors.
    pub exploration: f32,
    /// The share of noise in the priors of the root: 0 for play, about 0.25 for self-play.
    pub noise: f32,
    /// The parameter of that noise (Dirichlet).
    pub alpha: f32,
    /// The most different deals after one move that a tree keeps; more are drawn from those.
    pub outcomes: usize,
    /// Decides all deals and the noise.
    pub seed: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { exploration: 1.5, noise: 0.0, alpha: 0.3, outcomes: 8, seed: 0 }
    }
}

/// Search trees (PUCT) that grow side by side, one for each game. The network is the caller's:
/// [`Search::request`] says which positions it has to evaluate, and [`Search::submit`] takes the
/// results.
///
/// A tree samples deals, so it averages over what is not known, and no tree sees the deals of its
/// game.
#[derive(Clone, Debug)]
pub struct Search {
    ruleset: Ruleset,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Azul(Trees<azul::Position>),
    SummerPavilion(Trees<pavilion::Position>),
}

/// Runs the same code on the trees of either kind.
macro_rules! on {
    ($search:expr, $trees:ident => $body:expr) => {
        match &$search.kind {
            Kind::Azul($trees) => $body,
            Kind::SummerPavilion($trees) => $body,
        }
    };
    (mut $search:expr, $trees:ident => $body:expr) => {
        match &mut $search.kind {
            Kind::Azul($trees) => $body,
            Kind::SummerPavilion($trees) => $body,
        }
    };
}

impl Search {
    /// A tree for each game. All games must have the same ruleset, and a seat must have to decide.
    pub fn new(games: &[Game], options: SearchOptions) -> Result<Self, PlayError> {
        let most = crate::Batch::MOST_GAMES;
        let Some(first) = games.first().filter(|_| games.len() <= most) else {
            let (what, found) = ("the number of games", games.len());
            return Err(PlayError::OutOfRange { what, least: 1, most, found });
        };
        let kind = match first.ruleset() {
            Ruleset::Azul(_) => Kind::Azul(Trees::new(games.len(), options)?),
            Ruleset::SummerPavilion(_) => Kind::SummerPavilion(Trees::new(games.len(), options)?),
        };
        let mut search = Self { ruleset: first.ruleset(), kind };
        for (tree, game) in games.iter().enumerate() {
            search.restart(tree, game)?;
        }
        Ok(search)
    }

    /// The number of trees.
    #[must_use]
    pub fn len(&self) -> usize {
        on!(self, trees => trees.len())
    }

    /// A search has at least one tree.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn observation_size(&self) -> usize {
        on!(self, trees => trees.observation_size())
    }

    #[must_use]
    pub fn action_count(&self) -> usize {
        on!(self, trees => trees.action_count())
    }

    #[must_use]
    pub fn players(&self) -> usize {
        on!(self, trees => trees.players())
    }

    /// Begins a new tree at the position of this game.
    pub fn restart(&mut self, tree: usize, game: &Game) -> Result<(), PlayError> {
        let trees = self.len();
        if tree >= trees {
            let (what, most) = ("the tree", trees - 1);
            return Err(PlayError::OutOfRange { what, least: 0, most, found: tree });
        }
        let expected = || self.ruleset.key();
        if game.ruleset() != self.ruleset {
            return Err(PlayError::OtherRuleset { expected: expected() });
        }
        match (&mut self.kind, game) {
            (Kind::Azul(trees), Game::Azul(game)) => trees.restart(tree, game.position),
            (Kind::SummerPavilion(trees), Game::SummerPavilion(game)) => {
                trees.restart(tree, game.position)
            }
            (Kind::Azul(_), Game::SummerPavilion(_)) | (Kind::SummerPavilion(_), Game::Azul(_)) => {
                Err(PlayError::OtherRuleset { expected: expected() })
            }
        }
    }

    /// Descends every tree to a position that the network has to evaluate, and writes it with its
    /// mask. `ready` becomes 1 for these trees; others need nothing in this turn. Returns their number.
    ///
    /// Without a [`Search::submit`] in between, the same positions are written again.
    pub fn request(
        &mut self,
        observations: &mut [f32],
        masks: &mut [u8],
        ready: &mut [u8],
    ) -> Result<usize, PlayError> {
        on!(mut self, trees => trees.request(observations, masks, ready))
    }

    /// The game at the position that a tree has to have evaluated, for evaluations that are not a
    /// network. Its deals are the caller's.
    pub fn leaf(&self, tree: usize) -> Option<Game> {
        on!(self, trees => trees.leaf(tree))
    }

    /// What the network says: for each tree a number per action, larger for better ones, and the
    /// expected return of each seat, clockwise from the one that has to decide. Rows of trees that
    /// are not ready are ignored. Minus infinity masks a move.
    pub fn submit(&mut self, logits: &[f32], values: &[f32]) -> Result<(), PlayError> {
        on!(mut self, trees => trees.submit(logits, values))
    }

    /// How often each action was visited, by tree.
    pub fn visits(&self, visits: &mut [u32]) -> Result<(), PlayError> {
        on!(self, trees => trees.visits(visits))
    }

    /// The mean return of each seat, by tree; seats are absolute. Zero before the first visit.
    pub fn values(&self, values: &mut [f32]) -> Result<(), PlayError> {
        on!(self, trees => trees.values(values))
    }
}
