use arrayvec::ArrayVec;

use super::{PlayerCount, Seat};

/// One value for each seat of the table, clockwise from the first.
pub type PerSeat<T> = ArrayVec<T, 4>;

/// The rank of each seat, 1 for the best; equal keys share a rank and the ranks below them are
/// left out (1, 1, 3).
#[must_use]
pub fn ranks<K: Ord>(keys: &[K]) -> PerSeat<u8> {
    keys.iter()
        .take(Seat::ALL.len())
        .map(|key| keys.iter().fold(1, |rank, other| rank + u8::from(other > key)))
        .collect()
}

/// The seats that share the first rank.
#[must_use]
pub fn winners(players: PlayerCount, ranks: &[u8]) -> PerSeat<Seat> {
    players.iter().zip(ranks).filter(|&(_, &rank)| rank == 1).map(|(seat, _)| seat).collect()
}
