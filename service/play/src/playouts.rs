//! Statistics of many games.

use std::thread;

use azulejo_bots::Dice;
use azulejo_engine::HouseBot;
use azulejo_rules::parts::PerSeat;

use crate::game::{Single, play_out};
use crate::position::Position;
use crate::{Game, PlayError};

/// What came of many games, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub seats: usize,
    /// Points of each seat of each game.
    pub scores: Vec<u16>,
    /// Rank of each seat of each game.
    pub ranks: Vec<u8>,
    /// Moves of each game.
    pub lengths: Vec<u32>,
    /// Rounds of each game.
    pub rounds: Vec<u8>,
}

impl Statistics {
    /// Adds further games.
    pub fn append(&mut self, more: Self) {
        self.scores.extend(more.scores);
        self.ranks.extend(more.ranks);
        self.lengths.extend(more.lengths);
        self.rounds.extend(more.rounds);
    }
}

/// Games of a thread, so that there is work for all of them until the end.
const GAMES_AT_ONCE: usize = 256;

/// Plays games from this position to the end. House bots play the seats in turn: a single one plays
/// all seats. The result depends on the seed alone, not on the number of threads.
pub fn playouts(
    start: &Game,
    games: usize,
    bots: &[HouseBot],
    seed: u64,
    threads: usize,
) -> Result<Statistics, PlayError> {
    const MOST_GAMES: usize = 100_000_000;
    if !(1..=MOST_GAMES).contains(&games) {
        return Err(PlayError::OutOfRange {
            what: "the number of games",
            least: 1,
            most: MOST_GAMES,
            found: games,
        });
    }
    let seats = start.players();
    if bots.is_empty() || bots.len() > seats {
        return Err(PlayError::OutOfRange {
            what: "the number of bots",
            least: 1,
            most: seats,
            found: bots.len(),
        });
    }
    Ok(match start {
        Game::Azul(game) => play(game, games, bots, seed, threads),
        Game::SummerPavilion(game) => play(game, games, bots, seed, threads),
    })
}

fn play<P: Position>(
    start: &Single<P>,
    games: usize,
    bots: &[HouseBot],
    seed: u64,
    threads: usize,
) -> Statistics {
    let parts = games.div_ceil(GAMES_AT_ONCE);
    let threads = threads.clamp(1, parts);
    let part = |part: usize| {
        let count = GAMES_AT_ONCE.min(games - part * GAMES_AT_ONCE);
        play_part(start, count, bots, seed.wrapping_add((part as u64) << 32))
    };
    let played: Vec<(usize, Statistics)> = if threads == 1 {
        (0..parts).map(|number| (number, part(number))).collect()
    } else {
        thread::scope(|scope| {
            let running: Vec<_> = (0..threads)
                .map(|first| {
                    let numbers = (first..parts).step_by(threads);
                    let part = &part;
                    scope.spawn(move || {
                        numbers.map(|number| (number, part(number))).collect::<Vec<_>>()
                    })
                })
                .collect();
            running.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
        })
    };
    let mut played = played;
    played.sort_unstable_by_key(|&(number, _)| number);
    let empty = Statistics { seats: start.seats(), ..Statistics::default() };
    played.into_iter().fold(empty, |mut all, (_, part)| {
        all.append(part);
        all
    })
}

fn play_part<P: Position>(
    start: &Single<P>,
    games: usize,
    bots: &[HouseBot],
    seed: u64,
) -> Statistics {
    let mut dice = Dice::new(seed);
    let mut moves = P::Moves::default();
    let mut part = Statistics { seats: start.seats(), ..Statistics::default() };
    for _ in 0..games {
        let mut position = start.position;
        let length = if bots.iter().all(|bot| *bot == HouseBot::Random) {
            play_out(&mut position, &mut dice, &mut moves)
        } else {
            play_bots(&mut position, bots, &mut dice)
        };
        let (totals, ranks): (PerSeat<u16>, PerSeat<u8>) = position.standing();
        part.scores.extend(totals);
        part.ranks.extend(ranks);
        part.lengths.push(length);
        part.rounds.push(position.into().round());
    }
    part
}

fn play_bots<P: Position>(position: &mut P, bots: &[HouseBot], dice: &mut Dice) -> u32 {
    let mut steps = 0;
    loop {
        position.deal(dice);
        let Some(seat) = position.to_move() else { return steps };
        let bot = bots[seat.index() % bots.len()];
        let Some(action) = bot.choose(position, dice.word()) else { return steps };
        position.play(action);
        steps += 1;
    }
}
