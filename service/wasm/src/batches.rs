//! Many games side by side, with the arrays that they are written into.

use azulejo_play::{Arrays, Batch, BatchOptions, Game, Learner, Observations, PlayError};

use crate::Failure;
use crate::engine::{Engine, Options, address, bot, check_memory, small};

const SEATS: &str = "the number of a seat, rotating or random";

/// A batch and its arrays. Their addresses never change.
#[derive(Debug)]
pub(crate) struct Table {
    batch: Batch,
    /// Written by the host.
    actions: Vec<i32>,
    sampled: Vec<i64>,
    observations: Values,
    last: Values,
    masks: Vec<u8>,
    seats: Vec<u8>,
    rewards: Vec<f32>,
    ends: Vec<u8>,
}

#[derive(Debug)]
enum Values {
    Raw(Vec<u8>),
    Scaled(Vec<f32>),
}

impl Values {
    fn new(raw: bool, length: usize) -> Self {
        if raw { Self::Raw(vec![0; length]) } else { Self::Scaled(vec![0.0; length]) }
    }

    fn lend(&mut self) -> Observations<'_> {
        match self {
            Self::Raw(values) => Observations::Raw(values),
            Self::Scaled(values) => Observations::Scaled(values),
        }
    }

    fn address(&self) -> u32 {
        match self {
            Self::Raw(values) => address(values),
            Self::Scaled(values) => address(values),
        }
    }
}

impl Table {
    fn new(
        ruleset: &str,
        games: usize,
        raw: bool,
        options: &BatchOptions,
    ) -> Result<Self, Failure> {
        // One game first: it has the lengths, and checks the options.
        let one = Batch::new(ruleset, 1, options)?;
        let (size, mask, seats) = (one.observation_size(), one.action_count(), one.players());
        if games <= Batch::MOST_GAMES {
            let value = if raw { 1 } else { size_of::<f32>() };
            let each = 2 * size * value + mask + 4 * seats + 16 + 2 * size_of::<Game>();
            check_memory(games.saturating_mul(each))?;
        }
        let batch = Batch::new(ruleset, games, options)?;
        Ok(Self {
            batch,
            actions: vec![0; games],
            sampled: vec![0; games],
            observations: Values::new(raw, games * size),
            last: Values::new(raw, games * size),
            masks: vec![0; games * mask],
            seats: vec![0; games],
            rewards: vec![0.0; games * seats],
            ends: vec![0; games],
        })
    }

    /// Runs a call of the batch that writes the arrays.
    fn write(
        &mut self,
        call: impl FnOnce(&mut Batch, &[i32], &mut Arrays<'_>) -> Result<(), PlayError>,
    ) -> Result<u32, Failure> {
        let mut arrays = Arrays {
            observations: self.observations.lend(),
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            ends: &mut self.ends,
            last: Some(self.last.lend()),
        };
        call(&mut self.batch, &self.actions, &mut arrays)?;
        Ok(0)
    }
}

impl Engine {
    fn batch(&mut self, batch: u32) -> Result<&mut Table, Failure> {
        self.batches.get_mut(batch).ok_or(Failure::Handle(batch))
    }

    /// Lines: ruleset, games, `raw` or empty, seed, start seat, returns, view, seat of the learner,
    /// its opponents. All arrays show the first positions.
    pub fn new_batch(&mut self, length: u32) -> Result<u32, Failure> {
        let mut lines = Options::of(self.text(length)?);
        let ruleset = lines.text();
        let games = lines.number("number of games")?.unwrap_or_default();
        let raw = lines.text() == "raw";
        let mut options = BatchOptions {
            seed: lines.number("seed")?.unwrap_or_default(),
            start: lines.seat(SEATS)?.unwrap_or_default(),
            returns: lines.read()?.unwrap_or_default(),
            view: lines.read()?.unwrap_or_default(),
            learner: None,
        };
        if let Some(seat) = lines.seat(SEATS)? {
            options.learner = Some(Learner { seat, opponents: bot(lines.text())? });
        }
        let mut table = Table::new(ruleset, games, raw, &options)?;
        table.write(|batch, _, arrays| batch.observe(arrays))?;
        self.batches.insert(table).ok_or(Failure::TooMany("batches"))
    }

    /// The lengths and addresses of the arrays, four bytes each: games, players, actions, values of
    /// an observation; actions, observations, masks, seats, rewards, ends, last observations.
    pub fn batch_places(&mut self, batch: u32) -> Result<u32, Failure> {
        let table = self.batch(batch)?;
        let one = &table.batch;
        let lengths = [one.len(), one.players(), one.action_count(), one.observation_size()];
        let addresses = [
            address(&table.actions),
            table.observations.address(),
            address(&table.masks),
            address(&table.seats),
            address(&table.rewards),
            address(&table.ends),
            table.last.address(),
        ];
        let all = lengths.map(small).into_iter().chain(addresses);
        let output: Vec<u8> = all.flat_map(u32::to_le_bytes).collect();
        Ok(self.write(output))
    }

    /// Plays the actions that the host has written.
    pub fn step(&mut self, batch: u32) -> Result<u32, Failure> {
        self.batch(batch)?.write(Batch::step)
    }

    pub fn reset_batch(&mut self, batch: u32, seed: u64) -> Result<u32, Failure> {
        self.batch(batch)?.write(|batch, _, arrays| batch.reset(seed, arrays))
    }

    pub fn observe_batch(&mut self, batch: u32) -> Result<u32, Failure> {
        self.batch(batch)?.write(|batch, _, arrays| batch.observe(arrays))
    }

    /// Writes a random legal action of each game where the host writes actions.
    pub fn sample_batch(&mut self, batch: u32) -> Result<u32, Failure> {
        let table = self.batch(batch)?;
        table.batch.sample(&table.masks, &mut table.sampled)?;
        for (action, &sampled) in table.actions.iter_mut().zip(&table.sampled) {
            *action = i32::try_from(sampled).unwrap_or_default();
        }
        Ok(0)
    }

    pub fn game_of_batch(&mut self, batch: u32, index: u32) -> Result<u32, Failure> {
        let game = self.batch(batch)?.batch.game(index as usize)?;
        self.add_game(game)
    }

    pub fn free_batch(&mut self, batch: u32) -> Result<u32, Failure> {
        self.batches.remove(batch).map(|_| 0).ok_or(Failure::Handle(batch))
    }
}
