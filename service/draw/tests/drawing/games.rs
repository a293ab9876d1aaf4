//! Random games to draw.

use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};
use azulejo_rules::{azul, pavilion};

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

pub(crate) fn tables() -> impl Iterator<Item = (Side, PlayerCount, u64)> {
    let players = [PlayerCount::Two, PlayerCount::Three, PlayerCount::Four];
    let seeds =
        move |side| players.into_iter().flat_map(move |n| (0..2).map(move |s| (side, n, s)));
    Side::ALL.into_iter().flat_map(seeds)
}

/// Some positions of a game, including the last: reading a picture back takes a while.
pub(crate) fn some<T>(played: Vec<T>) -> impl Iterator<Item = T> {
    const STRIDE: usize = 7;
    let skip = (played.len() - 1) % STRIDE;
    played.into_iter().skip(skip).step_by(STRIDE)
}

/// Every position of a game of random moves, before and after each deal.
pub(crate) fn azul(
    side: Side,
    players: PlayerCount,
    seed: u64,
) -> Vec<(azul::Position, Option<(Seat, azul::Move)>)> {
    let (chance, mut dice) = (Seed::from_number(seed), Dice(seed + 1));
    let mut position = azul::Position::new(azul::Rules::new(side, players), Seat::First);
    let mut played = vec![(position, None)];
    loop {
        position.deal(&mut Seeded(&chance), &mut ());
        if let Some(seat) = position.to_move() {
            let moves = position.legal_moves();
            let action = moves[dice.below(moves.len())];
            position.play(action, &mut ()).unwrap();
            played.push((position, Some((seat, action))));
        } else {
            played.push((position, None));
        }
        if position.end().is_some() {
            return played;
        }
    }
}

/// The same for Summer Pavilion; in even games players pass only if they cannot place a tile.
pub(crate) fn pavilion(
    side: Side,
    players: PlayerCount,
    seed: u64,
    events: &mut Vec<pavilion::Event>,
) -> Vec<(pavilion::Position, Option<(Seat, pavilion::Move)>)> {
    let (chance, mut dice) = (Seed::from_number(seed), Dice(seed + 1));
    let mut position = pavilion::Position::new(pavilion::Rules::new(side, players), Seat::First);
    let mut played = vec![(position, None)];
    loop {
        position.deal(&mut Seeded(&chance), events);
        if let Some(seat) = position.to_move() {
            let moves = position.legal_moves();
            let first = usize::from(seed.is_multiple_of(2) && moves.len() > 1);
            let action = moves[first + dice.below(moves.len() - first)];
            position.play(action, events).unwrap();
            played.push((position, Some((seat, action))));
        } else {
            played.push((position, None));
        }
        if position.end().is_some() {
            return played;
        }
    }
}
