//! Games played from a position to their end.

use azulejo_bots::{Dice, Game, HouseBot};
use azulejo_rules::parts::Seed;
use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use crate::message::read_seed;
use crate::{EngineError, Table};

pub const MOST_RANDOM_PLAYOUTS: u32 = 10_000;
pub const MOST_GREEDY_PLAYOUTS: u32 = 200;

/// Plays games to their end. Without a seed they are decided by `fresh`, which is returned.
/// `in_time` is called before each game; when it returns false, the work stops.
pub fn playouts(
    request: pb::PlayoutsRequest,
    fresh: impl FnOnce() -> Seed,
    in_time: impl Fn() -> bool,
) -> Result<pb::PlayoutsResponse, EngineError> {
    let pb::PlayoutsRequest { state, games, policy, seed } = request;
    let table = Table::read(state)?;
    let (bot, most) = read_policy(policy)?;
    if !(1..=most).contains(&games) {
        let problem = Problem::OutOfRange { found: games.into(), least: 1, most: most.into() };
        return Err(BadField::new("games", problem).into());
    }
    let given = read_seed(seed)?;
    let made = if given.is_some() { None } else { Some(fresh()) };
    let seed = given.or(made).unwrap_or_else(|| Seed::from_number(0));
    let mut tally = Tally { seats: vec![Seat::default(); table.players().seats()], moves: 0 };
    let mut dice = dice_of(&seed);
    for _ in 0..games {
        if !in_time() {
            return Err(EngineError::OutOfTime);
        }
        let last = match table {
            Table::Azul(position) => Table::Azul(play_out(position, bot, &mut dice, &mut tally)),
            Table::SummerPavilion(position) => {
                Table::SummerPavilion(play_out(position, bot, &mut dice, &mut tally))
            }
        };
        tally.add(&last);
    }
    Ok(pb::PlayoutsResponse {
        seats: tally.seats.iter().map(|seat| seat.summary(games)).collect(),
        games,
        mean_moves: tally.moves as f64 / f64::from(games),
        seed: made.as_ref().map(Into::into),
    })
}

fn read_policy(policy: i32) -> Result<(HouseBot, u32), EngineError> {
    match pb::PlayoutPolicy::try_from(policy) {
        Ok(pb::PlayoutPolicy::Unspecified | pb::PlayoutPolicy::Random) => {
            Ok((HouseBot::Random, MOST_RANDOM_PLAYOUTS))
        }
        Ok(pb::PlayoutPolicy::Greedy) => Ok((HouseBot::Greedy, MOST_GREEDY_PLAYOUTS)),
        Err(_) => {
            let problem = Problem::NoSuchValue { found: policy, of: "PlayoutPolicy" };
            Err(BadField::new("policy", problem).into())
        }
    }
}

/// A generator that depends on every byte of the seed.
fn dice_of(seed: &Seed) -> Dice {
    let words = seed.bytes().chunks_exact(8);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    Dice::new(words.fold(0, |mixed, bytes| Dice::new(mixed ^ word(bytes)).word()))
}

fn play_out<G: Game>(first: G, bot: HouseBot, dice: &mut Dice, tally: &mut Tally) -> G {
    let mut position = first;
    while !position.is_over() {
        position.deal(dice);
        let seed = dice.word();
        let Some(action) = bot.choose(&position, seed) else { break };
        position.play(action);
        tally.moves += 1;
    }
    position
}

struct Tally {
    seats: Vec<Seat>,
    moves: u64,
}

#[derive(Clone, Default)]
struct Seat {
    wins: f64,
    sum: f64,
    squares: f64,
}

impl Tally {
    fn add(&mut self, last: &Table) {
        let score = last.score();
        for (seat, result) in self.seats.iter_mut().zip(&score.seats) {
            let total = f64::from(result.total);
            seat.sum += total;
            seat.squares += total * total;
        }
        for &winner in &score.winners {
            self.seats[winner].wins += 1.0 / score.winners.len() as f64;
        }
    }
}

impl Seat {
    fn summary(&self, games: u32) -> pb::SeatPlayouts {
        let games = f64::from(games);
        let mean = self.sum / games;
        let variance = (self.squares / games - mean * mean).max(0.0);
        pb::SeatPlayouts { wins: self.wins, mean_total: mean, total_deviation: variance.sqrt() }
    }
}
