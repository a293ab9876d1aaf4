//! The moves and their stable action ids.

use crate::parts::{PlayerCount, Side, Source};

use super::{Color, Column, Row};

/// Where taken tiles go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    Line(Row),
    Floor,
}

/// A decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Takes all tiles of a color from one place, to one pattern line or to the floor line:
    /// `3B2`, `cRf`.
    Take { source: Source, color: Color, destination: Destination },
    /// On the gray wall, lays the tile of a complete line: `r3c5`.
    PlaceTile { row: Row, column: Column },
}

/// The moves of one position. It has room for the whole action space, so it never overflows.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::ROOM],
    len: usize,
}

impl MoveList {
    /// The takes of the largest table, and the slots that [`Self::push_takes`] writes ahead.
    const ROOM: usize = 300 + DESTINATIONS;
    const UNUSED: Move = Move::PlaceTile { row: Row::First, column: Column::First };

    #[must_use]
    pub const fn new() -> Self {
        Self { moves: [Self::UNUSED; Self::ROOM], len: 0 }
    }

    #[inline]
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, action: Move) {
        self.moves[self.len] = action;
        self.len += 1;
    }

    /// Adds takes of one color from one source.
    ///
    /// Copies all six slots and counts only those that are meant: cheaper than a loop that ends
    /// early, and this is where a search spends its time.
    #[inline]
    pub(super) fn push_takes(&mut self, takes: &Takes) {
        self.moves[self.len..self.len + DESTINATIONS].copy_from_slice(&takes.moves);
        self.len += usize::from(takes.count);
    }
}

/// The takes of one color from one source to a set of lines and to the floor.
#[derive(Clone, Copy)]
pub(super) struct Takes {
    count: u8,
    moves: [Move; DESTINATIONS],
}

impl Takes {
    const NONE: Self = Self { count: 0, moves: [MoveList::UNUSED; DESTINATIONS] };
}

/// By source, color and set of rows, a bit a row.
pub(super) static TAKES: [[[Takes; 32]; 5]; Source::COUNT] = {
    let mut table = [[[Takes::NONE; 32]; 5]; Source::COUNT];
    let mut index = 0;
    while index < Source::COUNT * 5 * 32 {
        let (source, color, rows) = (index / 160, index / 32 % 5, index % 32);
        let takes = &mut table[source][color][rows];
        let mut destination = 0;
        while destination < DESTINATIONS {
            if (rows | 1 << 5) >> destination & 1 == 1 {
                takes.moves[takes.count as usize] = Move::Take {
                    source: Source::ALL[source],
                    color: Color::ALL[color],
                    destination: Destination::at(destination),
                };
                takes.count += 1;
            }
            destination += 1;
        }
        index += 1;
    }
    table
};

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl core::ops::Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl core::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The number of a move in the action space of its ruleset.
///
/// Colored wall: takes are `(source * 5 + color) * 6 + destination`, where source 0 is the center
/// and destination 5 the floor line. Gray wall: the placements `row * 5 + column` come first, then
/// the takes. So the ids of a small table are the first ones of a large table.
pub type ActionId = u16;

pub(super) const DESTINATIONS: usize = 6;
const PLACEMENTS: usize = 25;

impl Destination {
    const fn index(self) -> usize {
        match self {
            Self::Line(row) => row.index(),
            Self::Floor => 5,
        }
    }

    const fn at(index: usize) -> Self {
        match Row::at(index) {
            Some(row) => Self::Line(row),
            None => Self::Floor,
        }
    }
}

pub(super) const fn placements(side: Side) -> usize {
    match side {
        Side::Colored => 0,
        Side::Gray => PLACEMENTS,
    }
}

/// How many action ids a ruleset has: 180, 240 or 300, and 25 more on the gray wall.
#[must_use]
pub const fn action_count(side: Side, players: PlayerCount) -> ActionId {
    let sources = match players {
        PlayerCount::Two => 6,
        PlayerCount::Three => 8,
        PlayerCount::Four => 10,
    };
    (placements(side) + sources * Color::ALL.len() * DESTINATIONS) as ActionId
}

impl Move {
    /// Its action id; `None` for a placement on the colored wall, where there is no choice.
    #[must_use]
    pub const fn action_id(self, side: Side) -> Option<ActionId> {
        let id = match self {
            Self::Take { source, color, destination } => {
                let pair = source.index() * Color::ALL.len() + color.index();
                placements(side) + pair * DESTINATIONS + destination.index()
            }
            Self::PlaceTile { row, column } => match side {
                Side::Colored => return None,
                Side::Gray => row.index() * 5 + column.index(),
            },
        };
        Some(id as ActionId)
    }

    /// The move with this action id.
    #[must_use]
    pub fn from_action_id(side: Side, players: PlayerCount, id: ActionId) -> Option<Self> {
        if id >= action_count(side, players) {
            return None;
        }
        let id = usize::from(id);
        let Some(take) = id.checked_sub(placements(side)) else {
            let (row, column) = (Row::at(id / 5)?, Column::at(id % 5)?);
            return Some(Self::PlaceTile { row, column });
        };
        let pair = take / DESTINATIONS;
        Some(Self::Take {
            source: Source::at(pair / Color::ALL.len())?,
            color: Color::at(pair % Color::ALL.len())?,
            destination: Destination::at(take % DESTINATIONS),
        })
    }
}
