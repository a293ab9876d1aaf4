//! The trees of a search whose kind of game is known.

use azulejo_bots::Dice;
use azulejo_rules::parts::{PlayerCount, Seat};

use super::SearchOptions;
use super::tree::Tree;
use crate::batch::Scale;
use crate::game::{check_length, layout};
use crate::position::Position;
use crate::{Chance, Game, PlayError};

#[derive(Clone, Debug)]
pub(super) struct Trees<P: Position> {
    options: SearchOptions,
    seeds: Dice,
    /// None until the first restart.
    grown: Vec<Option<Tree<P>>>,
    shape: Option<Shape>,
}

/// What belongs to the ruleset.
#[derive(Clone, Debug)]
struct Shape {
    players: PlayerCount,
    observation: usize,
    actions: usize,
    scale: Scale,
}

impl<P: Position> Trees<P> {
    pub(super) fn new(trees: usize, options: SearchOptions) -> Result<Self, PlayError> {
        let SearchOptions { exploration, noise, alpha, .. } = options;
        if ![exploration, noise, alpha].into_iter().all(f32::is_finite) {
            return Err(PlayError::NotFinite { what: "the options" });
        }
        if exploration < 0.0 || !(0.0..=1.0).contains(&noise) || alpha <= 0.0 {
            return Err(PlayError::Unknown {
                what: "options of a search",
                value: format!("{options:?}"),
                expected: "exploration at least 0, noise 0 to 1, alpha above 0",
            });
        }
        let seeds = Dice::new(options.seed);
        Ok(Self { options, seeds, grown: vec![None; trees], shape: None })
    }

    pub(super) fn len(&self) -> usize {
        self.grown.len()
    }

    pub(super) fn observation_size(&self) -> usize {
        self.shape.as_ref().map_or(0, |shape| shape.observation)
    }

    pub(super) fn action_count(&self) -> usize {
        self.shape.as_ref().map_or(0, |shape| shape.actions)
    }

    pub(super) fn players(&self) -> usize {
        self.shape.as_ref().map_or(0, |shape| shape.players.seats())
    }

    pub(super) fn restart(&mut self, tree: usize, root: P) -> Result<(), PlayError> {
        if root.to_move().is_none() {
            let why = if root.is_over() { "the game is over" } else { "a deal is due" };
            return Err(PlayError::NoTurn { why });
        }
        let ruleset = root.ruleset();
        self.shape.get_or_insert_with(|| Shape {
            players: ruleset.players(),
            observation: root.observation_size(),
            actions: root.action_count(),
            scale: Scale::of(&layout(ruleset)),
        });
        match &mut self.grown[tree] {
            Some(tree) => tree.restart(root),
            empty => *empty = Some(Tree::new(root, self.seeds.word())),
        }
        Ok(())
    }

    pub(super) fn request(
        &mut self,
        observations: &mut [f32],
        masks: &mut [u8],
        ready: &mut [u8],
    ) -> Result<usize, PlayError> {
        let (trees, size, actions) = (self.len(), self.observation_size(), self.action_count());
        check_length("the array of observations", trees * size, observations.len())?;
        check_length("the array of masks", trees * actions, masks.len())?;
        check_length("the array of ready trees", trees, ready.len())?;
        let Some(shape) = &mut self.shape else { return Ok(0) };
        let rows = observations.chunks_exact_mut(size).zip(masks.chunks_exact_mut(actions));
        let mut count = 0;
        for ((tree, (values, mask)), ready) in self.grown.iter_mut().flatten().zip(rows).zip(ready)
        {
            let waiting = tree.request(&self.options);
            *ready = u8::from(waiting.is_some());
            let Some(position) = waiting else { continue };
            count += 1;
            position.write_mask(mask);
            let viewer = position.to_move().unwrap_or(Seat::First);
            shape.scale.write(values, |raw| position.write_observation(viewer, raw));
        }
        Ok(count)
    }

    pub(super) fn leaf(&self, tree: usize) -> Option<Game> {
        let leaf = self.grown.get(tree)?.as_ref()?.leaf()?;
        Some(Game::at(leaf.into(), Chance::Explicit))
    }

    pub(super) fn submit(&mut self, logits: &[f32], values: &[f32]) -> Result<(), PlayError> {
        let (trees, actions, seats) = (self.len(), self.action_count(), self.players());
        check_length("the array of logits", trees * actions, logits.len())?;
        check_length("the array of values", trees * seats, values.len())?;
        let rows = || logits.chunks_exact(actions).zip(values.chunks_exact(seats));
        for (tree, (logits, values)) in self.grown.iter().flatten().zip(rows()) {
            if tree.leaf().is_none() {
                continue;
            }
            // Minus infinity is how networks mask moves.
            if !logits.iter().all(|&logit| logit.is_finite() || logit == f32::NEG_INFINITY) {
                return Err(PlayError::NotFinite { what: "the array of logits" });
            }
            if !values.iter().all(|value| value.is_finite()) {
                return Err(PlayError::NotFinite { what: "the array of values" });
            }
        }
        for (tree, (logits, values)) in self.grown.iter_mut().flatten().zip(rows()) {
            tree.submit(logits, values, &self.options);
        }
        Ok(())
    }

    pub(super) fn visits(&self, visits: &mut [u32]) -> Result<(), PlayError> {
        let actions = self.action_count();
        check_length("the array of visits", self.len() * actions, visits.len())?;
        for (tree, visits) in self.grown.iter().flatten().zip(visits.chunks_exact_mut(actions)) {
            tree.visits(visits);
        }
        Ok(())
    }

    pub(super) fn values(&self, values: &mut [f32]) -> Result<(), PlayError> {
        let seats = self.players();
        check_length("the array of values", self.len() * seats, values.len())?;
        for (tree, values) in self.grown.iter().flatten().zip(values.chunks_exact_mut(seats)) {
            tree.values(values);
        }
        Ok(())
    }
}
