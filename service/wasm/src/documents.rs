//! Documents: the layout of observations, and records.

use azulejo_play::{Game, Layout, OBSERVATION_VERSION, Start};
use serde::Serialize;

use crate::Failure;
use crate::engine::{Engine, Options};

#[derive(Serialize)]
struct ShownLayout<'a> {
    version: &'a str,
    /// Hexadecimal: a number of 64 bits is not exact in every language.
    hash: String,
    size: usize,
    actions: usize,
    players: usize,
    sections: Vec<ShownSection<'a>>,
}

#[derive(Serialize)]
struct ShownSection<'a> {
    name: &'a str,
    offset: usize,
    shape: &'a [usize],
    scale: u8,
}

/// What a verified record says.
#[derive(Serialize)]
struct Verified {
    ruleset: String,
    position: String,
    finished: bool,
    scores: Vec<u16>,
    ranks: Vec<u8>,
    winners: Vec<usize>,
}

impl Engine {
    /// The input names a ruleset. A JSON object with its lengths and the layout.
    pub fn layout(&mut self, length: u32) -> Result<u32, Failure> {
        let key = Options::of(self.text(length)?).text();
        let game = Game::new(key, Start::default())?;
        let layout: Layout = game.layout();
        let sections = layout.sections.iter().map(|section| ShownSection {
            name: &section.name,
            offset: section.offset,
            shape: &section.shape,
            scale: section.scale,
        });
        let shown = ShownLayout {
            version: OBSERVATION_VERSION,
            hash: format!("{:016x}", layout.hash()),
            size: layout.size,
            actions: game.action_count(),
            players: game.players(),
            sections: sections.collect(),
        };
        let json = serde_json::to_vec(&shown).unwrap_or_default();
        Ok(self.write(json))
    }

    /// The input is a record. A JSON object with the last position and the score, if all of it is
    /// right: every deal, every move, the result, and the arena's part.
    pub fn verify(&mut self, length: u32) -> Result<u32, Failure> {
        let game = Game::verify(self.text(length)?)?;
        let ranks = game.ranks();
        let winners = (0..).zip(&ranks).filter(|&(_, &rank)| rank == 1).map(|(seat, _)| seat);
        let verified = Verified {
            ruleset: game.ruleset().key(),
            position: game.text(),
            finished: game.is_terminal(),
            scores: game.scores(),
            winners: winners.collect(),
            ranks,
        };
        let json = serde_json::to_vec(&verified).unwrap_or_default();
        Ok(self.write(json))
    }
}
