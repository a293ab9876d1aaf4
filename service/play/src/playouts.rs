//! Statistics of many games.

use std::ops::Range;
use std::panic::resume_unwind;
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

/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// Plays games from this position to the end. House bots play the seats in turn: a single one plays
/// all seats. The result depends on the seed alone, not on the number of threads.
pub fn playouts(
    start: &Game,
    games: usize,
    bots: &[HouseBot],
    seed: u64,
    threads: usize,
) -> Result<Statistics, PlayError> {
    playouts_in(start, 0..games, bots, seed, threads)
}

/// The games with these numbers of all games of the seed, to play them in several calls: the parts
/// together are the same games as in one call.
pub fn playouts_in(
    start: &Game,
    games: Range<usize>,
    bots: &[HouseBot],
    seed: u64,
    threads: usize,
) -> Result<Statistics, PlayError> {
    const MOST_GAMES: usize = 100_000_000;
    if games.is_empty() || games.end > MOST_GAMES {
        return Err(PlayError::OutOfRange {
            what: "the number of games",
            least: 1,
            most: MOST_GAMES,
            found: games.len().max(games.end),
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
    games: Range<usize>,
    bots: &[HouseBot],
    seed: u64,
    threads: usize,
) -> Statistics {
    let parts = games.len().div_ceil(GAMES_AT_ONCE);
    let threads = threads.clamp(1, parts.min(MOST_THREADS));
    let part = |part: usize| {
        let first = games.start + part * GAMES_AT_ONCE;
        (part, play_part(start, first..games.end.min(first + GAMES_AT_ONCE), bots, seed))
    };
    let share = &|first: usize| (first..parts).step_by(threads).map(&part).collect::<Vec<_>>();
    let mut played = thread::scope(|scope| {
        let mut own = Vec::new();
        let mut running = Vec::new();
        for first in 1..threads {
            // Without another thread, this one plays the games.
            match thread::Builder::new().spawn_scoped(scope, move || share(first)) {
                Ok(thread) => running.push(thread),
                Err(_) => own.extend(share(first)),
            }
        }
        own.extend(share(0));
        for thread in running {
            own.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        own
    });
    played.sort_unstable_by_key(|&(number, _)| number);
    let empty = Statistics { seats: start.seats(), ..Statistics::default() };
    played.into_iter().fold(empty, |mut all, (_, part)| {
        all.append(part);
        all
    })
}

fn play_part<P: Position>(
    start: &Single<P>,
    games: Range<usize>,
    bots: &[HouseBot],
    seed: u64,
) -> Statistics {
    let mut moves = P::Moves::default();
    let mut part = Statistics { seats: start.seats(), ..Statistics::default() };
    for number in games {
        // Each game has numbers of its own, so that it is the same in every part and every thread.
        let mut dice = Dice::new(seed.wrapping_add((number as u64) << 32));
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
