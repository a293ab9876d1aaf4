//! The results of a pool, prepared for the fit.

use std::collections::BTreeMap;

use super::Standings;
use super::lines::standings;
use crate::names::{MatchId, Player};

/// A seat of a result: the index of its player, and its placement.
pub(super) type Seat = (u32, u8);

/// A result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Game {
    /// Hashes of the ids of the block and of the match.
    pub(super) block: u64,
    id: u64,
    pub(super) seats: Vec<Seat>,
}

/// All results of a pool.
#[derive(Clone, Debug, Default)]
pub struct Games {
    players: BTreeMap<Player, u32>,
    games: Vec<Game>,
}

/// The results in an order that does not depend on the order in which they were added.
#[derive(Debug)]
pub(super) struct Sorted {
    /// Ordered by name.
    pub(super) players: Vec<Player>,
    /// Ordered by block. Their seats hold indexes into `players`.
    pub(super) games: Vec<Game>,
    /// The largest number of seats.
    pub(super) seats: usize,
}

impl Games {
    /// Adds a result: players with their placements, by seat.
    pub fn add<'a>(
        &mut self,
        id: &MatchId,
        block: &MatchId,
        seats: impl IntoIterator<Item = (&'a Player, u8)>,
    ) {
        let mut numbered = Vec::with_capacity(4);
        for (player, placement) in seats {
            let next = u32::try_from(self.players.len()).unwrap_or(u32::MAX);
            let number = match self.players.get(player) {
                Some(number) => *number,
                None => *self.players.entry(player.clone()).or_insert(next),
            };
            numbered.push((number, placement));
        }
        self.games.push(Game {
            block: hash_of(block.as_str()),
            id: hash_of(id.as_str()),
            seats: numbered,
        });
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.games.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The official standings.
    #[must_use]
    pub fn fit(&self) -> Standings {
        standings(&self.sorted())
    }

    pub(super) fn sorted(&self) -> Sorted {
        let mut indexes = vec![0; self.players.len()];
        for (index, number) in (0..).zip(self.players.values()) {
            indexes[*number as usize] = index;
        }
        let mut games = self.games.clone();
        for (player, _) in games.iter_mut().flat_map(|game| &mut game.seats) {
            *player = indexes[*player as usize];
        }
        games.sort_unstable();
        let seats = games.iter().map(|game| game.seats.len()).max().unwrap_or_default();
        Sorted { players: self.players.keys().cloned().collect(), games, seats }
    }
}

/// A hash that is the same on every machine (FNV-1a).
pub(super) fn hash_of(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
