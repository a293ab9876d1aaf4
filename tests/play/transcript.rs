//! What every SDK computes for the same games: one digest per ruleset.

use azulejo_play::{Chance, Game, Start};
use sha2::{Digest as _, Sha256};

/// Games of each ruleset.
pub(crate) const GAMES: u64 = 200;

/// Chooses the moves, in every language.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }
}

/// What a digest is made of.
#[derive(Default)]
pub(crate) struct Transcript(Sha256);

impl Transcript {
    /// Before a decision.
    pub(crate) fn position(&mut self, text: &str, mask: &[u8], observation: &[u8], hash: u64) {
        self.0.update(format!("{text}\n"));
        self.0.update(mask);
        self.0.update(observation);
        self.0.update(format!("{hash:016x}"));
    }

    /// After a game.
    pub(crate) fn end(&mut self, text: &str, scores: &[u16]) {
        let scores: Vec<String> = scores.iter().map(u16::to_string).collect();
        self.0.update(format!("{text}\n{}\n", scores.join(",")));
    }

    pub(crate) fn digest(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0.finalize())
    }
}

/// A game whose deals are decided by the seed with this number.
pub(crate) fn seeded(ruleset: &str, seed: u64) -> Game {
    let chance = Chance::seed(&seed.to_string()).unwrap();
    Game::new(ruleset, Start { chance, seat: 0 }).unwrap()
}

/// The mask and the observation of the seat that has to decide.
pub(crate) fn seen(game: &Game) -> (Vec<u8>, Vec<u8>) {
    let mut mask = vec![0; game.action_count()];
    game.write_mask(&mut mask).unwrap();
    let mut observation = vec![0; game.observation_size()];
    game.observe(game.current_player().unwrap(), &mut observation).unwrap();
    (mask, observation)
}
