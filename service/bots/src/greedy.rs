//! Plays the move with the best next position, by the lead over the best opponent.

use azulejo_rules::parts::Seat;

use crate::{Dice, Game, Points};

/// The value of the points for a seat: its lead over the best opponent.
#[must_use]
pub fn lead(points: &Points, seat: Seat, seats: usize) -> f32 {
    let others = points.iter().take(seats).enumerate().filter(|&(other, _)| other != seat.index());
    let best = others.map(|(_, &points)| points).fold(f32::MIN, f32::max);
    points[seat.index()] - best
}

/// The best move; ties are broken at random. `None` if no seat is to move.
pub fn choose<G: Game>(position: &G, dice: &mut Dice) -> Option<G::Move> {
    choose_with(position, dice, &mut G::Moves::default())
}

/// The same with a given list of legal moves.
pub(crate) fn choose_with<G: Game>(
    position: &G,
    dice: &mut Dice,
    moves: &mut G::Moves,
) -> Option<G::Move> {
    let seat = position.to_move()?;
    let seats = position.players().seats();
    position.list(moves);
    let mut best: Option<(f32, G::Move)> = None;
    let mut equals = 0;
    for &action in moves.iter() {
        let mut next = *position;
        next.play(action);
        let worth = lead(&next.value(), seat, seats);
        let beats = best.is_none_or(|(most, _)| worth > most);
        let equal = best.is_some_and(|(most, _)| worth.total_cmp(&most).is_eq());
        equals = if beats { 1 } else { equals + usize::from(equal) };
        if beats || equal && dice.below(equals) == 0 {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}
