//! The results of a pool, as they are fitted.

use std::collections::BTreeMap;

use super::Standings;
use super::lines::standings;
use crate::names::{MatchId, Player};

/// A seat of a result: who, and which place.
pub(super) type Seat = (u32, u8);

/// A result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Game {
    /// Numbers of the block and of the match.
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

/// The results in an order that does not depend on the one in which they came.
#[derive(Debug)]
pub(super) struct Sorted {
    /// By name.
    pub(super) players: Vec<Player>,
    /// By block. Their seats hold places in the list of players.
    pub(super) games: Vec<Game>,
    pub(super) seats: usize,
}

impl Games {
    /// One more result: players with their placements, by seat.
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
            block: number_of(block.as_str()),
            id: number_of(id.as_str()),
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
        let mut places = vec![0; self.players.len()];
        for (place, number) in (0..).zip(self.players.values()) {
            places[*number as usize] = place;
        }
        let mut games = self.games.clone();
        for (player, _) in games.iter_mut().flat_map(|game| &mut game.seats) {
            *player = places[*player as usize];
        }
        games.sort_unstable();
        let seats = games.iter().map(|game| game.seats.len()).max().unwrap_or_default();
        Sorted { players: self.players.keys().cloned().collect(), games, seats }
    }
}

/// A number for a name, the same everywhere (FNV-1a).
pub(super) fn number_of(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
