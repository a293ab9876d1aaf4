//! The games of a batch whose kind is known.

use azulejo_bots::Dice;
use azulejo_engine::HouseBot;
use azulejo_rules::parts::{PlayerCount, Seat};

use super::arrays::{Lengths, Scale};
use super::{Arrays, BatchOptions, StartSeat, View};
use crate::game::{check_length, layout, read_seat};
use crate::position::Position;
use crate::{PlayError, Returns};

/// The games of a batch.
#[derive(Clone, Debug)]
pub(super) struct Tables<P: Position> {
    rules: P::Rules,
    players: PlayerCount,
    options: Settings,
    lengths: Lengths,
    games: Vec<Table<P>>,
    /// For choices of the caller, so that they do not change the deals.
    choices: Dice,
    /// The moves of a step, once all of them are known to be legal.
    moves: Vec<P::Move>,
    scale: Scale,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    start: StartSeat,
    returns: Returns,
    view: View,
    learner: Option<(StartSeat, HouseBot)>,
}

#[derive(Clone, Debug)]
struct Table<P> {
    position: P,
    dice: Dice,
    /// Which game is played at this table, counted from 0.
    round: u32,
    learner: Option<Seat>,
    legal: u32,
}

impl<P: Position> Tables<P> {
    pub(super) fn new(
        rules: P::Rules,
        games: usize,
        options: &BatchOptions,
    ) -> Result<Self, PlayError> {
        let position = P::new(rules, Seat::First);
        let players = position.players();
        let learner = options.learner.map(|learner| (learner.seat, learner.opponents));
        let settings = Settings {
            start: options.start,
            returns: options.returns,
            view: options.view,
            learner,
        };
        for seat in [Some(settings.start), learner.map(|(seat, _)| seat)].into_iter().flatten() {
            if let StartSeat::Fixed(seat) = seat {
                read_seat(players, seat)?;
            }
        }
        let lengths = Lengths {
            games,
            observation: position.observation_size(),
            mask: position.action_count(),
            seats: players.seats(),
        };
        let table = Table { position, dice: Dice::new(0), round: 0, learner: None, legal: 0 };
        let mut tables = Self {
            rules,
            players,
            options: settings,
            lengths,
            games: filled(&table, games)?,
            choices: Dice::new(0),
            moves: room(games)?,
            scale: Scale::of(&layout(position.ruleset())),
        };
        tables.begin_all(options.seed);
        Ok(tables)
    }

    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn action_count(&self) -> usize {
        self.lengths.mask
    }

    pub(super) fn observation_size(&self) -> usize {
        self.lengths.observation
    }

    pub(super) fn game(&self, index: usize) -> Option<(P, Dice)> {
        self.games.get(index).map(|table| (table.position, table.dice.clone()))
    }

    fn begin_all(&mut self, seed: u64) {
        let mut seeds = Dice::new(seed);
        self.choices = Dice::new(seeds.word());
        for table in &mut self.games {
            table.dice = Dice::new(seeds.word());
            table.round = 0;
            table.begin(self.rules, self.players, &self.options);
        }
    }

    pub(super) fn reset(&mut self, seed: u64, arrays: &mut Arrays<'_>) -> Result<(), PlayError> {
        arrays.check(self.lengths)?;
        self.begin_all(seed);
        self.observe(arrays)
    }

    pub(super) fn observe(&mut self, arrays: &mut Arrays<'_>) -> Result<(), PlayError> {
        arrays.check(self.lengths)?;
        arrays.rewards.fill(0.0);
        arrays.ends.fill(0);
        for game in 0..self.games.len() {
            self.show(game, arrays);
        }
        Ok(())
    }

    pub(super) fn step<A: Copy + Into<i64>>(
        &mut self,
        actions: &[A],
        arrays: &mut Arrays<'_>,
    ) -> Result<(), PlayError> {
        arrays.check(self.lengths)?;
        check_length("the array of actions", self.games.len(), actions.len())?;
        self.read(actions)?;
        let seats = self.lengths.seats;
        for game in 0..self.games.len() {
            let table = &mut self.games[game];
            let mover = table.play(self.moves[game], &self.options);
            let rewards = &mut arrays.rewards[game * seats..(game + 1) * seats];
            if table.position.is_over() {
                self.options.returns.write(&table.position, rewards);
                let viewer = self.options.viewer(table.learner.unwrap_or(mover));
                if let Some(last) = &mut arrays.last {
                    last.write(game, &mut self.scale, |values| {
                        table.position.write_observation(viewer, values);
                    });
                }
                table.round += 1;
                table.begin(self.rules, self.players, &self.options);
                arrays.ends[game] = 1;
            } else {
                rewards.fill(0.0);
                arrays.ends[game] = 0;
            }
            self.show(game, arrays);
        }
        Ok(())
    }

    /// Reads and checks all moves before the first one is played.
    fn read<A: Copy + Into<i64>>(&mut self, actions: &[A]) -> Result<(), PlayError> {
        self.moves.clear();
        for (game, (table, &action)) in self.games.iter().zip(actions).enumerate() {
            let id: i64 = action.into();
            let known = u16::try_from(id).ok().and_then(|id| table.position.action(id));
            let Some(action) = known else {
                return Err(PlayError::NoSuchAction { id, count: self.lengths.mask });
            };
            if table.position.check(action).is_err() {
                return Err(PlayError::IllegalInBatch { game, id });
            }
            self.moves.push(action);
        }
        Ok(())
    }

    /// Writes what there is to see of one game.
    #[inline]
    fn show(&mut self, game: usize, arrays: &mut Arrays<'_>) {
        let table = &mut self.games[game];
        let turn = table.position.to_move().unwrap_or(Seat::First);
        let mask = self.lengths.mask;
        table.legal = table.position.write_mask(&mut arrays.masks[game * mask..(game + 1) * mask]);
        arrays.seats[game] = turn.index() as u8;
        let viewer = self.options.viewer(turn);
        arrays.observations.write(game, &mut self.scale, |values| {
            table.position.write_observation(viewer, values);
        });
    }

    pub(super) fn sample(&mut self, masks: &[u8], actions: &mut [i64]) -> Result<(), PlayError> {
        let (games, mask) = (self.games.len(), self.lengths.mask);
        check_length("the array of masks", games * mask, masks.len())?;
        check_length("the array of actions", games, actions.len())?;
        for ((table, mask), action) in self.games.iter().zip(masks.chunks_exact(mask)).zip(actions)
        {
            let number = self.choices.below(table.legal.max(1) as usize) as u32;
            *action = i64::from(nth_legal(mask, number) as u32);
        }
        Ok(())
    }
}

/// An empty list with room for an element of each game.
fn room<T>(games: usize) -> Result<Vec<T>, PlayError> {
    let mut list = Vec::new();
    let full = |_| PlayError::OutOfMemory { what: "a batch of this many games" };
    list.try_reserve_exact(games).map_err(full)?;
    Ok(list)
}

fn filled<T: Clone>(element: &T, games: usize) -> Result<Vec<T>, PlayError> {
    let mut list = room(games)?;
    list.resize(games, element.clone());
    Ok(list)
}

impl Settings {
    const fn viewer(&self, seat: Seat) -> Seat {
        match self.view {
            View::Seat => seat,
            View::Table => Seat::First,
        }
    }
}

impl StartSeat {
    fn choose(self, players: PlayerCount, round: u32, dice: &mut Dice) -> Seat {
        let seats = players.seats();
        let number = match self {
            Self::Fixed(seat) => seat,
            Self::Rotating => round as usize % seats,
            Self::Random => dice.below(seats),
        };
        Seat::at(number).unwrap_or(Seat::First)
    }
}

impl<P: Position> Table<P> {
    /// Begins the next game, up to the first decision of the caller.
    fn begin(&mut self, rules: P::Rules, players: PlayerCount, options: &Settings) {
        let start = options.start.choose(players, self.round, &mut self.dice);
        // If both rotated at the same speed, the learner would always start.
        let rotation = match options.start {
            StartSeat::Rotating => self.round / players.seats() as u32,
            StartSeat::Fixed(_) | StartSeat::Random => self.round,
        };
        let learner =
            options.learner.map(|(seat, _)| seat.choose(players, rotation, &mut self.dice));
        self.learner = learner;
        self.position = P::new(rules, start);
        self.position.deal(&mut self.dice);
        self.play_opponents(options);
    }

    /// Plays a move, and those of the house bots after it. Returns the seat that moved last.
    #[inline]
    fn play(&mut self, action: P::Move, options: &Settings) -> Seat {
        let mover = self.position.to_move().unwrap_or(Seat::First);
        self.position.play(action);
        self.position.deal(&mut self.dice);
        self.play_opponents(options);
        mover
    }

    #[inline]
    fn play_opponents(&mut self, options: &Settings) {
        let Some((_, bot)) = options.learner else { return };
        while let Some(seat) = self.position.to_move()
            && Some(seat) != self.learner
            && let Some(action) = bot.choose(&self.position, self.dice.word())
        {
            self.position.play(action);
            self.position.deal(&mut self.dice);
        }
    }
}

/// The place of the 1 with this number in a mask of zeros and ones.
#[inline]
fn nth_legal(mask: &[u8], number: u32) -> usize {
    /// The sum of this many words of zeros and ones still fits into bytes.
    const WORDS: usize = 8;
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut left = number;
    for (index, chunk) in mask.chunks(WORDS * 8).enumerate() {
        let mut words = [0u64; WORDS];
        for (word, bytes) in words.iter_mut().zip(chunk.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(padded) & EACH;
        }
        let sum = |word: u64| (word.wrapping_mul(EACH) >> 56) as u32;
        let ones = sum(words.iter().sum());
        if left >= ones {
            left -= ones;
            continue;
        }
        for (at, &word) in words.iter().enumerate() {
            let ones = sum(word);
            if left < ones {
                let bits = (0..left).fold(word, |bits, _| bits & (bits - 1));
                return (index * WORDS + at) * 8 + bits.trailing_zeros() as usize / 8;
            }
            left -= ones;
        }
    }
    0
}
